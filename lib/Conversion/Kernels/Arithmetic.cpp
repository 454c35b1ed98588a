//===- Arithmetic.cpp - Arithmetic on scalars and lanes -------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

Type KernelEvaluator::lanesOf(Type element) {
  return VectorType::get(laneCount, element);
}

Value KernelEvaluator::splat(Value value) {
  if (isVector(value))
    return value;
  std::vector<uintptr_t> key{3, uintptr_t(value.getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  placeAfter(value);
  auto type = VectorType::get(laneCount, value.getType());
  return remember(key, b.createOrFold<vector::BroadcastOp>(loc, type, value));
}

Value KernelEvaluator::fma(Value x, Value y, Value z) {
  if (isVector(x) || isVector(y) || isVector(z)) {
    x = splat(x);
    y = splat(y);
    z = splat(z);
  }
  placeAfter({x, y, z});
  return math::FmaOp::create(b, loc, x, y, z);
}

Value KernelEvaluator::select(Value condition, Value x, Value y) {
  if (isVector(condition) || isVector(x) || isVector(y)) {
    x = splat(x);
    y = splat(y);
  }
  placeAfter({condition, x, y});
  return b.createOrFold<arith::SelectOp>(loc, condition, x, y);
}

Value KernelEvaluator::compareFloat(arith::CmpFPredicate predicate, Value x,
                                  Value y) {
  if (isVector(x) != isVector(y)) {
    x = splat(x);
    y = splat(y);
  }
  placeAfter({x, y});
  return arith::CmpFOp::create(b, loc, predicate, x, y);
}

Value KernelEvaluator::compareInt(arith::CmpIPredicate predicate, Value x,
                                Value y) {
  if (isVector(x) != isVector(y)) {
    x = splat(x);
    y = splat(y);
  }
  std::vector<uintptr_t> key{4, uintptr_t(predicate),
                             uintptr_t(x.getAsOpaquePointer()),
                             uintptr_t(y.getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  placeAfter({x, y});
  return remember(key, b.createOrFold<arith::CmpIOp>(loc, predicate, x, y));
}

/// e^x for f32: 2^n e^r with r in [-ln2/2, ln2/2] and a polynomial of degree 6
/// in r; within 2 units in the last place. For what is known to be negative, 2^n
/// is added to the exponent's bits, and what is below the smallest normal number
/// is 0. Else 2^n is multiplied by in two halves, so that the result is rounded
/// once where it is denormal, and infinite where it is too large. NaN stays NaN.
Value KernelEvaluator::exp(Value x, bool isNegative) {
  Type type = x.getType();
  if (!getElementTypeOrSelf(type).isF32()) {
    placeAfter(x);
    return math::ExpOp::create(b, loc, x);
  }
  std::vector<uintptr_t> key{9, isNegative, uintptr_t(x.getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  auto c = [&](double value) { return constant(type, value); };
  Type intType = isVector(x) ? lanesOf(b.getI32Type()) : b.getI32Type();
  const double lowest = isNegative ? -87.3 : -104.0, highest = 89.0;
  // n stays in the range of integers: as "below ? end : x", a NaN goes through.
  Value bounded = x;
  if (!isNegative)
    bounded = select(compareFloat(arith::CmpFPredicate::OGT, x, c(highest)),
                     c(highest), x);
  bounded = select(compareFloat(arith::CmpFPredicate::OLT, bounded, c(lowest)),
                   c(lowest), bounded);
  placeAfter(bounded);
  Value n = math::RoundEvenOp::create(
      b, loc, arith::MulFOp::create(b, loc, bounded, c(1.44269504088896341)));
  Value r = fma(n, c(-0.693145751953125), bounded);
  r = fma(n, c(-1.42860682030941723212e-6), r);
  // The least maximal relative error, 3e-9, with the first two coefficients 1.
  Value p = c(0.0013814610249330468);
  for (double coefficient : {0.00836871113744095, 0.041668387493642725,
                             0.1666652067899359, 0.49999993450958446, 1.0, 1.0})
    p = fma(p, r, c(coefficient));
  placeAfter({p, n});
  Value integer = arith::FPToSIOp::create(b, loc, intType, n);
  auto exponentBits = [&](Value power) -> Value {
    return arith::ShLIOp::create(b, loc, power, constant(intType, 23));
  };
  if (isNegative) {
    Value bits = arith::BitcastOp::create(b, loc, intType, p);
    bits = arith::AddIOp::create(b, loc, bits, exponentBits(integer));
    Value result = arith::BitcastOp::create(b, loc, type, bits);
    Value isLow = compareFloat(arith::CmpFPredicate::OLT, x, c(lowest));
    return remember(key, select(isLow, c(0.0), result));
  }
  Value one = arith::BitcastOp::create(b, loc, intType, c(1.0));
  auto powerOfTwo = [&](Value power) -> Value {
    Value bits = arith::AddIOp::create(b, loc, exponentBits(power), one);
    return arith::BitcastOp::create(b, loc, type, bits);
  };
  Value half = arith::ShRSIOp::create(b, loc, integer, constant(intType, 1));
  Value rest = arith::SubIOp::create(b, loc, integer, half);
  Value result = arith::MulFOp::create(b, loc, p, powerOfTwo(half));
  return remember(key, arith::MulFOp::create(b, loc, result, powerOfTwo(rest)));
}

Value KernelEvaluator::log(Value x) {
  placeAfter(x);
  return math::LogOp::create(b, loc, x);
}

Value KernelEvaluator::rsqrt(Value x) {
  placeAfter(x);
  Value root = math::SqrtOp::create(b, loc, x);
  return arith::DivFOp::create(b, loc, constant(x.getType(), 1.0), root);
}

Value KernelEvaluator::both(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return arith<arith::AndIOp>(x, y);
}

Value KernelEvaluator::underMask(Value a, Value other) {
  return mask ? select(mask, splat(a), splat(other)) : a;
}

} // namespace zero
