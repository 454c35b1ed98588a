//===- NNValues.cpp - nn operations that are evaluated at a point ---------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

Value KernelEvaluator::evalNN(OpResult result, Point point) {
  Operation *op = result.getOwner();
  if (auto embedding = dyn_cast<nn::EmbeddingOp>(op))
    return evalEmbedding(embedding, point);
  if (auto grad = dyn_cast<nn::CrossEntropyGradOp>(op))
    return evalCrossEntropyGrad(grad, point);
  if (auto dropout = dyn_cast<nn::DropoutOp>(op))
    return evalDropout(dropout, point);
  if (auto rope = dyn_cast<nn::RopeOp>(op))
    return evalRope(rope, point);
  return fail(op, "has no generator in this place",
              typeOf(result).getElementType());
}

Value KernelEvaluator::toIndex(Value integer) {
  placeAfter(integer);
  Type type = isVector(integer) ? lanesOf(b.getI64Type()) : b.getI64Type();
  return getElementTypeOrSelf(integer).isInteger(64)
             ? integer
             : arith::ExtSIOp::create(b, loc, type, integer).getResult();
}

/// A token outside the table gives NaN, which the loss then shows, instead of a
/// read of memory that is not the table's.
Value KernelEvaluator::evalEmbedding(nn::EmbeddingOp op, Point point) {
  Value table = op.getTable();
  int64_t rows = typeOf(table).getDimSize(0);
  Type type = computeType(typeOf(table).getElementType());
  Value nan = constant(type, std::numeric_limits<double>::quiet_NaN());
  if (rows == 0)
    return nan;
  Value id = toIndex(eval(op.getIds(), ArrayRef(point).drop_back()));
  Value valid = compareInt(arith::CmpIPredicate::ult, id, constant(rows));
  Value safe = select(valid, id, constant(0));
  Index row = isVector(safe) ? Index{nullptr, 0, safe} : uniform(safe);
  return select(valid, eval(table, {row, point.back()}), nan);
}

std::pair<Value, Value> KernelEvaluator::label(Value labels, Index row,
                                             int64_t ignored) {
  Value value = toIndex(eval(labels, {row}));
  Value counts = compareInt(arith::CmpIPredicate::ne, value, constant(ignored));
  return {value, counts};
}

Value KernelEvaluator::evalCrossEntropyGrad(nn::CrossEntropyGradOp op,
                                          Point point) {
  auto [target, counts] =
      label(op.getLabels(), point[0], int64_t(op.getIgnoreIndex()));
  Value logits = eval(op.getLogits(), point);
  Value lse = eval(op.getLse(), {point[0]});
  Value probability = exp(arith<arith::SubFOp>(logits, lse), true);
  Type type = computeType(typeOf(op.getResult()).getElementType());
  Value isTarget =
      point[1].lanes || isVector(target)
          ? compareInt(arith::CmpIPredicate::eq, asLanes(point[1]), target)
          : isEqual(point[1], target);
  Value hot = select(isTarget, constant(type, 1.0), constant(type, 0.0));
  Value gradient = arith<arith::SubFOp>(probability, hot);
  gradient = arith<arith::MulFOp>(eval(op.getDsum(), {}), gradient);
  return select(counts, gradient, constant(type, 0.0));
}

} // namespace zero
