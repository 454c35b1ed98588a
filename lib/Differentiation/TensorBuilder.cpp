//===- TensorBuilder.cpp - Arithmetic on whole tensors --------------------===//

#include "zero/Differentiation/TensorBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {

Value TensorBuilder::add(Value a, Value b) { return create<arith::AddFOp>(a, b); }
Value TensorBuilder::sub(Value a, Value b) { return create<arith::SubFOp>(a, b); }
Value TensorBuilder::mul(Value a, Value b) { return create<arith::MulFOp>(a, b); }
Value TensorBuilder::div(Value a, Value b) { return create<arith::DivFOp>(a, b); }
Value TensorBuilder::neg(Value a) { return create<arith::NegFOp>(a); }

Value TensorBuilder::select(Value condition, Value a, Value b) {
  return create<arith::SelectOp>(condition, a, b);
}

Value TensorBuilder::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return create<arith::CmpFOp>(predicate, a, b);
}

Value TensorBuilder::splat(Type type, double value) {
  auto tensor = cast<RankedTensorType>(type);
  Attribute element = builder.getFloatAttr(tensor.getElementType(), value);
  return create<arith::ConstantOp>(DenseElementsAttr::get(tensor, element));
}

Value TensorBuilder::empty(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return create<tensor::EmptyOp>(tensor.getShape(), tensor.getElementType());
}

static Value filled(TensorBuilder &b, Type type, double value) {
  Type element = cast<RankedTensorType>(type).getElementType();
  Value scalar = b.create<arith::ConstantOp>(b.builder.getFloatAttr(element, value));
  return b.create<linalg::FillOp>(scalar, b.empty(type)).getResult(0);
}

Value TensorBuilder::zeros(Type type) { return filled(*this, type, 0.0); }

Value TensorBuilder::broadcast(Value x, Type type, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return x;
  return create<linalg::BroadcastOp>(x, empty(type), dims).getResult()[0];
}

Value TensorBuilder::transpose(Value x, ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  Value init = empty(RankedTensorType::get(shape, type.getElementType()));
  return create<linalg::TransposeOp>(x, init, permutation).getResult()[0];
}

/// Reduces `x` over `dims` by `OpT` from `neutral`.
template <typename OpT>
static Value reduce(TensorBuilder &b, Value x, ArrayRef<int64_t> dims, double neutral) {
  if (dims.empty())
    return x;
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      shape.push_back(type.getDimSize(dim));
  Value init = filled(b, RankedTensorType::get(shape, type.getElementType()), neutral);
  auto body = [](OpBuilder &nested, Location loc, ValueRange args) {
    linalg::YieldOp::create(nested, loc,
                            OpT::create(nested, loc, args[0], args[1]).getResult());
  };
  return b.create<linalg::ReduceOp>(x, init, dims, body).getResult(0);
}

Value TensorBuilder::sum(Value x, ArrayRef<int64_t> dims) {
  return reduce<arith::AddFOp>(*this, x, dims, 0.0);
}

Value TensorBuilder::product(Value x, ArrayRef<int64_t> dims) {
  return reduce<arith::MulFOp>(*this, x, dims, 1.0);
}

} // namespace zero
