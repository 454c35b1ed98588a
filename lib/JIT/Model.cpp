//===- Model.cpp - Parsing a model ----------------------------------------===//

#include "DiagnosticText.h"
#include "ModelState.h"

#include "zero/Pipelines/Registration.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace zero {

Model::Model(std::unique_ptr<State> state) : state(std::move(state)) {}
Model::Model(Model &&) = default;
Model &Model::operator=(Model &&) = default;
Model::~Model() = default;

/// A context with every dialect that a model, or what it is compiled to, can hold.
static std::unique_ptr<Model::State> makeState() {
  auto state = std::make_unique<Model::State>();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  state->context.appendDialectRegistry(registry);
  // A message says what matters; a printed step would be hundreds of lines.
  state->context.printOpOnDiagnostic(false);
  return state;
}

static llvm::Error parseInto(Model::State &state, std::unique_ptr<llvm::MemoryBuffer> buffer) {
  std::string name = buffer->getBufferIdentifier().str();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  DiagnosticText diagnostics(&state.context);
  state.module = parseSourceFile<ModuleOp>(sources, &state.context);
  if (!state.module)
    return diagnostics.takeError(name + ": is not a module of MLIR");
  return llvm::Error::success();
}

llvm::Expected<Model> Model::parseFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   path + ": " + buffer.getError().message());
  auto state = makeState();
  if (llvm::Error error = parseInto(*state, std::move(*buffer)))
    return error;
  return Model(std::move(state));
}

llvm::Expected<Model> Model::parseText(StringRef text, StringRef name) {
  auto state = makeState();
  if (llvm::Error error = parseInto(*state, llvm::MemoryBuffer::getMemBufferCopy(text, name)))
    return error;
  return Model(std::move(state));
}

} // namespace zero
