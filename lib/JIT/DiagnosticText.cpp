//===- DiagnosticText.cpp - MLIR's diagnostics as an llvm::Error ----------===//

#include "DiagnosticText.h"

#include "zero/Compiler.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace zero {

static void append(llvm::raw_ostream &os, Diagnostic &diagnostic, StringRef severity) {
  // Of an operation that a pass made, the place in the model that it was made from.
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColRange>())
    os << place.getFilename().getValue() << ':' << place.getStartLine() << ':'
       << place.getStartColumn() << ": ";
  os << severity << ": " << diagnostic.str() << '\n';
}

char ModelError::ID;

void ModelError::log(llvm::raw_ostream &os) const { os << text; }

std::error_code ModelError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

DiagnosticText::DiagnosticText(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return;
        llvm::raw_string_ostream os(text);
        append(os, diagnostic, "error");
        for (Diagnostic &note : diagnostic.getNotes())
          append(os, note, "note");
      }) {}

llvm::Error DiagnosticText::takeError(const llvm::Twine &fallback) {
  if (text.empty())
    return llvm::createStringError(fallback);
  std::string lines = StringRef(text).rtrim('\n').str();
  text.clear();
  return llvm::make_error<ModelError>(std::move(lines));
}

} // namespace zero
