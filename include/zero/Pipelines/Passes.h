//===- Passes.h - Passes that run other passes ------------------*- C++ -*-===//

#ifndef ZERO_PIPELINES_PASSES_H
#define ZERO_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace zero {
#define GEN_PASS_DECL
#include "zero/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "zero/Pipelines/Passes.h.inc"
} // namespace zero

#endif // ZERO_PIPELINES_PASSES_H
