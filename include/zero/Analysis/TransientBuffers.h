//===- TransientBuffers.h - When each buffer of a program lives -*- C++ -*-===//

#ifndef ZERO_ANALYSIS_TRANSIENTBUFFERS_H
#define ZERO_ANALYSIS_TRANSIENTBUFFERS_H

#include "zero/Planner/ArenaPlanner.h"

#include "dialects/Rt/RtOps.h"

namespace zero {

/// Multiple at which every buffer starts, in bytes.
inline constexpr int64_t kBufferAlignment = 64;

/// The allocs of a program as a problem for the planner.
struct TransientBuffers {
  llvm::SmallVector<rt::AllocOp> allocs;
  std::vector<PlannedBuffer> buffers; ///< one per alloc; times are places in the timeline

  /// A buffer lives from the first to the last operation that touches it; one that
  /// nothing touches takes no place.
  explicit TransientBuffers(rt::ProgramOp program);
};

} // namespace zero

#endif // ZERO_ANALYSIS_TRANSIENTBUFFERS_H
