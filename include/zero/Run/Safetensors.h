//===- Safetensors.h - Parameters as a file ---------------------*- C++ -*-===//

#ifndef ZERO_RUN_SAFETENSORS_H
#define ZERO_RUN_SAFETENSORS_H

#include "zero/Compiler.h"

#include "llvm/Support/raw_ostream.h"

namespace zero {

/// Collective: every rank reads every parameter, and the one with a stream writes
/// them, whole and by name, in the safetensors format. A parameter with several names
/// is one tensor, under its own name; `__metadata__` has `alias.NAME = TARGET` for
/// each other one.
llvm::Error dumpParameters(const CompiledStep &step, Session &session,
                           llvm::raw_ostream *stream);

} // namespace zero

#endif // ZERO_RUN_SAFETENSORS_H
