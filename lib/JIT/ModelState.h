//===- ModelState.h - What a parsed model is made of ------------*- C++ -*-===//

#ifndef ZERO_LIB_JIT_MODELSTATE_H
#define ZERO_LIB_JIT_MODELSTATE_H

#include "zero/Compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace zero {

struct Model::State {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace zero

#endif // ZERO_LIB_JIT_MODELSTATE_H
