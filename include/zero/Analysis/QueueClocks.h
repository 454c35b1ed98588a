//===- QueueClocks.h - Which operation is done before which -----*- C++ -*-===//

#ifndef ZERO_ANALYSIS_QUEUECLOCKS_H
#define ZERO_ANALYSIS_QUEUECLOCKS_H

#include "dialects/Rt/RtOps.h"

#include <array>

namespace zero {

/// A vector clock per operation of a program: how many operations of each queue are
/// complete when it starts (its own queue's predecessors, and what its waits imply).
class QueueClocks {
public:
  explicit QueueClocks(llvm::ArrayRef<rt::TimelineOpInterface> timeline);

  /// Operation `a` is complete before operation `b` starts; positions in the timeline.
  bool isBefore(unsigned a, unsigned b) const {
    return starts[b][queue[a]] > ordinal[a];
  }

  /// The number of an operation on its queue, from 0.
  unsigned ordinalOf(unsigned op) const { return ordinal[op]; }
  unsigned queueOf(unsigned op) const { return queue[op]; }

private:
  static constexpr unsigned kQueues = 6;
  using Clock = std::array<unsigned, kQueues>;

  llvm::SmallVector<Clock> starts;
  llvm::SmallVector<unsigned> queue, ordinal;
};

} // namespace zero

#endif // ZERO_ANALYSIS_QUEUECLOCKS_H
