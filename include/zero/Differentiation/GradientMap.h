//===- GradientMap.h - Gradients of values while they are made --*- C++ -*-===//

#ifndef ZERO_DIFFERENTIATION_GRADIENTMAP_H
#define ZERO_DIFFERENTIATION_GRADIENTMAP_H

#include "zero/Differentiation/TensorBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace zero {

/// What a rule reads and writes: the gradient of the loss's sum with respect to each
/// value of the step. Contributions are added in the order in which they are given;
/// a sum with a product becomes a product that accumulates, and slices that make up
/// a whole become one concatenation.
///
/// One gradient may be a contribution to several values (both operands of a sum get
/// the same one). The map counts who holds each; only a contribution with a single
/// holder and no reader is changed in place.
class GradientMap {
public:
  GradientMap(mlir::OpBuilder &builder, llvm::DenseSet<mlir::Value> active)
      : tensors(builder), active(std::move(active)) {}

  /// Builds at the place and location of the operation whose rule runs.
  TensorBuilder &build() { return tensors; }

  /// The gradient of a result; null if nothing that reaches the loss uses it.
  mlir::Value of(mlir::Value result);
  /// The gradient of a result, zeros if there is none.
  mlir::Value ofOrZero(mlir::Value result);
  bool has(mlir::Value result) const { return contributions.contains(result); }

  /// True where `operand` depends on a trainable parameter.
  bool wants(mlir::Value operand) const { return active.contains(operand); }
  /// Adds `gradient`, of the type of `operand`, if `operand` wants one.
  void add(mlir::Value operand, mlir::Value gradient);
  /// Nothing will ask for the gradients of `op`'s results again: they are held no more.
  void retire(mlir::Operation *op);

  /// The constant 1 that the sum of the loss has as its gradient.
  mlir::Value seed;

private:
  using Parts = llvm::SmallVector<mlir::Value>;

  /// The sum of `parts`, which are held no more.
  mlir::Value combine(Parts parts);
  /// The slices among `parts` as one concatenation, if they make up a whole.
  mlir::Value joinSlices(Parts &parts);
  void hold(mlir::Value gradient) { ++holders[gradient]; }
  void release(mlir::Value gradient) { --holders[gradient]; }
  /// True where nothing reads `gradient`, and one contribution is all that holds it.
  bool isOwned(mlir::Value gradient) const {
    return gradient.use_empty() && holders.lookup(gradient) == 1;
  }
  mlir::OpOperand *accumulator(mlir::Value gradient) const;
  mlir::tensor::InsertSliceOp sliceOfZeros(mlir::Value gradient) const;

  TensorBuilder tensors;
  llvm::DenseSet<mlir::Value> active;
  llvm::DenseMap<mlir::Value, Parts> contributions;
  llvm::DenseMap<mlir::Value, unsigned> holders; ///< entries of `contributions`
};

} // namespace zero

#include "zero/Differentiation/DifferentiableInterface.h.inc"

#endif // ZERO_DIFFERENTIATION_GRADIENTMAP_H
