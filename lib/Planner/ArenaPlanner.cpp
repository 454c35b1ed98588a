//===- ArenaPlanner.cpp - Buffers to offsets ------------------------------===//

#include "zero/Planner/ArenaPlanner.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace zero {

static int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

namespace {
/// Places buffers one by one; those that are placed are kept in order of offset.
class GreedyPlacer {
public:
  GreedyPlacer(const std::vector<PlannedBuffer> &buffers, int64_t alignment)
      : buffers(buffers), alignment(alignment) {
    plan.offsets.assign(buffers.size(), 0);
  }

  void place(size_t index) {
    int64_t bytes = alignUp(buffers[index].bytes, alignment);
    if (bytes == 0)
      return;
    plan.offsets[index] = smallestGap(buffers[index], bytes);
    plan.bytes = std::max(plan.bytes, plan.offsets[index] + bytes);
    auto at = std::upper_bound(placed.begin(), placed.end(), index, [&](size_t a, size_t b) {
      return plan.offsets[a] < plan.offsets[b];
    });
    placed.insert(at, index);
  }

  ArenaPlan plan;

private:
  /// The offset of the smallest gap of at least `bytes` between the buffers that live
  /// at the same time as `buffer`; the end of them if there is none.
  int64_t smallestGap(const PlannedBuffer &buffer, int64_t bytes) {
    int64_t end = 0, best = -1, bestSize = 0;
    for (size_t other : placed) {
      const PlannedBuffer &neighbour = buffers[other];
      if (neighbour.last < buffer.first || buffer.last < neighbour.first)
        continue;
      int64_t gap = plan.offsets[other] - end;
      if (gap >= bytes && (best < 0 || gap < bestSize)) {
        best = end;
        bestSize = gap;
      }
      end = std::max(end, plan.offsets[other] + alignUp(neighbour.bytes, alignment));
    }
    return best < 0 ? end : best;
  }

  const std::vector<PlannedBuffer> &buffers;
  int64_t alignment;
  std::vector<size_t> placed;
};
} // namespace

static ArenaPlan planInOrder(const std::vector<PlannedBuffer> &buffers, int64_t alignment,
                             const std::function<int64_t(const PlannedBuffer &)> &key) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return key(buffers[a]) > key(buffers[b]);
  });
  GreedyPlacer placer(buffers, alignment);
  for (size_t index : order)
    placer.place(index);
  return std::move(placer.plan);
}

ArenaPlan planArena(const std::vector<PlannedBuffer> &buffers, int64_t alignment) {
  int64_t bound = arenaLowerBound(buffers, alignment);
  ArenaPlan best = planInOrder(buffers, alignment, [](auto &b) { return b.bytes; });
  const std::function<int64_t(const PlannedBuffer &)> others[] = {
      [](auto &b) { return b.last - b.first; },
      // Bytes times time, coarse in time so that it can't overflow.
      [](auto &b) { return (b.bytes >> 6) * (b.last - b.first + 1); },
      [](auto &b) { return -b.first; },
  };
  for (const auto &key : others) {
    if (best.bytes == bound)
      break;
    ArenaPlan plan = planInOrder(buffers, alignment, key);
    if (plan.bytes < best.bytes)
      best = std::move(plan);
  }
  return best;
}

int64_t arenaLowerBound(const std::vector<PlannedBuffer> &buffers, int64_t alignment) {
  std::vector<std::pair<int64_t, int64_t>> changes; // time, bytes
  for (const PlannedBuffer &buffer : buffers) {
    int64_t bytes = alignUp(buffer.bytes, alignment);
    changes.push_back({buffer.first, bytes});
    changes.push_back({buffer.last + 1, -bytes});
  }
  std::sort(changes.begin(), changes.end());
  int64_t live = 0, most = 0;
  for (auto [time, bytes] : changes) {
    live += bytes;
    most = std::max(most, live);
  }
  return most;
}

} // namespace zero
