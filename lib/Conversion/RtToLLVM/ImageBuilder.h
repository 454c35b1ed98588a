//===- ImageBuilder.h - A module's programs as an image ---------*- C++ -*-===//

#ifndef ZERO_LIB_CONVERSION_RTTOLLVM_IMAGEBUILDER_H
#define ZERO_LIB_CONVERSION_RTTOLLVM_IMAGEBUILDER_H

#include "ImageTables.h"

#include "zero/Analysis/RuntimeTypes.h"

#include "dialects/Rt/RtOps.h"
#include "dialects/Zero/ZeroOps.h"

#include "llvm/ADT/MapVector.h"

namespace zero {

/// Adds parameters, buckets and what lives across steps to `tables`.
mlir::LogicalResult addParameters(mlir::ModuleOp module, ImageTables &tables);

/// Kernels in order of their first dispatch, with their index in the kernel table.
using KernelTable = llvm::MapVector<mlir::StringAttr, uint32_t>;

/// Adds one program: its commands, and the counters that they predict.
mlir::LogicalResult addProgram(rt::ProgramOp program, mlir::SymbolTable &symbols,
                               KernelTable &kernels, ImageTables &tables);

} // namespace zero

#endif // ZERO_LIB_CONVERSION_RTTOLLVM_IMAGEBUILDER_H
