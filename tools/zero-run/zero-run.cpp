//===- zero-run.cpp - Compiles a model and trains it ----------------------===//

#include "zero/Run/Run.h"

#include "llvm/ADT/SmallVector.h"

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> arguments(argv + 1, argv + argc);
  return zero::runZero(arguments, llvm::outs(), llvm::errs());
}
