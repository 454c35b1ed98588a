//===- BufferPlaces.h - Which bytes an operation touches --------*- C++ -*-===//

#ifndef ZERO_ANALYSIS_BUFFERPLACES_H
#define ZERO_ANALYSIS_BUFFERPLACES_H

#include "dialects/Rt/RtOps.h"

namespace zero {

/// Bytes [offset + rank * rankStride, + size) of a root buffer: an rt.alloc, an
/// rt.global_ref or an argument of the program.
struct BufferPlace {
  mlir::Value root;
  int64_t offset = 0, rankStride = 0, size = 0;
};

/// Looks through views.
BufferPlace placeOf(mlir::Value buffer);

/// Program operations that run on a queue, in block order.
llvm::SmallVector<rt::TimelineOpInterface> timelineOf(rt::ProgramOp program);

} // namespace zero

#endif // ZERO_ANALYSIS_BUFFERPLACES_H
