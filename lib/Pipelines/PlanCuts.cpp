//===- PlanCuts.cpp - Which buckets stage 3 keeps whole -------------------===//
//
// A stage permits cutting, it does not compel. Gathered parameters take room while they
// are there; for a small model that can be more than cutting saves. So the plan of
// stage 3 is made, and if it is larger than that of stage 2, the smallest buckets stay
// whole, as many as needed; with all of them whole it is the plan of stage 2.
//
//===----------------------------------------------------------------------===//

#include "zero/Pipelines/Pipelines.h"

#include "zero/Pipelines/Passes.h"

#include "dialects/Rt/RtOps.h"
#include "dialects/Zero/ZeroOps.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_PLANCUTSPASS
#include "zero/Pipelines/Passes.h.inc"

namespace {
struct PlanCutsPass : impl::PlanCutsPassBase<PlanCutsPass> {
  using PlanCutsPassBase::PlanCutsPassBase;

  void runOnOperation() override {
    if (stage != 3 || worldSize <= 1)
      return;
    SmallVector<BucketOp> buckets(getOperation().getOps<BucketOp>());
    llvm::stable_sort(buckets, [](BucketOp a, BucketOp b) {
      return a.getShardElements() < b.getShardElements();
    });
    FailureOr<int64_t> limit = planned(2);
    FailureOr<int64_t> bytes = failed(limit) ? limit : planned(3);
    if (failed(bytes))
      return signalPassFailure();
    // The fewest buckets by bisection; all of them are enough by construction.
    size_t low = 0, high = *bytes <= *limit ? 0 : buckets.size();
    while (low < high) {
      size_t middle = (low + high) / 2;
      keepWhole(buckets, middle);
      bytes = planned(3);
      if (failed(bytes))
        return signalPassFailure();
      (*bytes <= *limit ? high : low) = *bytes <= *limit ? middle : middle + 1;
    }
    keepWhole(buckets, high);
    numWhole += high;
  }

  static void keepWhole(ArrayRef<BucketOp> buckets, size_t count) {
    for (auto [index, bucket] : llvm::enumerate(buckets))
      BucketOp(bucket).setWhole(index < count);
  }

  /// Bytes a rank, planned by the rest of the pipeline on a copy of the module.
  FailureOr<int64_t> planned(int64_t atStage) {
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>(getOperation()->clone()));
    PassManager pm(&getContext());
    pm.enableVerifier(false); // the passes are run again, and verified, on the original
    addPlanningPasses(pm, {atStage, worldSize, threadsPerRank, alignBytes});
    if (failed(pm.run(*copy)))
      return failure();
    auto memory = (*copy)->getAttrOfType<DictionaryAttr>(rt::kMemoryAttr);
    return memory.getAs<IntegerAttr>("persistent_bytes").getInt() +
           memory.getAs<IntegerAttr>("transient_bytes").getInt();
  }
};
} // namespace
} // namespace zero
