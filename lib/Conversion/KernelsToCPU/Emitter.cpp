//===- Emitter.cpp - Places, loops and integers ---------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

KernelEmitter::KernelEmitter(KernelOp kernel, LLVM::LLVMFuncOp function)
    : kernel(kernel), function(function), loc(kernel.getLoc()), b(kernel.getContext()) {
  Block *entry = function.addEntryBlock(b);
  scopes.push_back({entry, nullptr, {}});
  begin = entry->getArgument(2);
  end = entry->getArgument(3);
  for (auto [index, out] : llvm::enumerate(kernel.getOuts()))
    if (!out.use_empty())
      usedOuts.insert(kernel.getNumInputs() + index);
  if (config("thread_scratch_bytes") > 0)
    scratch = operandPointer(kernel.getNumInputs() + kernel.getNumOuts());
}

int64_t KernelEmitter::config(StringRef name) {
  auto dictionary = kernel.getConfigAttr();
  auto value = dictionary ? dictionary.getAs<IntegerAttr>(name) : IntegerAttr();
  return value ? value.getInt() : 0;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

unsigned KernelEmitter::levelOf(Value value) {
  Block *block = value.getParentBlock();
  for (unsigned level = scopes.size(); level-- > 0;)
    if (scopes[level].block == block)
      return level;
  return scopes.size() - 1;
}

void KernelEmitter::placeAfter(ValueRange values) {
  unsigned level = 0;
  for (Value value : values)
    if (value)
      level = std::max(level, levelOf(value));
  if (level + 1 == scopes.size())
    return placeHere();
  b.setInsertionPoint(scopes[level + 1].owner);
}

void KernelEmitter::placeHere() { b.setInsertionPointToEnd(scopes.back().block); }

Value KernelEmitter::recall(const std::vector<uintptr_t> &key) {
  for (Scope &scope : llvm::reverse(scopes)) {
    auto it = scope.memo.find(key);
    if (it != scope.memo.end())
      return it->second;
  }
  return {};
}

Value KernelEmitter::remember(const std::vector<uintptr_t> &key, Value value) {
  scopes[levelOf(value)].memo[key] = value;
  return value;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

KernelEmitter::Values KernelEmitter::forLoop(Value begin, Value end, int64_t step,
                                             ValueRange init, LoopBody body) {
  Value stride = constant(step);
  placeHere();
  auto loop = scf::ForOp::create(b, loc, begin, end, stride, init);
  Block *block = loop.getBody();
  // Without carried values the builder has written a terminator already.
  if (init.empty())
    block->getTerminator()->erase();
  scopes.push_back({block, loop, {}});
  divisors[loop.getInductionVar()] = std::gcd(divisorOf(begin), step);
  Values results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  placeHere();
  scf::YieldOp::create(b, loc, results);
  scopes.pop_back();
  placeHere();
  return Values(loop.getResults());
}

void KernelEmitter::ifThen(Value condition, function_ref<void()> body) {
  placeHere();
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  branch.thenBlock()->getTerminator()->erase();
  scopes.push_back({branch.thenBlock(), branch, {}});
  body();
  placeHere();
  scf::YieldOp::create(b, loc);
  scopes.pop_back();
  placeHere();
}

KernelEmitter::Values KernelEmitter::vectorLoop(Value begin, Value end, ValueRange init,
                                                VectorBody body) {
  Value length = sub(end, begin);
  Value tail = rem(length, kLanes);
  Value mainEnd = sub(end, tail);
  IntegerAttr knownTail, knownLength;
  bool tailIsKnown = matchPattern(tail, m_Constant(&knownTail));
  Values carried(init);
  bool noMain = matchPattern(length, m_Constant(&knownLength)) && knownLength.getInt() < kLanes;
  if (!noMain)
    carried = forLoop(begin, mainEnd, kLanes, carried, [&](Value iv, ValueRange values) {
      return body({iv, 1, nullptr}, values);
    });
  if (tailIsKnown && knownTail.getInt() == 0)
    return carried;
  SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(kLanes));
  auto type = VectorType::get(kLanes, b.getI32Type());
  auto emitTail = [&](Value base, ValueRange values) {
    placeAfter({});
    Value lanes = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
    placeAfter(tail);
    Value count = arith::TruncIOp::create(b, loc, b.getI32Type(), tail);
    Value outer = mask;
    mask = both(mask, compareInt(arith::CmpIPredicate::ult, lanes, count));
    Values results = body({base, 1, nullptr}, values);
    mask = outer;
    return results;
  };
  if (tailIsKnown)
    return emitTail(mainEnd, carried);
  // A loop of one or no iterations: carried values pass through. Indices depend on
  // its variable, so that no load of a row that is not there moves out of it.
  Value some = compareInt(arith::CmpIPredicate::sgt, tail, constant(0));
  placeAfter(some);
  Value trips = arith::ExtUIOp::create(b, loc, b.getI64Type(), some);
  return forLoop(constant(0), trips, 1, carried,
                 [&](Value iv, ValueRange values) {
                   divisors[iv] = int64_t(1) << 40; // always 0
                   return emitTail(add(mainEnd, iv), values);
                 });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static std::optional<int64_t> knownInteger(Value value) {
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return integer.getSExtValue();
  return std::nullopt;
}

Value KernelEmitter::constant(int64_t value) {
  std::vector<uintptr_t> key{0, uintptr_t(value)};
  if (Value known = recall(key))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scopes.front().block);
  Value result = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  return remember(key, result);
}

Value KernelEmitter::constant(Type type, double value) {
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

Value KernelEmitter::add(Value a, Value c) {
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
      return y ? add(sum.getLhs(), constant(*rest + *y)) : add(add(sum.getLhs(), c), sum.getRhs());
  if (auto sum = c.getDefiningOp<arith::AddIOp>(); sum && !y && knownInteger(sum.getRhs()))
    return add(add(a, sum.getLhs()), sum.getRhs());
  return x ? binary<arith::AddIOp>(c, a) : binary<arith::AddIOp>(a, c);
}

Value KernelEmitter::sub(Value a, Value c) {
  auto x = knownInteger(a), y = knownInteger(c);
  if (x && y)
    return constant(*x - *y);
  if (y && *y == 0)
    return a;
  return binary<arith::SubIOp>(a, c);
}

Value KernelEmitter::mul(Value a, int64_t c) {
  if (auto x = knownInteger(a))
    return constant(*x * c);
  if (c == 1)
    return a;
  if (c == 0)
    return constant(0);
  return binary<arith::MulIOp>(a, constant(c));
}

// Indices are never negative, so unsigned division is exact and cheaper.
Value KernelEmitter::div(Value a, int64_t c) {
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

Value KernelEmitter::rem(Value a, int64_t c) {
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

Value KernelEmitter::minimum(Value a, Value c) {
  auto x = knownInteger(a), y = knownInteger(c);
  if (x && y)
    return constant(std::min(*x, *y));
  return binary<arith::MinSIOp>(a, c);
}

int64_t KernelEmitter::divisorOf(Value value) {
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
    if (auto by = knownInteger(op.getRhs()); by && *by > 0 && divisorOf(op.getLhs()) % *by == 0)
      return divisorOf(op.getLhs()) / *by;
  return 1;
}

} // namespace zero
