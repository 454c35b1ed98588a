//===- Emitter.cpp - Places, loops and integers ---------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

KernelEmitter::KernelEmitter(KernelOp kernel, LLVM::LLVMFuncOp function)
    : kernel(kernel), function(function), loc(kernel.getLoc()),
      b(kernel.getContext()) {
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

void KernelEmitter::placeHere() {
  b.setInsertionPointToEnd(scopes.back().block);
}

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

KernelEmitter::Values KernelEmitter::forLoop(Value begin, Value end,
                                             int64_t step, ValueRange init,
                                             LoopBody body) {
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

KernelEmitter::Values KernelEmitter::emitTail(Value base, Value count,
                                              ValueRange values,
                                              VectorBody body) {
  SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(kLanes));
  auto type = VectorType::get(kLanes, b.getI32Type());
  placeAfter({});
  Value lanes = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
  placeAfter(count);
  Value narrow = arith::TruncIOp::create(b, loc, b.getI32Type(), count);
  Value outer = mask;
  mask = both(mask, compareInt(arith::CmpIPredicate::ult, lanes, narrow));
  Values results = body({base, 1, nullptr}, values);
  mask = outer;
  return results;
}

KernelEmitter::Values KernelEmitter::vectorLoop(Value begin, Value end,
                                                ValueRange init,
                                                VectorBody body) {
  Value length = sub(end, begin);
  Value tail = rem(length, kLanes);
  Value mainEnd = sub(end, tail);
  IntegerAttr knownTail, knownLength;
  bool tailIsKnown = matchPattern(tail, m_Constant(&knownTail));
  bool isShort = matchPattern(length, m_Constant(&knownLength)) &&
                 knownLength.getInt() < kLanes;
  Values carried(init);
  if (!isShort)
    carried = forLoop(begin, mainEnd, kLanes, carried,
                      [&](Value iv, ValueRange values) {
                        return body({iv, 1, nullptr}, values);
                      });
  if (tailIsKnown)
    return knownTail.getInt() == 0 ? carried
                                   : emitTail(mainEnd, tail, carried, body);
  // A loop of one or no iterations: carried values pass through. Indices depend
  // on its variable, so that no load of a row that is not there moves out of
  // it.
  Value some = compareInt(arith::CmpIPredicate::sgt, tail, constant(0));
  placeAfter(some);
  Value trips = arith::ExtUIOp::create(b, loc, b.getI64Type(), some);
  return forLoop(constant(0), trips, 1, carried,
                 [&](Value iv, ValueRange values) {
                   divisors[iv] = int64_t(1) << 40; // always 0
                   return emitTail(add(mainEnd, iv), tail, values, body);
                 });
}

} // namespace zero
