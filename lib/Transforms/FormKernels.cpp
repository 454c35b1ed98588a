//===- FormKernels.cpp - Fuse tensor operations into kernels --------------===//

#include "FormKernels/FormKernels.h"

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
  void runOnOperation() override {
    KernelPool pool(getOperation());
    for (auto step : getOperation().getOps<StepOp>())
      if (failed(formKernels(step, pool)))
        return signalPassFailure();
    numKernels += pool.size();
  }

  LogicalResult formKernels(StepOp step, KernelPool &pool) {
    expandLosses(step);
    if (failed(formProducts(step)) || failed(formUpdates(step, pool)))
      return failure();
    eraseDeadOperations(step);
    FailureOr<SmallVector<FusionGroup>> groups = planFusion(step);
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
