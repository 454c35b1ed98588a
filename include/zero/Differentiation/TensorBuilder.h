//===- TensorBuilder.h - Arithmetic on whole tensors ------------*- C++ -*-===//

#ifndef ZERO_DIFFERENTIATION_TENSORBUILDER_H
#define ZERO_DIFFERENTIATION_TENSORBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace zero {

/// Writes tensor operations; operands of a binary operation are of one type.
class TensorBuilder {
public:
  explicit TensorBuilder(mlir::OpBuilder &builder)
      : builder(builder), loc(builder.getUnknownLoc()) {}

  template <typename OpT, typename... Args> OpT create(Args &&...args) {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value neg(mlir::Value a);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value b);

  /// `value` in every element.
  mlir::Value splat(mlir::Type type, double value);
  mlir::Value zeros(mlir::Type type);
  mlir::Value empty(mlir::Type type);
  /// `x * factor`.
  mlir::Value scale(mlir::Value x, double factor) { return mul(x, splat(x.getType(), factor)); }

  /// `x` repeated along new dimensions `dims` of `type`.
  mlir::Value broadcast(mlir::Value x, mlir::Type type, llvm::ArrayRef<int64_t> dims);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> permutation);
  /// Sum, or product, over `dims`.
  mlir::Value sum(mlir::Value x, llvm::ArrayRef<int64_t> dims);
  mlir::Value product(mlir::Value x, llvm::ArrayRef<int64_t> dims);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace zero

#endif // ZERO_DIFFERENTIATION_TENSORBUILDER_H
