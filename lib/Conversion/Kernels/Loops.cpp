//===- Loops.cpp - Places and loops ---------------------------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

KernelEvaluator::KernelEvaluator(KernelOp kernel, LLVM::LLVMFuncOp function,
                                 int64_t laneCount)
    : laneCount(laneCount), kernel(kernel), function(function),
      loc(kernel.getLoc()), b(kernel.getContext()) {
  scopes.push_back({function.addEntryBlock(b), nullptr, {}});
  for (auto [index, out] : llvm::enumerate(kernel.getOuts()))
    if (!out.use_empty())
      usedOuts.insert(kernel.getNumInputs() + index);
}

int64_t KernelEvaluator::config(StringRef name) {
  auto dictionary = kernel.getConfigAttr();
  auto value = dictionary ? dictionary.getAs<IntegerAttr>(name) : IntegerAttr();
  return value ? value.getInt() : 0;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

unsigned KernelEvaluator::levelOf(Value value) {
  Block *block = value.getParentBlock();
  for (unsigned level = scopes.size(); level-- > 0;)
    if (scopes[level].block == block)
      return level;
  return scopes.size() - 1;
}

void KernelEvaluator::placeAfter(ValueRange values) {
  unsigned level = 0;
  for (Value value : values)
    if (value)
      level = std::max(level, levelOf(value));
  if (level + 1 == scopes.size())
    return placeHere();
  b.setInsertionPoint(scopes[level + 1].owner);
}

void KernelEvaluator::placeHere() {
  b.setInsertionPointToEnd(scopes.back().block);
}

Value KernelEvaluator::recall(const std::vector<uintptr_t> &key) {
  for (Scope &scope : llvm::reverse(scopes)) {
    auto it = scope.memo.find(key);
    if (it != scope.memo.end())
      return it->second;
  }
  return {};
}

Value KernelEvaluator::remember(const std::vector<uintptr_t> &key, Value value) {
  scopes[levelOf(value)].memo[key] = value;
  return value;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

KernelEvaluator::Values KernelEvaluator::forLoop(Value begin, Value end,
                                             int64_t step, ValueRange init,
                                             LoopBody body) {
  return stridedLoop(begin, end, constant(step), std::gcd(divisorOf(begin), step),
                     init, body);
}

KernelEvaluator::Values
KernelEvaluator::stridedLoop(Value begin, Value end, Value stride,
                             int64_t divisor, ValueRange init, LoopBody body) {
  placeHere();
  auto loop = scf::ForOp::create(b, loc, begin, end, stride, init);
  Block *block = loop.getBody();
  // Without carried values the builder has written a terminator already.
  if (init.empty())
    block->getTerminator()->erase();
  scopes.push_back({block, loop, {}});
  divisors[loop.getInductionVar()] = divisor;
  Values results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  placeHere();
  scf::YieldOp::create(b, loc, results);
  scopes.pop_back();
  placeHere();
  return Values(loop.getResults());
}

void KernelEvaluator::ifThen(Value condition, function_ref<void()> body) {
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

KernelEvaluator::Values KernelEvaluator::emitTail(Value base, Value count,
                                              ValueRange values,
                                              VectorBody body) {
  SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(laneCount));
  auto type = VectorType::get(laneCount, b.getI32Type());
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

} // namespace zero
