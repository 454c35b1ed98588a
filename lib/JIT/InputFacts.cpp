//===- InputFacts.cpp - What a model says about its step's inputs ---------===//

#include "InputFacts.h"

#include "dialects/NN/NNOps.h"
#include "dialects/Zero/ZeroOps.h"
#include "zrt.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {

static int64_t dimension(Value value, unsigned index) {
  return cast<RankedTensorType>(value.getType()).getDimSize(index);
}

namespace {
/// What a use allows: values below `bound` (0: any), and one that is ignored.
struct Bound {
  int64_t bound = 0;
  std::optional<int64_t> ignored;
};
} // namespace

static Bound findBound(OpOperand &use) {
  Operation *user = use.getOwner();
  Value value = use.get();
  if (auto op = dyn_cast<nn::EmbeddingOp>(user); op && op.getIds() == value)
    return {dimension(op.getTable(), 0), std::nullopt};
  if (auto op = dyn_cast<nn::CrossEntropyOp>(user); op && op.getLabels() == value)
    return {dimension(op.getLogits(), 1), int64_t(op.getIgnoreIndex())};
  if (auto op = dyn_cast<nn::LinearCrossEntropyOp>(user); op && op.getLabels() == value)
    return {dimension(op.getW(), 0), int64_t(op.getIgnoreIndex())};
  return {};
}

/// The least bound over the uses of an input and of its views, and what all of them
/// ignore.
static Bound findVocabulary(BlockArgument input) {
  Bound all;
  SmallVector<Value> worklist{input};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      if (Bound one = findBound(use); one.bound) {
        bool agree = !all.bound || all.ignored == one.ignored;
        all.ignored = agree ? one.ignored : std::nullopt;
        all.bound = all.bound ? std::min(all.bound, one.bound) : one.bound;
      }
      if (isa<tensor::TensorDialect>(use.getOwner()->getDialect()))
        llvm::append_range(worklist, use.getOwner()->getResults());
    }
  }
  return all;
}

static uint32_t floatDtype(Type type) {
  if (type.isF64())
    return ZRT_DTYPE_F64;
  if (type.isBF16())
    return ZRT_DTYPE_BF16;
  return type.isF16() ? ZRT_DTYPE_F16 : ZRT_DTYPE_F32;
}

llvm::Expected<InputFacts> findInputFacts(ModuleOp module) {
  auto steps = llvm::to_vector(module.getOps<StepOp>());
  if (steps.size() != 1)
    return llvm::createStringError("the model has " + Twine(steps.size()) +
                                   " zero.step operations; want one");
  StepOp step = steps.front();
  InputFacts facts;
  facts.samples = step.getSamples().value_or(1);
  Type loss = step.getYield().getValues().front().getType();
  facts.precision = floatDtype(cast<RankedTensorType>(loss).getElementType());
  for (BlockArgument input : step.getBody().getArguments()) {
    Bound found = findVocabulary(input);
    StringRef role = step.getRole(input.getArgNumber());
    if (found.bound)
      facts.vocabularies[role] = found.bound;
    if (found.ignored)
      facts.ignored[role] = *found.ignored;
  }
  return facts;
}

} // namespace zero
