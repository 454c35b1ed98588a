//===- ProductDims.h - The loops of a contraction by their part -*- C++ -*-===//

#ifndef ZERO_LIB_TRANSFORMS_FORMKERNELS_PRODUCTDIMS_H
#define ZERO_LIB_TRANSFORMS_FORMKERNELS_PRODUCTDIMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace zero {

/// The loops of a contraction by their part in the product.
struct ProductDims {
  llvm::SmallVector<unsigned> batch, m, n, k;
};

ProductDims classifyDims(mlir::linalg::LinalgOp op);

/// True for a fill with zero: the product starts from nothing.
bool isZeroFill(mlir::Value value);

/// Rewrites `op`, whatever the order of its loops, as linalg.batch_matmul between
/// transposed and collapsed operands.
mlir::linalg::LinalgOp standardiseProduct(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

} // namespace zero

#endif // ZERO_LIB_TRANSFORMS_FORMKERNELS_PRODUCTDIMS_H
