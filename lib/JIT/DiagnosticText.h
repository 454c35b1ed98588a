//===- DiagnosticText.h - MLIR's diagnostics as an llvm::Error --*- C++ -*-===//

#ifndef ZERO_LIB_JIT_DIAGNOSTICTEXT_H
#define ZERO_LIB_JIT_DIAGNOSTICTEXT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

#include <string>

namespace zero {

/// Collects the errors that are emitted in a context while it lives, with their
/// notes, a line each: `file:line:col: error: text`. Warnings and remarks are
/// collected too, but only errors make the text of takeError.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext *context);

  /// The errors so far, or `fallback` where something failed without a word.
  llvm::Error takeError(const llvm::Twine &fallback);

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace zero

#endif // ZERO_LIB_JIT_DIAGNOSTICTEXT_H
