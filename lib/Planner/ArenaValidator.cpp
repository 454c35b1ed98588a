//===- ArenaValidator.cpp - Is a plan right? ------------------------------===//
//
// A sweep over time that keeps the live buffers by offset: a buffer that begins may
// touch neither neighbour. Shares nothing with the planner.
//
//===----------------------------------------------------------------------===//

#include "zero/Planner/ArenaValidator.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace zero {

namespace {
struct Event {
  int64_t time;
  bool begins; ///< ends sort before begins of the same time
  size_t buffer;

  bool operator<(const Event &o) const {
    return std::tie(time, begins, buffer) < std::tie(o.time, o.begins, o.buffer);
  }
};
} // namespace

static std::optional<PlanFault> checkPlace(const PlannedBuffer &buffer, size_t index,
                                           const ArenaPlan &plan, int64_t alignment) {
  int64_t offset = plan.offsets[index];
  if (offset < 0 || offset % alignment)
    return PlanFault{"starts at " + std::to_string(offset) + ", which is not a multiple of " +
                         std::to_string(alignment),
                     index, index};
  if (buffer.bytes < 0 || buffer.first > buffer.last || offset > plan.bytes - buffer.bytes)
    return PlanFault{"ends outside the arena of " + std::to_string(plan.bytes) + " bytes", index,
                     index};
  return std::nullopt;
}

std::optional<PlanFault> validateArena(const std::vector<PlannedBuffer> &buffers,
                                       const ArenaPlan &plan, int64_t alignment) {
  if (plan.offsets.size() != buffers.size())
    return PlanFault{"has an offset for another number of buffers", 0, 0};
  std::vector<Event> events;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (auto fault = checkPlace(buffers[i], i, plan, alignment))
      return fault;
    if (buffers[i].bytes == 0)
      continue;
    events.push_back({buffers[i].first, true, i});
    events.push_back({buffers[i].last + 1, false, i});
  }
  std::sort(events.begin(), events.end());
  std::map<int64_t, size_t> live; // by offset
  for (const Event &event : events) {
    int64_t begin = plan.offsets[event.buffer], end = begin + buffers[event.buffer].bytes;
    if (!event.begins) {
      live.erase(begin);
      continue;
    }
    auto next = live.lower_bound(begin);
    if (next != live.end() && next->first < end)
      return PlanFault{"overlap while both live", event.buffer, next->second};
    if (next != live.begin()) {
      size_t before = std::prev(next)->second;
      if (plan.offsets[before] + buffers[before].bytes > begin)
        return PlanFault{"overlap while both live", event.buffer, before};
    }
    live[begin] = event.buffer;
  }
  return std::nullopt;
}

} // namespace zero
