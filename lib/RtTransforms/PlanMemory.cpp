//===- PlanMemory.cpp - Place every buffer in its arena -------------------===//

#include "zero/Analysis/BufferPlaces.h"
#include "zero/Planner/ArenaValidator.h"
#include "zero/Transforms/RtPasses.h"

#include "dialects/Rt/RtOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_RTPLANMEMORYPASS
#include "zero/Transforms/RtPasses.h.inc"

static constexpr int64_t kAlignment = 64;

namespace {
/// The allocs of a program as a problem for the planner.
struct TransientBuffers {
  SmallVector<rt::AllocOp> allocs;
  std::vector<PlannedBuffer> buffers;
};
} // namespace

/// A buffer lives from the first to the last operation that touches it; one that
/// nothing touches takes no place.
static TransientBuffers findTransients(rt::ProgramOp program) {
  TransientBuffers result;
  DenseMap<Operation *, size_t> index;
  for (auto alloc : program.getBody().front().getOps<rt::AllocOp>()) {
    index[alloc] = result.allocs.size();
    result.allocs.push_back(alloc);
    result.buffers.push_back({0, 0, -1});
  }
  for (auto [time, op] : llvm::enumerate(timelineOf(program)))
    for (const rt::BufferAccess &access : op.getAccesses()) {
      auto alloc = placeOf(access.buffer).root.getDefiningOp<rt::AllocOp>();
      if (!alloc)
        continue;
      PlannedBuffer &buffer = result.buffers[index[alloc]];
      if (buffer.last < 0)
        buffer = {alloc.getType().getBytes(), int64_t(time), int64_t(time)};
      buffer.last = time;
    }
  for (PlannedBuffer &buffer : result.buffers)
    buffer.last = std::max(buffer.last, buffer.first);
  return result;
}

namespace {
struct RtPlanMemoryPass : impl::RtPlanMemoryPassBase<RtPlanMemoryPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    int64_t persistent = placeGlobals(module, builder), transient = 0, bound = 0;
    for (auto program : module.getOps<rt::ProgramOp>()) {
      TransientBuffers problem = findTransients(program);
      ArenaPlan plan = planArena(problem.buffers, kAlignment);
      if (std::optional<PlanFault> fault = validateArena(problem.buffers, plan, kAlignment)) {
        InFlightDiagnostic diagnostic = problem.allocs[fault->buffer].emitError()
                                        << "planned buffers " << fault->message;
        diagnostic.attachNote(problem.allocs[fault->other].getLoc()) << "the other buffer";
        return signalPassFailure();
      }
      for (auto [alloc, offset] : llvm::zip_equal(problem.allocs, plan.offsets))
        alloc.setOffsetAttr(builder.getI64IntegerAttr(offset));
      transient = std::max(transient, plan.bytes);
      bound = std::max(bound, arenaLowerBound(problem.buffers, kAlignment));
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
      end += llvm::alignTo(cast<rt::BufferType>(global.getType()).getBytes(), kAlignment);
    }
    return end;
  }
};
} // namespace
} // namespace zero
