//===- CpuEvaluator.cpp - Kernels on the vectors of a CPU -----------------===//

#include "CpuEvaluator.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

CpuEvaluator::CpuEvaluator(KernelOp kernel, LLVM::LLVMFuncOp function)
    : KernelEvaluator(kernel, function, kLanes) {
  begin = scopes.front().block->getArgument(2);
  end = scopes.front().block->getArgument(3);
  if (config("thread_scratch_bytes") > 0)
    scratch = operandPointer(kernel.getNumInputs() + kernel.getNumOuts());
}

Value CpuEvaluator::operandPointer(unsigned operand) {
  std::vector<uintptr_t> key{5, operand};
  if (Value known = recall(key))
    return known;
  OpBuilder::InsertionGuard guard(b);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Block *entry = scopes.front().block;
  if (scopes.size() > 1)
    b.setInsertionPoint(scopes[1].owner);
  else
    b.setInsertionPointToEnd(entry);
  Value slot =
      LLVM::GEPOp::create(b, loc, pointer, pointer, entry->getArgument(0),
                          ArrayRef<LLVM::GEPArg>{int32_t(operand)});
  return remember(key, LLVM::LoadOp::create(b, loc, pointer, slot).getResult());
}

Value CpuEvaluator::scalarOperand(unsigned number) {
  Value scalars = scopes.front().block->getArgument(1);
  return load(scalars, b.getI64Type(), uniform(constant(number)), true);
}

CpuEvaluator::Values CpuEvaluator::vectorLoop(Value begin, Value end,
                                                ValueRange init,
                                                VectorBody body) {
  Value length = sub(end, begin);
  Value tail = rem(length, laneCount);
  Value mainEnd = sub(end, tail);
  IntegerAttr knownTail, knownLength;
  bool tailIsKnown = matchPattern(tail, m_Constant(&knownTail));
  bool isShort = matchPattern(length, m_Constant(&knownLength)) &&
                 knownLength.getInt() < laneCount;
  Values carried(init);
  if (!isShort)
    carried = forLoop(begin, mainEnd, laneCount, carried,
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

void CpuEvaluator::rowLoop(function_ref<void(Index row)> body) {
  forLoop(begin, end, 1, {}, [&](Value iv, ValueRange) -> Values {
    body(uniform(iv));
    return {};
  });
}

/// Emits a kernel that holds one `Op` and views of its operands and results.
template <typename Op>
void CpuEvaluator::emitOnly(void (*emit)(KernelEvaluator &, Op)) {
  SmallVector<Op> ops(kernel.getBlock().getOps<Op>());
  if (ops.size() != 1) {
    fail(kernel, "holds more than one attention", b.getF32Type());
    return;
  }
  emit(*this, ops.front());
}

LogicalResult CpuEvaluator::emitOwn(StringRef strategy) {
  if (strategy == "attention")
    emitOnly<nn::AttentionOp>(emitAttention);
  else if (strategy == "attention_grad")
    emitOnly<nn::AttentionGradOp>(emitAttentionGrad);
  else
    return failure();
  return success();
}

} // namespace zero
