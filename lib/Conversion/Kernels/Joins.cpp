//===- Joins.cpp - Concatenation, padding and insertion at a point --------===//

#include "KernelEvaluator.h"

using namespace mlir;

namespace zero {

Value KernelEvaluator::evalWhere(Value inside, Value tensor, Point point,
                               Value otherwise) {
  if (typeOf(tensor).getNumElements() == 0)
    return otherwise;
  Value outer = mask;
  // Where all lanes agree nothing is masked, so the index itself must stay
  // inside.
  for (auto [dim, index] : llvm::enumerate(point)) {
    if (!index.isUniform())
      continue;
    Value valid = isInside(index, 0, typeOf(tensor).getDimSize(dim));
    index.base = select(valid, index.base, constant(0));
  }
  mask = both(mask, inside);
  Value value = eval(tensor, point);
  mask = outer;
  return select(inside, value, otherwise);
}

Value KernelEvaluator::evalConcat(tensor::ConcatOp op, Point point) {
  Type element = op.getResultType().getElementType();
  uint64_t dim = op.getDim();
  Value value = constant(computeType(element), 0.0);
  int64_t begin = 0;
  for (Value piece : op.getInputs()) {
    int64_t size = typeOf(piece).getDimSize(dim);
    if (size == 0)
      continue;
    Point at = point;
    at[dim] = plus(at[dim], -begin);
    value = evalWhere(isInside(point[dim], begin, size), piece, at, value);
    begin += size;
  }
  return value;
}

Value KernelEvaluator::evalPad(tensor::PadOp op, Point point) {
  Type element = op.getResultType().getElementType();
  Value padding = op.getConstantPaddingValue();
  bool isStatic = llvm::none_of(op.getStaticLow(), ShapedType::isDynamic);
  if (!padding || !isStatic)
    return fail(op,
                "without a constant value and sizes has no generator",
                element);
  Value inside;
  for (auto [dim, low] : llvm::enumerate(op.getStaticLow())) {
    int64_t size = op.getSourceType().getDimSize(dim);
    if (low != 0 || size != op.getResultType().getDimSize(dim))
      inside = both(inside, isInside(point[dim], low, size));
    point[dim] = plus(point[dim], -low);
  }
  if (!inside)
    return eval(op.getSource(), point);
  return evalWhere(inside, op.getSource(), point, evalScalar(padding));
}

Value KernelEvaluator::evalInsertSlice(tensor::InsertSliceOp op, Point point) {
  RankedTensorType type = op.getResultType();
  if (llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic))
    return fail(op, "with dynamic offsets or strides has no generator",
                type.getElementType());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Value inside;
  Point source;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t offset = op.getStaticOffsets()[dim],
            size = op.getStaticSizes()[dim];
    int64_t stride = op.getStaticStrides()[dim],
            reach = size ? (size - 1) * stride + 1 : 0;
    if (offset != 0 || reach != type.getDimSize(dim))
      inside = both(inside, isInside(point[dim], offset, reach));
    Index at = plus(point[dim], -offset);
    if (stride != 1) {
      auto [quotient, remainder] = divideAndRemainder(at, stride);
      inside = both(inside, isEqual(remainder, constant(0)));
      at = quotient;
    }
    if (!dropped.test(dim))
      source.push_back(at);
  }
  if (!inside)
    return eval(op.getSource(), source);
  return evalWhere(inside, op.getSource(), source, eval(op.getDest(), point));
}

} // namespace zero
