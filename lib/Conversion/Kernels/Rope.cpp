//===- Rope.cpp - Rotary position embedding -------------------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace zero {

/// cos or sin of every position and pair, rounded from double: positions x D
/// / 2.
static DenseElementsAttr makeTable(int64_t positions, int64_t pairs,
                                   double base, bool isSine, Type type) {
  bool isDouble = type.isF64();
  std::vector<double> doubles;
  std::vector<float> floats;
  for (int64_t t = 0; t < positions; ++t)
    for (int64_t d = 0; d < pairs; ++d) {
      double angle = double(t) * std::pow(base, -double(d) / double(pairs));
      double value = isSine ? std::sin(angle) : std::cos(angle);
      if (isDouble)
        doubles.push_back(value);
      else
        floats.push_back(float(value));
    }
  auto shaped = RankedTensorType::get({positions, pairs}, type);
  return isDouble ? DenseElementsAttr::get(shaped, ArrayRef(doubles))
                  : DenseElementsAttr::get(shaped, ArrayRef(floats));
}

Value KernelEvaluator::evalRope(nn::RopeOp op, Point point) {
  RankedTensorType type = typeOf(op.getResult());
  Type element = computeType(type.getElementType());
  int64_t positions = type.getDimSize(1), channels = type.getDimSize(3),
          pairs = channels / 2;
  auto [half, pair] = divideAndRemainder(point[3], pairs);
  double base = op.getBase().convertToDouble();
  auto table = [&](bool isSine) {
    auto values = makeTable(positions, pairs, base, isSine, element);
    Index at = linearise({point[1], pair}, {positions, pairs});
    return load(tablePointer(values), element, at, true);
  };
  // The partner stands half the channels away: d + D/2, or d - D/2 from there.
  auto halfValue = half.isUniform() ? half.base : asLanes(half);
  Value isSecond = compareInt(arith::CmpIPredicate::ne, halfValue, constant(0));
  Point partner = point;
  partner[3] =
      half.isUniform()
          ? plus(pair, uniform(sub(constant(pairs), mul(half.base, pairs))))
          : plus(pair, plus(times(half, -pairs), pairs));
  Value x = eval(op.getX(), point), other = eval(op.getX(), partner);
  Value sine = table(true), cosine = table(false);
  // (x cos - other sin) in the first half, (x cos + other sin) in the second;
  // the inverse turns the other way.
  placeAfter(sine);
  Value negative = arith::NegFOp::create(b, loc, sine);
  Value signedSine = op.getInverse() ? select(isSecond, negative, sine)
                                     : select(isSecond, sine, negative);
  return arith<arith::AddFOp>(arith<arith::MulFOp>(x, cosine),
                              arith<arith::MulFOp>(other, signedSine));
}

} // namespace zero
