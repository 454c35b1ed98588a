//===- FormKernels.cpp - Fuse tensor operations into kernels --------------===//

#include "FormKernels/FormKernels.h"

#include "zero/Conversion/KernelSupport.h"
#include "zero/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "zero/Transforms/Passes.h.inc"

namespace {
struct FormKernelsPass : impl::FormKernelsPassBase<FormKernelsPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    impl::FormKernelsPassBase<FormKernelsPass>::getDependentDialects(registry);
    registerKernelDialects(registry);
  }

  void runOnOperation() override {
    KernelPool pool(getOperation());
    FusionTrial trial;
    for (auto step : getOperation().getOps<StepOp>())
      if (failed(formKernels(step, pool, trial)))
        return signalPassFailure();
    numKernels += pool.size();
  }

  /// Plans again, with the operations that spoil a kernel kept apart, until a generator
  /// takes every group.
  FailureOr<SmallVector<FusionGroup>> planSupported(StepOp step, FusionTrial &trial) {
    DenseSet<Operation *> separate;
    while (true) {
      FailureOr<SmallVector<FusionGroup>> groups = planFusion(step, separate);
      if (failed(groups))
        return failure();
      bool grew = false;
      for (const FusionGroup &group : *groups)
        if (Operation *refused = trial.firstRefused(group))
          grew |= separate.insert(refused).second;
      if (!grew)
        return groups;
    }
  }

  LogicalResult formKernels(StepOp step, KernelPool &pool, FusionTrial &trial) {
    expandLosses(step);
    if (failed(formProducts(step)) || failed(formUpdates(step, pool)))
      return failure();
    eraseDeadOperations(step);
    FailureOr<SmallVector<FusionGroup>> groups = planSupported(step, trial);
    if (failed(groups))
      return failure();
    outlineKernels(step, *groups, pool);
    step.walk([&](Operation *op) {
      numLaunches += isa<LaunchOp>(op);
      numProducts += isa<ProductOp>(op);
    });
    return success();
  }
};
} // namespace
} // namespace zero
