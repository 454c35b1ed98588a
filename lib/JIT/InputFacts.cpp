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

/// The number of values that `use` allows, or 0 where it does not say.
static int64_t findBound(OpOperand &use) {
  Operation *user = use.getOwner();
  Value value = use.get();
  if (auto op = dyn_cast<nn::EmbeddingOp>(user))
    return op.getIds() == value ? dimension(op.getTable(), 0) : 0;
  if (auto op = dyn_cast<nn::CrossEntropyOp>(user))
    return op.getLabels() == value ? dimension(op.getLogits(), 1) : 0;
  if (auto op = dyn_cast<nn::LinearCrossEntropyOp>(user))
    return op.getLabels() == value ? dimension(op.getW(), 0) : 0;
  return 0;
}

/// The least bound over the uses of an input and of its views; 0: there is none.
static int64_t findVocabulary(BlockArgument input) {
  int64_t vocabulary = 0;
  SmallVector<Value> worklist{input};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      if (int64_t bound = findBound(use))
        vocabulary = vocabulary ? std::min(vocabulary, bound) : bound;
      if (isa<tensor::TensorDialect>(use.getOwner()->getDialect()))
        llvm::append_range(worklist, use.getOwner()->getResults());
    }
  }
  return vocabulary;
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
  for (BlockArgument input : step.getBody().getArguments())
    if (int64_t vocabulary = findVocabulary(input))
      facts.vocabularies[step.getRole(input.getArgNumber())] = vocabulary;
  return facts;
}

} // namespace zero
