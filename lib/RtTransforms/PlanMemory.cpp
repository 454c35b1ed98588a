//===- PlanMemory.cpp - Place every buffer in its arena -------------------===//

#include "zero/Analysis/TransientBuffers.h"
#include "zero/Planner/ArenaValidator.h"
#include "zero/Transforms/RtPasses.h"

#include "dialects/Rt/RtOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_RTPLANMEMORYPASS
#include "zero/Transforms/RtPasses.h.inc"

namespace {
struct RtPlanMemoryPass : impl::RtPlanMemoryPassBase<RtPlanMemoryPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    int64_t persistent = placeGlobals(module, builder), transient = 0, bound = 0;
    for (auto program : module.getOps<rt::ProgramOp>()) {
      TransientBuffers problem(program);
      ArenaPlan plan = planArena(problem.buffers, kBufferAlignment);
      if (std::optional<PlanFault> fault = validateArena(problem.buffers, plan, kBufferAlignment)) {
        InFlightDiagnostic diagnostic = problem.allocs[fault->buffer].emitError()
                                        << "planned buffers " << fault->message;
        diagnostic.attachNote(problem.allocs[fault->other].getLoc()) << "the other buffer";
        return signalPassFailure();
      }
      for (auto [alloc, offset] : llvm::zip_equal(problem.allocs, plan.offsets))
        alloc.setOffsetAttr(builder.getI64IntegerAttr(offset));
      transient = std::max(transient, plan.bytes);
      bound = std::max(bound, arenaLowerBound(problem.buffers, kBufferAlignment));
    }
    module->setAttr(rt::kMemoryAttr,
                    builder.getDictionaryAttr(
                        {builder.getNamedAttr("persistent_bytes", builder.getI64IntegerAttr(persistent)),
                         builder.getNamedAttr("transient_bytes", builder.getI64IntegerAttr(transient)),
                         builder.getNamedAttr("lower_bound_bytes", builder.getI64IntegerAttr(bound))}));
    persistentBytes += persistent;
    transientBytes += transient;
  }

  /// One after the other: all of them live all the time.
  int64_t placeGlobals(ModuleOp module, Builder &builder) {
    int64_t end = 0;
    for (auto global : module.getOps<rt::GlobalOp>()) {
      global.setOffsetAttr(builder.getI64IntegerAttr(end));
      end += llvm::alignTo(cast<rt::BufferType>(global.getType()).getBytes(), kBufferAlignment);
    }
    return end;
  }
};
} // namespace
} // namespace zero
