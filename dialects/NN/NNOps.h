//===- NNOps.h - Operations of the nn dialect -------------------*- C++ -*-===//

#ifndef ZERO_DIALECTS_NN_NNOPS_H
#define ZERO_DIALECTS_NN_NNOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/NN/NNOps.h.inc"

#endif // ZERO_DIALECTS_NN_NNOPS_H
