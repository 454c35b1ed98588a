//===- StepState.h - What a compiled step is made of ------------*- C++ -*-===//

#ifndef ZERO_LIB_JIT_STEPSTATE_H
#define ZERO_LIB_JIT_STEPSTATE_H

#include "InputFacts.h"
#include "MachineCode.h"

#include "zero/Compiler.h"

namespace zero {

struct CompiledStep::State {
  MachineCode code;
  InputFacts facts;
  std::vector<InputInfo> inputs;
  std::vector<ParameterInfo> parameters;
  MemoryPlan memory;
  std::vector<WholeBucket> keptWhole;
  double passSeconds = 0, machineCodeSeconds = 0;

  const zrt_image_t &getImage() const { return *code.getModule()->image; }
  const zrt_program_t &getProgram() const { return table<zrt_program_t>(getImage().programs)[0]; }
  const char *string(uint32_t position) const {
    return table<char>(getImage().strings).data() + position;
  }
  /// A run of entries of the image.
  template <typename T> llvm::ArrayRef<T> table(zrt_section_t section) const {
    const char *base = reinterpret_cast<const char *>(&getImage());
    return {reinterpret_cast<const T *>(base + section.offset), section.count};
  }
};

/// Has the runtime check the image, then fills inputs, parameters and memory from it.
llvm::Error readTables(CompiledStep::State &state);

/// Null is success.
llvm::Error toError(zrt_status_t *status);

} // namespace zero

#endif // ZERO_LIB_JIT_STEPSTATE_H
