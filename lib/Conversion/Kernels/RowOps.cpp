//===- RowOps.cpp - Operations that reduce inside rows --------------------===//
//
// Such an operation is a sequence of stages, each a reduction of terms over the
// row that may use what earlier stages found; then its results are known at any
// column. Stages of different operations that don't wait for each other share
// one loop.
//
//===----------------------------------------------------------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace zero {

bool KernelEvaluator::isRowOp(Operation *op) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    if (!combinerOf(reduce))
      return false;
    auto type = typeOf(reduce.getInputs().front());
    auto dims = reduce.getDimensions();
    int64_t rank = type.getRank(), elements = 1;
    for (int64_t dim : dims)
      elements *= type.getDimSize(dim);
    return elements == rowColumns &&
           llvm::equal(dims, llvm::seq<int64_t>(rank - dims.size(), rank));
  }
  return isa<nn::LayerNormOp, nn::LayerNormGradOp, nn::RmsNormOp,
             nn::RmsNormGradOp, nn::SoftmaxOp, nn::SoftmaxGradOp,
             nn::CrossEntropyRowsOp>(op);
}

unsigned KernelEvaluator::stagesOf(Operation *op) {
  return isa<nn::LayerNormOp, nn::RmsNormOp, nn::SoftmaxOp,
             nn::CrossEntropyRowsOp>(op)
             ? 2
             : 1;
}

/// The tensor whose rows are reduced.
Value KernelEvaluator::rowInput(Operation *op) {
  if (auto grad = dyn_cast<nn::LayerNormGradOp>(op))
    return grad.getX();
  if (auto grad = dyn_cast<nn::RmsNormGradOp>(op))
    return grad.getX();
  return op->getOperand(0);
}

Value KernelEvaluator::abs(Value x) {
  placeAfter(x);
  return math::AbsFOp::create(b, loc, x);
}

/// A row whose elements are far from zero and close together would lose its spread in a
/// mean that is rounded; distances from one of them are exact.
Value KernelEvaluator::shifted(Operation *op, Point point) {
  Value x = eval(rowInput(op), point);
  if (!isa<nn::LayerNormOp, nn::LayerNormGradOp>(op))
    return x;
  point.back() = uniform(constant(0));
  return arith<arith::SubFOp>(x, eval(rowInput(op), point));
}

/// 2^-e for a largest magnitude in [2^e, 2^(e+1)): multiplying by it changes no digit. Up
/// to 2^60 only where there is an epsilon, which then decides.
Value KernelEvaluator::scaleOf(Value largest, double epsilon) {
  auto type = cast<FloatType>(largest.getType());
  unsigned width = type.getWidth(), mantissa = type.getFPMantissaWidth() - 1;
  int64_t bias = (int64_t(1) << (width - mantissa - 2)) - 1;
  Type intType = b.getIntegerType(width);
  auto integer = [&](int64_t value) { return constant(intType, double(value)); };
  int64_t most = epsilon > 0 ? 60 : bias - 28;
  placeAfter(largest);
  Value bits = arith::BitcastOp::create(b, loc, intType, largest);
  Value exponent = arith::ShRUIOp::create(b, loc, bits, integer(mantissa));
  Value power = arith::SubIOp::create(b, loc, integer(2 * bias), exponent);
  power = arith::MaxSIOp::create(b, loc, power, integer(1));
  power = arith::MinSIOp::create(b, loc, power, integer(bias + most));
  power = arith::ShLIOp::create(b, loc, power, integer(mantissa));
  return arith::BitcastOp::create(b, loc, type, power);
}

/// (x - mean) * rstd of a gradient of a norm.
Value KernelEvaluator::normalised(Operation *op, Point point) {
  ArrayRef<Index> row = ArrayRef(point).drop_back();
  Value x = shifted(op, point);
  if (auto grad = dyn_cast<nn::LayerNormGradOp>(op)) {
    Value centred = arith<arith::SubFOp>(x, eval(grad.getMean(), row));
    return arith<arith::MulFOp>(centred, eval(grad.getRstd(), row));
  }
  return arith<arith::MulFOp>(x,
                              eval(cast<nn::RmsNormGradOp>(op).getRstd(), row));
}

SmallVector<Term> KernelEvaluator::rowTerms(RowOp &row, unsigned stage,
                                          Point point) {
  Operation *op = row.op;
  Value x;
  if (!isa<nn::LayerNormGradOp, nn::RmsNormGradOp>(op))
    x = evalInOrder(op->getOperand(0), point);
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    return {{*combinerOf(reduce), x}};
  if (isa<nn::LayerNormOp, nn::RmsNormOp>(op)) {
    Value distance = shifted(op, point);
    if (stage == 0 && isa<nn::RmsNormOp>(op))
      return {{Combine::Max, abs(distance)}};
    if (stage == 0)
      return {{Combine::Add, distance}, {Combine::Max, abs(distance)}};
    if (isa<nn::LayerNormOp>(op))
      distance = arith<arith::SubFOp>(distance, row.scalars[0]);
    Value scaled = arith<arith::MulFOp>(distance, row.scale);
    return {{Combine::Add, arith<arith::MulFOp>(scaled, scaled)}};
  }
  if (isa<nn::SoftmaxOp, nn::CrossEntropyRowsOp>(op)) {
    if (stage == 0)
      return {{Combine::Max, x}};
    return {{Combine::Add, exp(arith<arith::SubFOp>(x, row.scalars[0]), true)}};
  }
  if (auto grad = dyn_cast<nn::SoftmaxGradOp>(op))
    return {{Combine::Add, arith<arith::MulFOp>(x, eval(grad.getY(), point))}};
  // Gradients of norms.
  Value dy = eval(op->getOperand(0), point);
  Value h = arith<arith::MulFOp>(dy, eval(op->getOperand(2), {point.back()}));
  Value weighted = arith<arith::MulFOp>(h, normalised(op, point));
  if (isa<nn::LayerNormGradOp>(op))
    return {{Combine::Add, h}, {Combine::Add, weighted}};
  return {{Combine::Add, weighted}};
}

Value KernelEvaluator::mean(Value sum, int64_t count) {
  return arith<arith::DivFOp>(sum, constant(sum.getType(), double(count)));
}

/// Appends loss, weight and lse of a row.
void KernelEvaluator::finishCrossEntropy(RowOp &row, Value sum, Index rowIndex) {
  auto op = cast<nn::CrossEntropyRowsOp>(row.op);
  Value logits = op.getLogits();
  int64_t classes = typeOf(logits).getDimSize(1);
  Value lse = arith<arith::AddFOp>(row.scalars[0], log(sum));
  auto [target, counts] =
      label(op.getLabels(), rowIndex, int64_t(op.getIgnoreIndex()));
  Value known =
      compareInt(arith::CmpIPredicate::ult, target, constant(classes));
  Value safe = select(known, target, constant(0));
  Type type = sum.getType();
  // A label that is no class shows as NaN.
  Value nan = constant(type, std::numeric_limits<double>::quiet_NaN());
  Value chosen =
      classes ? select(known, eval(logits, {rowIndex, uniform(safe)}), nan)
              : nan;
  Value zero = constant(type, 0.0);
  Value loss = select(counts, arith<arith::SubFOp>(lse, chosen), zero);
  row.scalars.append({loss, select(counts, constant(type, 1.0), zero), lse});
}

void KernelEvaluator::finishStage(RowOp &row, unsigned stage, ValueRange totals,
                                Index rowIndex) {
  Operation *op = row.op;
  int64_t count = rowColumns;
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    Point point = delinearise(rowIndex, typeOf(reduce.getResult(0)).getShape());
    Value init = eval(reduce.getInits().front(), point);
    row.scalars.push_back(combine(*combinerOf(reduce), init, totals[0]));
    return;
  }
  if (isa<nn::LayerNormOp, nn::RmsNormOp>(op)) {
    double epsilon =
        op->getAttrOfType<FloatAttr>("epsilon").getValueAsDouble();
    if (stage == 0) {
      if (isa<nn::LayerNormOp>(op))
        row.scalars.push_back(mean(totals[0], count));
      row.scale = scaleOf(totals.back(), epsilon);
      return;
    }
    // Everything is scaled by a power of two, so the digits are those of
    // 1 / sqrt(variance + epsilon).
    Value scaledEpsilon = arith<arith::MulFOp>(
        arith<arith::MulFOp>(constant(row.scale.getType(), epsilon), row.scale),
        row.scale);
    Value root = rsqrt(
        arith<arith::AddFOp>(mean(totals[0], count), scaledEpsilon));
    row.scalars.push_back(arith<arith::MulFOp>(root, row.scale));
    return;
  }
  if (isa<nn::LayerNormGradOp, nn::RmsNormGradOp>(op)) {
    for (Value total : totals)
      row.scalars.push_back(mean(total, count));
    return;
  }
  if (isa<nn::CrossEntropyRowsOp>(op) && stage == 1)
    return finishCrossEntropy(row, totals[0], rowIndex);
  Value zero = constant(totals[0].getType(), 0.0);
  if (isa<nn::SoftmaxOp>(op) && stage == 1) {
    // A row of -inf, of which nothing is left, is a row of zeros.
    Value inverse =
        arith<arith::DivFOp>(constant(totals[0].getType(), 1.0), totals[0]);
    Value isEmpty =
        compareFloat(arith::CmpFPredicate::OEQ, totals[0], zero);
    row.scalars.push_back(select(isEmpty, zero, inverse));
    return;
  }
  // The maximum of a row, which is subtracted: of -inf there is none.
  Value lowest = identity(Combine::Max, totals[0].getType());
  Value isLowest =
      compareFloat(arith::CmpFPredicate::OEQ, totals[0], lowest);
  bool isMaximum = isa<nn::SoftmaxOp, nn::CrossEntropyRowsOp>(op);
  row.scalars.push_back(isMaximum ? select(isLowest, zero, totals[0])
                                  : totals[0]);
}

bool KernelEvaluator::isInCurrentRow(OpResult result, ArrayRef<Index> point) {
  ArrayRef<int64_t> shape = typeOf(result).getShape();
  bool isWhole =
      !isa<linalg::ReduceOp>(result.getOwner()) &&
      typeOf(result).getRank() == typeOf(rowInput(result.getOwner())).getRank();
  if (isWhole)
    shape = shape.drop_back();
  // Indices are made once, so that the same index is the same value.
  Point expected = delinearise(currentRow, shape);
  for (auto [dim, index] : llvm::enumerate(expected))
    if (shape[dim] != 1 &&
        (!point[dim].isUniform() || point[dim].base != index.base))
      return false;
  return true;
}

/// A softmax or its gradient at `point`.
Value KernelEvaluator::evalSoftmax(RowOp &row, Point point) {
  Values &s = row.scalars;
  if (auto grad = dyn_cast<nn::SoftmaxGradOp>(row.op)) {
    Value centred = arith<arith::SubFOp>(eval(grad.getDy(), point), s[0]);
    return arith<arith::MulFOp>(eval(grad.getY(), point), centred);
  }
  Value x = eval(row.op->getOperand(0), point);
  return arith<arith::MulFOp>(exp(arith<arith::SubFOp>(x, s[0]), true), s[1]);
}

/// A normalised row at `point`.
Value KernelEvaluator::evalNorm(RowOp &row, Point point) {
  Values &s = row.scalars;
  bool isLayer = isa<nn::LayerNormOp>(row.op);
  Value x = shifted(row.op, point);
  if (isLayer)
    x = arith<arith::SubFOp>(x, s[0]);
  Value gamma = eval(row.op->getOperand(1), {point.back()});
  Value y = arith<arith::MulFOp>(arith<arith::MulFOp>(x, s.back()), gamma);
  if (!isLayer)
    return y;
  return arith<arith::AddFOp>(y, eval(row.op->getOperand(2), {point.back()}));
}

/// dx of a norm at `point`.
Value KernelEvaluator::evalNormGrad(RowOp &row, Point point) {
  Operation *op = row.op;
  Value h = arith<arith::MulFOp>(eval(op->getOperand(0), point),
                                 eval(op->getOperand(2), {point.back()}));
  Value xhat = normalised(op, point);
  Value rstd = eval(op->getOperands().back(), ArrayRef(point).drop_back());
  if (isa<nn::LayerNormGradOp>(op))
    h = arith<arith::SubFOp>(h, row.scalars[0]);
  Value along = arith<arith::MulFOp>(xhat, row.scalars.back());
  return arith<arith::MulFOp>(rstd, arith<arith::SubFOp>(h, along));
}

Value KernelEvaluator::evalRowResult(OpResult result, Point point) {
  RowOp &row = rowOps[rowOpOf[result.getOwner()]];
  Operation *op = row.op;
  Type element = typeOf(result).getElementType();
  unsigned number = result.getResultNumber();
  if (!row.isDone)
    return fail(op,
                "is needed before its row is reduced, so no generator takes it",
                element);
  if (!isInCurrentRow(result, point))
    return fail(op,
                "is read at another row than its own, so no generator takes it",
                element);
  if (isa<linalg::ReduceOp>(op))
    return row.scalars[0];
  if (isa<nn::CrossEntropyRowsOp>(op))
    return row.scalars[1 + number]; // after the maximum
  if (isa<nn::SoftmaxOp, nn::SoftmaxGradOp>(op))
    return evalSoftmax(row, point);
  if (isa<nn::LayerNormOp, nn::RmsNormOp>(op))
    return number > 0 ? row.scalars[number - 1] : evalNorm(row, point);
  if (number > 0)
    return fail(op, "gives gradients of columns in a kernel of rows", element);
  return evalNormGrad(row, point);
}

} // namespace zero
