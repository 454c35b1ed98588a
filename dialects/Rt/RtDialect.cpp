//===- RtDialect.cpp - The rt dialect, its types and attributes -----------===//

#include "dialects/Rt/RtDialect.h"
#include "dialects/Rt/RtOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "dialects/Rt/RtDialect.cpp.inc"
#include "dialects/Rt/RtEnums.cpp.inc"
#include "dialects/Rt/RtInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Rt/RtTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Rt/RtAttrs.cpp.inc"

void zero::rt::RtDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Rt/RtOps.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Rt/RtTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Rt/RtAttrs.cpp.inc"
      >();
}

LogicalResult
zero::rt::BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                             int64_t bytes, Tier, Storage) {
  if (bytes < 0)
    return emitError() << "a buffer has " << bytes << " bytes; want 0 or more";
  return success();
}
