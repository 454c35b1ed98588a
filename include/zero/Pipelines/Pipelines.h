//===- Pipelines.h - The order of the passes --------------------*- C++ -*-===//

#ifndef ZERO_PIPELINES_PIPELINES_H
#define ZERO_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>
#include <vector>

namespace zero {

/// What a compilation is told; the names are those of the command lines.
struct PipelineSettings {
  int64_t stage = 0;          ///< ZeRO stage, 0 to 3
  int64_t worldSize = 1;      ///< ranks W
  int64_t threadsPerRank = 1; ///< threads of a rank
  int64_t alignBytes = 64;    ///< multiple at which bucket slots start
};

/// Passes that belong together; the module is worth looking at after each.
struct Phase {
  std::string name;
  std::function<void(mlir::OpPassManager &)> addPasses;
};

/// From a model to a planned and verified rt.program.
std::vector<Phase> phasesToRt(const PipelineSettings &settings);
/// From a planned rt.program to the LLVM dialect, for a CPU.
std::vector<Phase> phasesToLLVM(const PipelineSettings &settings);

/// From buckets to a planned rt.program: what `zero-plan-cuts` tries.
void addPlanningPasses(mlir::OpPassManager &pm, const PipelineSettings &settings);

/// `--zero-compile-to-rt`, `--zero-compile-to-llvm` and `--zero-compile`.
void registerPipelines();

} // namespace zero

#endif // ZERO_PIPELINES_PIPELINES_H
