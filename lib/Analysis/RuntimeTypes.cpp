//===- RuntimeTypes.cpp - Element types by the runtime's names ------------===//

#include "zero/Analysis/RuntimeTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace zero {

FailureOr<zrt_dtype_t> runtimeType(Type type) {
  if (type.isF32())
    return ZRT_DTYPE_F32;
  if (type.isF64())
    return ZRT_DTYPE_F64;
  if (type.isBF16())
    return ZRT_DTYPE_BF16;
  if (type.isF16())
    return ZRT_DTYPE_F16;
  if (type.isInteger(32))
    return ZRT_DTYPE_I32;
  if (type.isInteger(64))
    return ZRT_DTYPE_I64;
  if (type.isInteger(8) || type.isInteger(1))
    return ZRT_DTYPE_I8;
  return failure();
}

} // namespace zero
