//===- RuntimeTypes.h - Element types by the runtime's names ----*- C++ -*-===//

#ifndef ZERO_ANALYSIS_RUNTIMETYPES_H
#define ZERO_ANALYSIS_RUNTIMETYPES_H

#include "zrt.h"

#include "mlir/IR/Types.h"

namespace zero {

/// The runtime's name of an element type; failure for one that it does not know.
mlir::FailureOr<zrt_dtype_t> runtimeType(mlir::Type type);

} // namespace zero

#endif // ZERO_ANALYSIS_RUNTIMETYPES_H
