//===- Reductions.cpp - How values are combined ---------------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

Value KernelEvaluator::combine(Combine how, Value x, Value y) {
  bool onFloats = isFloat(x);
  switch (how) {
  case Combine::Add:
    return onFloats ? arith<arith::AddFOp>(x, y) : arith<arith::AddIOp>(x, y);
  case Combine::Mul:
    return onFloats ? arith<arith::MulFOp>(x, y) : arith<arith::MulIOp>(x, y);
  case Combine::Maximum:
    return onFloats ? arith<arith::MaximumFOp>(x, y)
                    : arith<arith::MaxSIOp>(x, y);
  case Combine::Minimum:
    return onFloats ? arith<arith::MinimumFOp>(x, y)
                    : arith<arith::MinSIOp>(x, y);
  case Combine::Max:
  case Combine::Min:
    break;
  }
  bool isMax = how == Combine::Max;
  if (!onFloats)
    return isMax ? arith<arith::MaxSIOp>(x, y) : arith<arith::MinSIOp>(x, y);
  // One vmaxps.
  Value keep = compareFloat(
      isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, x, y);
  return select(keep, x, y);
}

Value KernelEvaluator::identity(Combine how, Type type) {
  Type element = getElementTypeOrSelf(type);
  bool onFloats = isa<FloatType>(element);
  double infinity = std::numeric_limits<double>::infinity();
  if (how == Combine::Add)
    return constant(type, 0.0);
  if (how == Combine::Mul)
    return constant(type, 1.0);
  bool isMax = how == Combine::Max || how == Combine::Maximum;
  if (onFloats)
    return constant(type, isMax ? -infinity : infinity);
  unsigned width = element.getIntOrFloatBitWidth();
  APInt extreme =
      isMax ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width);
  return integerConstant(type, extreme);
}

Value KernelEvaluator::combineLanes(Combine how, Value lanes) {
  for (int64_t half = laneCount / 2; half > 0; half /= 2) {
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < laneCount; ++lane)
      order.push_back(lane ^ half);
    placeAfter(lanes);
    Value other = vector::ShuffleOp::create(b, loc, lanes, lanes, order);
    lanes = combine(how, lanes, other);
  }
  placeAfter(lanes);
  Value first = vector::ExtractOp::create(b, loc, lanes, ArrayRef<int64_t>{0});
  return combineWorkers(how, first);
}

std::optional<Combine> KernelEvaluator::combinerOf(linalg::ReduceOp op) {
  Block &body = op.getCombiner().front();
  if (op.getNumDpsInputs() != 1 || body.getOperations().size() != 2)
    return std::nullopt;
  Operation &only = body.front();
  bool usesBoth =
      only.getNumOperands() == 2 && only.getOperand(0) != only.getOperand(1) &&
      llvm::all_of(only.getOperands(),
                   [&](Value v) { return v.getParentBlock() == &body; });
  if (!usesBoth || body.getTerminator()->getOperand(0) != only.getResult(0))
    return std::nullopt;
  if (isa<arith::AddFOp, arith::AddIOp>(only))
    return Combine::Add;
  if (isa<arith::MulFOp, arith::MulIOp>(only))
    return Combine::Mul;
  if (isa<arith::MaximumFOp>(only))
    return Combine::Maximum;
  if (isa<arith::MinimumFOp>(only))
    return Combine::Minimum;
  if (isa<arith::MaxNumFOp, arith::MaxSIOp>(only))
    return Combine::Max;
  if (isa<arith::MinNumFOp, arith::MinSIOp>(only))
    return Combine::Min;
  return std::nullopt;
}

Value KernelEvaluator::evalReduce(linalg::ReduceOp op, Point point) {
  Type element = typeOf(op.getResult(0)).getElementType();
  std::optional<Combine> how = combinerOf(op);
  if (!how)
    return fail(op, "with this combiner has no generator", element);
  Value input = op.getInputs().front();
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  SmallVector<int64_t> sizes;
  int64_t count = 1;
  for (int64_t dim : op.getDimensions()) {
    sizes.push_back(shape[dim]);
    count *= shape[dim];
  }
  Value init = eval(op.getInits().front(), point);
  bool onLanes =
      llvm::any_of(point, [](Index index) { return !index.isUniform(); });
  if (onLanes)
    init = splat(init);
  auto body = [&](Value iv, ValueRange carried) -> Values {
    Point reduced = delinearise(uniform(iv), sizes), source;
    unsigned next = 0;
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim) {
      auto it = llvm::find(op.getDimensions(), dim);
      source.push_back(it == op.getDimensions().end()
                           ? point[next++]
                           : reduced[it - op.getDimensions().begin()]);
    }
    Value value = eval(input, source);
    return {combine(*how, carried[0], onLanes ? splat(value) : value)};
  };
  return forLoop(constant(0), constant(count), 1, init, body)[0];
}

} // namespace zero
