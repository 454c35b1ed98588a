//===- Recompute.cpp - Which activations are computed again ---------------===//

#include "zero/Analysis/ForwardPass.h"
#include "zero/Transforms/Passes.h"

#include "dialects/Zero/ZeroOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_RECOMPUTEPASS
#include "zero/Transforms/Passes.h.inc"

/// Operations that a kernel computes at next to no cost from its operands.
static bool isCheap(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect, linalg::LinalgDialect,
             tensor::TensorDialect>(op->getDialect()) &&
         (OpTrait::hasElementwiseMappableTraits(op) ||
          isa<linalg::BroadcastOp, linalg::FillOp, linalg::TransposeOp, tensor::EmptyOp,
              tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
              arith::ConstantOp>(op));
}

namespace {
class StepRecomputer {
public:
  explicit StepRecomputer(StepOp step)
      : block(step.getBody().front()), forward(findForwardPass(step)) {}

  unsigned run();

private:
  bool isUsedBackward(Value value);
  bool isUsedBySomethingElse(Operation *op);
  void decide();
  void cloneFor(Operation *user);

  Block &block;
  DenseSet<Operation *> forward;  ///< what the loss needs
  DenseSet<Operation *> again;    ///< forward operations that backward computes itself
  DenseMap<Value, Value> clones;
};
} // namespace

bool StepRecomputer::isUsedBackward(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !forward.contains(user) && !isa<YieldOp>(user);
  });
}

/// Something that reads a buffer in the forward pass (a product, a norm) makes `op`
/// stand in memory anyhow; a plain reduction runs in the kernel of what it reduces.
bool StepRecomputer::isUsedBySomethingElse(Operation *op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return forward.contains(user) && !isCheap(user) && !isa<linalg::ReduceOp>(user);
  });
}

/// In block order: a cheap operation is computed again where everything it reads is
/// there in the backward pass anyhow.
void StepRecomputer::decide() {
  DenseSet<Value> there; // in the backward pass
  for (BlockArgument argument : block.getArguments())
    there.insert(argument);
  for (Operation &op : block) {
    if (!forward.contains(&op))
      continue;
    bool cheap = isCheap(&op);
    bool fromThere = cheap && llvm::all_of(op.getOperands(), [&](Value v) {
      return there.contains(v) || again.contains(v.getDefiningOp());
    });
    if (fromThere && !isUsedBySomethingElse(&op)) {
      again.insert(&op);
      continue;
    }
    for (Value result : op.getResults())
      if (isa<ReadOp>(op) || isUsedBackward(result))
        there.insert(result);
  }
}

/// Gives `user`, a backward operation, clones of what it reads; chains are cloned
/// operands first.
void StepRecomputer::cloneFor(Operation *user) {
  OpBuilder builder(user);
  for (OpOperand &use : user->getOpOperands()) {
    SmallVector<std::pair<Operation *, bool>> stack{{use.get().getDefiningOp(), false}};
    while (!stack.empty()) {
      auto [op, ready] = stack.pop_back_val();
      if (!op || !again.contains(op) || clones.contains(op->getResult(0)))
        continue;
      if (!ready) {
        stack.push_back({op, true});
        for (Value operand : op->getOperands())
          stack.push_back({operand.getDefiningOp(), false});
        continue;
      }
      Operation *clone = builder.clone(*op);
      for (OpOperand &operand : clone->getOpOperands())
        if (Value fresh = clones.lookup(operand.get()))
          operand.set(fresh);
      for (auto [old, fresh] : llvm::zip_equal(op->getResults(), clone->getResults()))
        clones[old] = fresh;
    }
    if (Value fresh = clones.lookup(use.get()))
      use.set(fresh);
  }
}

unsigned StepRecomputer::run() {
  decide();
  for (Operation &op : llvm::make_early_inc_range(block))
    if (!forward.contains(&op) && !isa<YieldOp>(op))
      cloneFor(&op);
  unsigned count = 0;
  for (auto [value, clone] : clones)
    count += OpTrait::hasElementwiseMappableTraits(clone.getDefiningOp());
  return count;
}

namespace {
struct RecomputePass : impl::RecomputePassBase<RecomputePass> {
  void runOnOperation() override {
    for (auto step : getOperation().getOps<StepOp>())
      numRecomputed += StepRecomputer(step).run();
  }
};
} // namespace
} // namespace zero
