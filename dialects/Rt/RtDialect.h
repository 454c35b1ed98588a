//===- RtDialect.h - The rt dialect -----------------------------*- C++ -*-===//

#ifndef ZERO_DIALECTS_RT_RTDIALECT_H
#define ZERO_DIALECTS_RT_RTDIALECT_H

#include "mlir/IR/Dialect.h"

#include "dialects/Rt/RtDialect.h.inc"

namespace zero::rt {
/// Attribute of the module in which `rt-plan-memory` leaves its totals: a dictionary
/// of i64 persistent_bytes, transient_bytes and lower_bound_bytes.
inline constexpr llvm::StringLiteral kMemoryAttr = "rt.memory";
} // namespace zero::rt

#endif // ZERO_DIALECTS_RT_RTDIALECT_H
