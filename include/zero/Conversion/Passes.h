//===- Passes.h - Lowering between dialects ---------------------*- C++ -*-===//

#ifndef ZERO_CONVERSION_PASSES_H
#define ZERO_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace zero {
#define GEN_PASS_DECL
#include "zero/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "zero/Conversion/Passes.h.inc"
} // namespace zero

#endif // ZERO_CONVERSION_PASSES_H
