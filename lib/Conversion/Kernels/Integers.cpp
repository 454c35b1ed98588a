//===- Integers.cpp - Constants and arithmetic of indices -----------------===//

#include "KernelEvaluator.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

static std::optional<int64_t> knownInteger(Value value) {
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return integer.getSExtValue();
  return std::nullopt;
}

Value KernelEvaluator::constant(int64_t value) {
  std::vector<uintptr_t> key{0, uintptr_t(value)};
  if (Value known = recall(key))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scopes.front().block);
  Value result = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  return remember(key, result);
}

Value KernelEvaluator::constant(Type type, double value) {
  std::vector<uintptr_t> key{1, uintptr_t(type.getAsOpaquePointer()),
                             uintptr_t(llvm::bit_cast<uint64_t>(value))};
  if (Value known = recall(key))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scopes.front().block);
  Type element = getElementTypeOrSelf(type);
  TypedAttr attr = isa<FloatType>(element)
                       ? TypedAttr(b.getFloatAttr(element, value))
                       : TypedAttr(b.getIntegerAttr(element, int64_t(value)));
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return remember(key, arith::ConstantOp::create(b, loc, attr).getResult());
}

Value KernelEvaluator::integerConstant(Type type, const APInt &value) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scopes.front().block);
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

Value KernelEvaluator::add(Value a, Value c) {
  auto x = knownInteger(a), y = knownInteger(c);
  if (x && y)
    return constant(*x + *y);
  if (x && *x == 0)
    return c;
  if (y && *y == 0)
    return a;
  // Constants go outward, where division and addressing find them.
  if (auto sum = a.getDefiningOp<arith::AddIOp>())
    if (auto rest = knownInteger(sum.getRhs()))
      return y ? add(sum.getLhs(), constant(*rest + *y))
               : add(add(sum.getLhs(), c), sum.getRhs());
  if (auto sum = c.getDefiningOp<arith::AddIOp>();
      sum && !y && knownInteger(sum.getRhs()))
    return add(add(a, sum.getLhs()), sum.getRhs());
  return x ? binary<arith::AddIOp>(c, a) : binary<arith::AddIOp>(a, c);
}

Value KernelEvaluator::sub(Value a, Value c) {
  auto x = knownInteger(a), y = knownInteger(c);
  if (x && y)
    return constant(*x - *y);
  if (y && *y == 0)
    return a;
  return binary<arith::SubIOp>(a, c);
}

Value KernelEvaluator::mul(Value a, int64_t c) {
  if (auto x = knownInteger(a))
    return constant(*x * c);
  if (c == 1)
    return a;
  if (c == 0)
    return constant(0);
  return binary<arith::MulIOp>(a, constant(c));
}

// Indices are never negative, so unsigned division is exact and cheaper.
Value KernelEvaluator::div(Value a, int64_t c) {
  if (auto x = knownInteger(a))
    return constant(*x / c);
  if (c == 1)
    return a;
  auto sum = a.getDefiningOp<arith::AddIOp>();
  auto rest = sum ? knownInteger(sum.getRhs()) : std::nullopt;
  if (rest && *rest >= 0 && divisorOf(sum.getLhs()) % c == 0)
    return add(div(sum.getLhs(), c), constant(*rest / c));
  return binary<arith::DivUIOp>(a, constant(c));
}

Value KernelEvaluator::rem(Value a, int64_t c) {
  if (auto x = knownInteger(a))
    return constant(*x % c);
  if (divisorOf(a) % c == 0)
    return constant(0);
  auto sum = a.getDefiningOp<arith::AddIOp>();
  auto rest = sum ? knownInteger(sum.getRhs()) : std::nullopt;
  if (rest && *rest >= 0 && divisorOf(sum.getLhs()) % c == 0)
    return constant(*rest % c);
  return binary<arith::RemUIOp>(a, constant(c));
}

Value KernelEvaluator::minimum(Value a, Value c) {
  auto x = knownInteger(a), y = knownInteger(c);
  if (x && y)
    return constant(std::min(*x, *y));
  return binary<arith::MinSIOp>(a, c);
}

int64_t KernelEvaluator::divisorOf(Value value) {
  if (auto known = knownInteger(value))
    return *known == 0 ? int64_t(1) << 40 : std::abs(*known);
  auto it = divisors.find(value);
  if (it != divisors.end())
    return it->second;
  if (auto op = value.getDefiningOp<arith::AddIOp>())
    return std::gcd(divisorOf(op.getLhs()), divisorOf(op.getRhs()));
  if (auto op = value.getDefiningOp<arith::MulIOp>())
    if (auto factor = knownInteger(op.getRhs()))
      return std::max<int64_t>(1, std::abs(*factor));
  if (auto op = value.getDefiningOp<arith::DivUIOp>())
    if (auto by = knownInteger(op.getRhs());
        by && *by > 0 && divisorOf(op.getLhs()) % *by == 0)
      return divisorOf(op.getLhs()) / *by;
  return 1;
}

} // namespace zero
