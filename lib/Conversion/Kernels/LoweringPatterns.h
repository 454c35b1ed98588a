//===- LoweringPatterns.h - What every target lowers alike ------*- C++ -*-===//

#ifndef ZERO_LIB_CONVERSION_KERNELS_LOWERINGPATTERNS_H
#define ZERO_LIB_CONVERSION_KERNELS_LOWERINGPATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace zero {

/// Loops, arithmetic and vectors to the LLVM dialect; elementary functions are the
/// target's own matter.
void populateKernelLoweringPatterns(mlir::LLVMTypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

} // namespace zero

#endif // ZERO_LIB_CONVERSION_KERNELS_LOWERINGPATTERNS_H
