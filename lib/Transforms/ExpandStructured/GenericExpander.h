//===- GenericExpander.h - One linalg.generic as whole tensors --*- C++ -*-===//
//
//  linalg.generic {maps, iterators} ins(%a, %b) outs(%c) { f; yield }
//
// Every operand is brought to the shape of the loops (transposed, repeated), f is written
// on tensors of that shape, and what is yielded is reduced over the reduction loops and
// transposed to the order of the output. A sum of products becomes a contraction.
//
//===----------------------------------------------------------------------===//

#ifndef ZERO_LIB_TRANSFORMS_EXPANDSTRUCTURED_GENERICEXPANDER_H
#define ZERO_LIB_TRANSFORMS_EXPANDSTRUCTURED_GENERICEXPANDER_H

#include "zero/Differentiation/TensorBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace zero {

class GenericExpander {
public:
  GenericExpander(TensorBuilder &b, mlir::linalg::GenericOp op)
      : b(b), op(op), maps(op.getIndexingMapsArray()), sizes(op.getStaticLoopRanges()),
        body(*op.getBody()) {}

  /// Replaces the operation. Failure comes with a diagnostic at it that names the part of
  /// a map or of the body that has no form on tensors.
  llvm::LogicalResult run();

private:
  mlir::RankedTensorType loopType(mlir::Type element) {
    return mlir::RankedTensorType::get(sizes, element);
  }
  llvm::LogicalResult checkMaps();
  bool isReduction(unsigned loop);
  bool expandContraction();

  /// `x`, read through `map`, in the shape of the loops.
  mlir::Value spread(mlir::Value x, mlir::AffineMap map);
  /// A number that is the same everywhere, in the shape of the loops.
  llvm::FailureOr<mlir::Value> spreadScalar(mlir::Operation *user, mlir::Value scalar);
  mlir::Value indexOf(unsigned loop);
  llvm::FailureOr<mlir::Value> valueOf(mlir::Operation *user, mlir::Value scalar);
  llvm::LogicalResult expandOperation(mlir::Operation *inner);
  llvm::FailureOr<mlir::Value> gather(mlir::tensor::ExtractOp extract);
  llvm::FailureOr<mlir::Value> gatherRows(mlir::tensor::ExtractOp extract);
  llvm::FailureOr<mlir::Value> flatIndex(mlir::tensor::ExtractOp extract);
  llvm::FailureOr<mlir::Value> indexOperand(mlir::tensor::ExtractOp extract, unsigned dim);
  mlir::Value asColumn(mlir::Value table);
  mlir::Value narrowIds(mlir::Value ids);
  bool readsWholeRows(mlir::tensor::ExtractOp extract);
  llvm::FailureOr<mlir::Value> result(unsigned number);
  llvm::FailureOr<mlir::Value> reduced(unsigned number);

  TensorBuilder &b;
  mlir::linalg::GenericOp op;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<int64_t> sizes;
  mlir::Block &body;
  mlir::IRMapping values; ///< scalars of the body as tensors of the loops' shape
  /// The last operation of each reduction, which is not written on tensors.
  llvm::DenseSet<mlir::Operation *> combiners;
};

} // namespace zero

#endif // ZERO_LIB_TRANSFORMS_EXPANDSTRUCTURED_GENERICEXPANDER_H
