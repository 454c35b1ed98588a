//===- StridedOperand.h - A tensor as strides over a buffer -----*- C++ -*-===//

#ifndef ZERO_LIB_TRANSFORMS_FORMKERNELS_STRIDEDOPERAND_H
#define ZERO_LIB_TRANSFORMS_FORMKERNELS_STRIDEDOPERAND_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace zero {

/// Element (i0, i1, ...) of a tensor is element offset + Σ i_d * strides[d] of the
/// contiguous buffer of `base`.
struct StridedOperand {
  mlir::Value base;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// Row-major strides of `type`.
llvm::SmallVector<int64_t> rowMajorStrides(mlir::RankedTensorType type);

/// Walks from `value` up through transpositions, slices, broadcasts and reshapes as
/// far as strides can express them.
StridedOperand resolveStrides(mlir::Value value);

} // namespace zero

#endif // ZERO_LIB_TRANSFORMS_FORMKERNELS_STRIDEDOPERAND_H
