//===- Passes.h - Passes within our dialects --------------------*- C++ -*-===//

#ifndef ZERO_TRANSFORMS_PASSES_H
#define ZERO_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace zero {
#define GEN_PASS_DECL
#include "zero/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "zero/Transforms/Passes.h.inc"
} // namespace zero

#endif // ZERO_TRANSFORMS_PASSES_H
