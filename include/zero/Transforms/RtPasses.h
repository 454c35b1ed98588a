//===- RtPasses.h - Passes within the rt dialect ----------------*- C++ -*-===//

#ifndef ZERO_TRANSFORMS_RTPASSES_H
#define ZERO_TRANSFORMS_RTPASSES_H

#include "mlir/Pass/Pass.h"

namespace zero {
#define GEN_PASS_DECL
#include "zero/Transforms/RtPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "zero/Transforms/RtPasses.h.inc"
} // namespace zero

#endif // ZERO_TRANSFORMS_RTPASSES_H
