//===- Pipelines.cpp - The order of the passes ----------------------------===//

#include "zero/Pipelines/Pipelines.h"

#include "zero/Conversion/Passes.h"
#include "zero/Pipelines/Passes.h"
#include "zero/Transforms/Passes.h"
#include "zero/Transforms/RtPasses.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace zero {

/// From buckets to a planned rt.program.
static std::vector<Phase> planningPhases(const PipelineSettings &s) {
  return {
      {"partition", [s](OpPassManager &pm) {
         PartitionPassOptions options;
         options.stage = s.stage;
         options.worldSize = s.worldSize;
         pm.addPass(createPartitionPass(options));
       }},
      // After the partition, so that reads and gradients, which are fusion barriers,
      // are the same at every stage.
      {"form-kernels", [](OpPassManager &pm) {
         pm.addPass(createFormKernelsPass());
         pm.addPass(createSelectKernelConfigPass());
       }},
      {"zero-to-rt", [s](OpPassManager &pm) {
         ConvertZeroToRtPassOptions options;
         options.worldSize = s.worldSize;
         options.threadsPerRank = s.threadsPerRank;
         pm.addPass(createConvertZeroToRtPass(options));
       }},
      {"plan-memory", [](OpPassManager &pm) { pm.addPass(createRtPlanMemoryPass()); }},
  };
}

std::vector<Phase> phasesToRt(const PipelineSettings &s) {
  std::vector<Phase> phases{
      // Loops and branches go first: every pass after this sees one flat block.
      {"flatten", [](OpPassManager &pm) {
         pm.addPass(createFlattenControlFlowPass());
         // Rules are for few operations; what importers write is brought to them.
         pm.addPass(createExpandStructuredPass());
         pm.addPass(createCSEPass());
       }},
      {"differentiate", [](OpPassManager &pm) {
         pm.addPass(createDifferentiatePass());
         // Rules write more than is used; products of zeros and unused gradients of
         // inputs go before anything counts them.
         pm.addPass(createCSEPass());
       }},
      {"insert-update", [](OpPassManager &pm) { pm.addPass(createInsertUpdatePass()); }},
      // Common subexpressions must not be eliminated after this: clones would merge
      // with what they were cloned from.
      {"recompute", [](OpPassManager &pm) { pm.addPass(createRecomputePass()); }},
      // Buckets before the partition: the plan must not know the stage.
      {"form-buckets", [s](OpPassManager &pm) {
         FormBucketsPassOptions options;
         options.worldSize = s.worldSize;
         options.alignBytes = s.alignBytes;
         pm.addPass(createFormBucketsPass(options));
       }},
      {"plan-cuts", [s](OpPassManager &pm) {
         PlanCutsPassOptions options;
         options.stage = s.stage;
         options.worldSize = s.worldSize;
         options.threadsPerRank = s.threadsPerRank;
         options.alignBytes = s.alignBytes;
         pm.addPass(createPlanCutsPass(options));
       }},
  };
  llvm::append_range(phases, planningPhases(s));
  // Last: what it proves is what is run.
  phases.push_back({"verify-schedule",
                    [](OpPassManager &pm) { pm.addPass(createRtVerifySchedulePass()); }});
  return phases;
}

std::vector<Phase> phasesToLLVM(const PipelineSettings &) {
  return {
      {"kernels-to-cpu", [](OpPassManager &pm) { pm.addPass(createConvertKernelsToCPUPass()); }},
      {"rt-to-llvm", [](OpPassManager &pm) { pm.addPass(createConvertRtToLLVMPass()); }},
  };
}

namespace {
/// The settings as options of a textual pipeline.
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<int64_t> stage{*this, "stage", llvm::cl::desc("ZeRO stage, 0 to 3"),
                        llvm::cl::init(0)};
  Option<int64_t> worldSize{*this, "world-size", llvm::cl::desc("ranks W"),
                            llvm::cl::init(1)};
  Option<int64_t> threadsPerRank{*this, "threads-per-rank",
                                 llvm::cl::desc("threads of a rank"), llvm::cl::init(1)};
  Option<int64_t> alignBytes{*this, "align-bytes",
                             llvm::cl::desc("multiple of bytes at which slots start"),
                             llvm::cl::init(64)};

  PipelineSettings settings() const {
    return {stage, worldSize, threadsPerRank, alignBytes};
  }
};
} // namespace

static void addPhases(OpPassManager &pm, const std::vector<Phase> &phases) {
  for (const Phase &phase : phases)
    phase.addPasses(pm);
}

void addPlanningPasses(OpPassManager &pm, const PipelineSettings &settings) {
  addPhases(pm, planningPhases(settings));
}

void registerPipelines() {
  static PassPipelineRegistration<PipelineOptions> toRt(
      "zero-compile-to-rt", "From a model to a planned and verified rt.program",
      [](OpPassManager &pm, const PipelineOptions &options) {
        addPhases(pm, phasesToRt(options.settings()));
      });
  static PassPipelineRegistration<PipelineOptions> toLLVM(
      "zero-compile-to-llvm", "From a planned rt.program to the LLVM dialect",
      [](OpPassManager &pm, const PipelineOptions &options) {
        addPhases(pm, phasesToLLVM(options.settings()));
      });
  static PassPipelineRegistration<PipelineOptions> compile(
      "zero-compile", "From a model to the LLVM dialect",
      [](OpPassManager &pm, const PipelineOptions &options) {
        addPhases(pm, phasesToRt(options.settings()));
        addPhases(pm, phasesToLLVM(options.settings()));
      });
}

} // namespace zero
