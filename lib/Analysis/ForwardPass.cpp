//===- ForwardPass.cpp - What the loss of a step needs --------------------===//

#include "zero/Analysis/ForwardPass.h"

using namespace mlir;

namespace zero {

DenseSet<Operation *> findForwardPass(StepOp step) {
  DenseSet<Operation *> forward;
  SmallVector<Value> worklist(step.getYield().getValues());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (op && forward.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  return forward;
}

} // namespace zero
