//===- ArenaPlanner.cpp - Buffers to offsets ------------------------------===//

#include "zero/Planner/ArenaPlanner.h"

#include <algorithm>
#include <functional>
#include <map>
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

namespace {
/// The free places of an arena that grows at its end.
class FreeList {
public:
  /// The smallest free place of at least `bytes`, or the end of the arena.
  int64_t take(int64_t bytes) {
    auto best = gaps.end();
    for (auto it = gaps.begin(); it != gaps.end(); ++it)
      if (it->second >= bytes && (best == gaps.end() || it->second < best->second))
        best = it;
    if (best == gaps.end()) {
      // A place that is free up to the end grows.
      int64_t offset = end;
      if (!gaps.empty() && gaps.rbegin()->first + gaps.rbegin()->second == end) {
        offset = gaps.rbegin()->first;
        gaps.erase(offset);
      }
      end = offset + bytes;
      return offset;
    }
    auto [offset, size] = *best;
    gaps.erase(best);
    if (size > bytes)
      gaps[offset + bytes] = size - bytes;
    return offset;
  }

  void give(int64_t offset, int64_t bytes) {
    auto next = gaps.lower_bound(offset);
    if (next != gaps.end() && next->first == offset + bytes) {
      bytes += next->second;
      next = gaps.erase(next);
    }
    if (next != gaps.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += bytes;
        return;
      }
    }
    gaps[offset] = bytes;
  }

  int64_t end = 0;

private:
  std::map<int64_t, int64_t> gaps; ///< by offset; no two touch
};
} // namespace

/// In order of first use, as an allocator would: what has died is free again.
static ArenaPlan planInTime(const std::vector<PlannedBuffer> &buffers, int64_t alignment) {
  std::vector<size_t> byFirst(buffers.size());
  std::iota(byFirst.begin(), byFirst.end(), 0);
  std::vector<size_t> byLast = byFirst;
  std::stable_sort(byFirst.begin(), byFirst.end(),
                   [&](size_t a, size_t b) { return buffers[a].first < buffers[b].first; });
  std::stable_sort(byLast.begin(), byLast.end(),
                   [&](size_t a, size_t b) { return buffers[a].last < buffers[b].last; });
  ArenaPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  FreeList free;
  auto dead = byLast.begin();
  for (size_t index : byFirst) {
    for (; dead != byLast.end() && buffers[*dead].last < buffers[index].first; ++dead)
      if (int64_t bytes = alignUp(buffers[*dead].bytes, alignment))
        free.give(plan.offsets[*dead], bytes);
    if (int64_t bytes = alignUp(buffers[index].bytes, alignment))
      plan.offsets[index] = free.take(bytes);
  }
  plan.bytes = free.end;
  return plan;
}

/// Largest key first.
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

/// A plan this near to the bound is not improved on: the orders cost more than it.
static bool isNear(const ArenaPlan &plan, int64_t bound) {
  return plan.bytes - bound <= bound / 256;
}

ArenaPlan planArena(const std::vector<PlannedBuffer> &buffers, int64_t alignment) {
  int64_t bound = arenaLowerBound(buffers, alignment);
  const std::function<int64_t(const PlannedBuffer &)> orders[] = {
      // Bytes times time, coarse in bytes so that it can't overflow.
      [](auto &b) { return (b.bytes >> 6) * (b.last - b.first + 1); },
      [](auto &b) { return b.bytes; },
      [](auto &b) { return b.last - b.first; },
  };
  ArenaPlan best = planInTime(buffers, alignment);
  for (const auto &key : orders) {
    if (isNear(best, bound))
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
