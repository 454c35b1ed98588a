//===- ZeroOps.h - Operations of the zero dialect ---------------*- C++ -*-===//

#ifndef ZERO_DIALECTS_ZERO_ZEROOPS_H
#define ZERO_DIALECTS_ZERO_ZEROOPS_H

#include "dialects/Zero/ZeroDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Zero/ZeroEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Zero/ZeroAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Zero/ZeroOps.h.inc"

#endif // ZERO_DIALECTS_ZERO_ZEROOPS_H
