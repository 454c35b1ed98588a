//===- Compile.cpp - From a model to a compiled step ----------------------===//

#include "DiagnosticText.h"
#include "ModelState.h"
#include "StepState.h"

#include "zero/Pipelines/Pipelines.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;

namespace zero {

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// World sizes and threads above this are typing errors; tables count in 32 bits.
static constexpr int64_t kLargestCount = 1 << 16;

static llvm::Error checkOptions(const CompileOptions &options) {
  auto refuse = [](StringRef name, int64_t value, StringRef want) {
    return llvm::createStringError(name + " is " + Twine(value) + "; want " + want);
  };
  if (options.stage < 0 || options.stage > 3)
    return refuse("stage", options.stage, "0, 1, 2 or 3");
  if (options.worldSize < 1 || options.worldSize > kLargestCount)
    return refuse("world-size", options.worldSize, "1 to 65536 ranks");
  if (options.threadsPerRank < 1 || options.threadsPerRank > kLargestCount)
    return refuse("threads-per-rank", options.threadsPerRank, "1 to 65536 threads");
  if (options.alignBytes < 1 || options.alignBytes > (int64_t(1) << 30) ||
      !llvm::isPowerOf2_64(options.alignBytes))
    return refuse("align-bytes", options.alignBytes, "a power of two up to 2^30");
  return llvm::Error::success();
}

/// Writes `module` to DIR/NN-name.mlir.
static llvm::Error dumpPhase(ModuleOp module, StringRef directory, unsigned number,
                             StringRef name) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, (number < 10 ? "0" : "") + Twine(number) + "-" + name + ".mlir");
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return llvm::createStringError(code, path + ": " + code.message());
  module.print(os);
  os.close();
  if (!os.has_error())
    return llvm::Error::success();
  code = os.error();
  os.clear_error();
  return llvm::createStringError(code, path + ": " + code.message());
}

static llvm::Error runPhases(ModuleOp module, const CompileOptions &options) {
  PipelineSettings settings{options.stage, options.worldSize, options.threadsPerRank,
                            options.alignBytes};
  std::vector<Phase> phases = phasesToRt(settings);
  llvm::append_range(phases, phasesToLLVM(settings));
  DiagnosticText diagnostics(module.getContext());
  for (auto [index, phase] : llvm::enumerate(phases)) {
    PassManager passes(module.getContext(), ModuleOp::getOperationName());
    phase.addPasses(passes);
    if (failed(passes.run(module)))
      return diagnostics.takeError("phase " + phase.name + " failed");
    if (options.dumpPhases.empty())
      continue;
    if (llvm::Error error = dumpPhase(module, options.dumpPhases, index + 1, phase.name))
      return error;
  }
  return llvm::Error::success();
}

/// Makes the directory and writes the module as it was read, as phase 0.
static llvm::Error prepareDump(ModuleOp module, StringRef directory) {
  if (directory.empty())
    return llvm::Error::success();
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(code, directory + ": " + code.message());
  return dumpPhase(module, directory, 0, "model");
}

llvm::Expected<CompiledStep> compile(const Model &model, const CompileOptions &options) {
  if (llvm::Error error = checkOptions(options))
    return error;
  OwningOpRef<ModuleOp> module = model.getState().module->clone();
  llvm::Expected<InputFacts> facts = findInputFacts(*module);
  if (!facts)
    return facts.takeError();
  if (llvm::Error error = prepareDump(*module, options.dumpPhases))
    return error;
  auto start = std::chrono::steady_clock::now();
  if (llvm::Error error = runPhases(*module, options))
    return error;
  double passSeconds = secondsSince(start);

  start = std::chrono::steady_clock::now();
  DiagnosticText diagnostics(module->getContext());
  llvm::Expected<MachineCode> code = MachineCode::generate(*module);
  if (!code)
    return diagnostics.takeError(llvm::toString(code.takeError()));
  auto state = std::make_shared<CompiledStep::State>(
      CompiledStep::State{std::move(*code), std::move(*facts)});
  state->passSeconds = passSeconds;
  state->machineCodeSeconds = secondsSince(start);
  if (llvm::Error error = readTables(*state))
    return error;
  return CompiledStep(std::move(state));
}

} // namespace zero
