//===- CompiledStep.cpp - What a compiled step says of itself -------------===//

#include "StepState.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zero {

StringRef dtypeName(uint32_t dtype) {
  static constexpr StringLiteral names[] = {"f32", "f64", "bf16", "f16", "i32", "i64", "i8"};
  return dtype < std::size(names) ? StringRef(names[dtype]) : "unknown";
}

uint64_t dtypeBytes(uint32_t dtype) {
  static constexpr uint64_t bytes[] = {4, 8, 2, 2, 4, 8, 1};
  return dtype < std::size(bytes) ? bytes[dtype] : 0;
}

int64_t InputInfo::getNumElements() const {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements;
}

std::string InputInfo::getType() const {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + dtypeName(dtype).str() + ">";
}

int64_t CompiledStep::getStage() const { return state->getImage().stage; }
int64_t CompiledStep::getWorldSize() const { return state->getImage().world_size; }
int64_t CompiledStep::getThreadsPerRank() const { return state->getImage().threads_per_rank; }
int64_t CompiledStep::getSamples() const { return state->facts.samples; }
uint32_t CompiledStep::getPrecision() const { return state->facts.precision; }
const std::vector<InputInfo> &CompiledStep::getInputs() const { return state->inputs; }
const std::vector<ParameterInfo> &CompiledStep::getParameters() const {
  return state->parameters;
}
const MemoryPlan &CompiledStep::getMemory() const { return state->memory; }
const std::vector<WholeBucket> &CompiledStep::getKeptWhole() const { return state->keptWhole; }
const zrt_counters_t &CompiledStep::getPredicted() const {
  return state->getProgram().predicted;
}
int64_t CompiledStep::getUniqueKernels() const { return state->getImage().kernel_count; }
double CompiledStep::getPassSeconds() const { return state->passSeconds; }
double CompiledStep::getMachineCodeSeconds() const { return state->machineCodeSeconds; }

std::string CompiledStep::getFingerprint() const {
  const uint64_t *words = state->getImage().fingerprint;
  std::string text;
  raw_string_ostream(text) << format_hex_no_prefix(words[0], 16)
                           << format_hex_no_prefix(words[1], 16);
  return text;
}

} // namespace zero
