//===- ZeroDialect.h - The zero dialect -------------------------*- C++ -*-===//

#ifndef ZERO_DIALECTS_ZERO_ZERODIALECT_H
#define ZERO_DIALECTS_ZERO_ZERODIALECT_H

#include "mlir/IR/Dialect.h"

#include "dialects/Zero/ZeroDialect.h.inc"

namespace zero {
/// Name of the argument attribute that says how a step input is fed.
inline constexpr llvm::StringLiteral kInputAttr = "zero.input";

// Roles of the inputs that `zero-insert-update` adds; the session feeds them.
inline constexpr llvm::StringLiteral kLearningRateRole = "learning_rate";
inline constexpr llvm::StringLiteral kStepRole = "step";
inline constexpr llvm::StringLiteral kRandomRole = "random";

/// The persistent value of a bucket that holds its parameters.
inline constexpr llvm::StringLiteral kParameterValue = "parameter";
} // namespace zero

#endif // ZERO_DIALECTS_ZERO_ZERODIALECT_H
