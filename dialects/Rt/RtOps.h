//===- RtOps.h - Operations of the rt dialect -------------------*- C++ -*-===//

#ifndef ZERO_DIALECTS_RT_RTOPS_H
#define ZERO_DIALECTS_RT_RTOPS_H

#include "dialects/Rt/RtDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "dialects/Rt/RtEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Rt/RtTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Rt/RtAttrs.h.inc"

namespace zero::rt {
/// How an operation touches a buffer.
struct BufferAccess {
  mlir::Value buffer;
  bool reads, writes;
};
} // namespace zero::rt

#include "dialects/Rt/RtInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Rt/RtOps.h.inc"

#endif // ZERO_DIALECTS_RT_RTOPS_H
