//===- InputFacts.h - What a model says about its step's inputs -*- C++ -*-===//

#ifndef ZERO_LIB_JIT_INPUTFACTS_H
#define ZERO_LIB_JIT_INPUTFACTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace zero {

/// What is gone from the module once it is compiled.
struct InputFacts {
  int64_t samples = 1;      ///< in one rank's inputs
  uint32_t precision = 0;   ///< zrt_dtype_t of the loss
  /// By role: values are below this, as they index a table or name a class.
  llvm::StringMap<int64_t> vocabularies;
  /// By role: the label that every loss that reads it ignores.
  llvm::StringMap<int64_t> ignored;
};

/// Fails where the module has not exactly one zero.step.
llvm::Expected<InputFacts> findInputFacts(mlir::ModuleOp module);

} // namespace zero

#endif // ZERO_LIB_JIT_INPUTFACTS_H
