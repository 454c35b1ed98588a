//===- ArenaPlanner.h - Buffers to offsets ----------------------*- C++ -*-===//

#ifndef ZERO_PLANNER_ARENAPLANNER_H
#define ZERO_PLANNER_ARENAPLANNER_H

#include <cstdint>
#include <vector>

namespace zero {

/// A buffer of `bytes` that lives from time `first` to time `last`, both included.
struct PlannedBuffer {
  int64_t bytes;
  int64_t first, last;
};

struct ArenaPlan {
  std::vector<int64_t> offsets; ///< one per buffer, multiples of the alignment
  int64_t bytes = 0;            ///< of the arena, a multiple of the alignment
};

/// Places buffers so that those that live at the same time do not overlap: one by one,
/// each in the smallest gap that holds it (as greedy by size, Pisarchyk and Lee 2020,
/// section 5.2), in order of first use, of bytes times time, of bytes, of time, until a
/// plan is near the lower bound; the best of them. A function of its arguments alone.
ArenaPlan planArena(const std::vector<PlannedBuffer> &buffers, int64_t alignment);

/// The largest sum of aligned bytes that live at one time: no plan is smaller.
int64_t arenaLowerBound(const std::vector<PlannedBuffer> &buffers, int64_t alignment);

} // namespace zero

#endif // ZERO_PLANNER_ARENAPLANNER_H
