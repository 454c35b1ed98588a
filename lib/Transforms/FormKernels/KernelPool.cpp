//===- KernelPool.cpp - One kernel per different body and type ------------===//

#include "FormKernels.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace zero {

KernelPool::KernelPool(ModuleOp module) : module(module), symbols(module) {}

std::string KernelPool::textOf(KernelOp kernel) {
  StringAttr name = kernel.getSymNameAttr();
  kernel.setSymName("");
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
  kernel.setSymNameAttr(name);
  return text;
}

KernelOp KernelPool::intern(KernelOp kernel, StringRef stem) {
  KernelOp &entry = byText[textOf(kernel)];
  if (entry) {
    kernel->erase();
    return entry;
  }
  kernel.setSymName(stem);
  symbols.insert(kernel, Block::iterator(module.getBody()->end()));
  return entry = kernel;
}

} // namespace zero
