//===- BuiltinOptimizers.h - Optimizer attributes as regions ----*- C++ -*-===//

#ifndef ZERO_LIB_TRANSFORMS_BUILTINOPTIMIZERS_H
#define ZERO_LIB_TRANSFORMS_BUILTINOPTIMIZERS_H

#include "dialects/Zero/ZeroOps.h"

namespace zero {

/// The zero.optimizer that `attribute` (#zero.sgd, #zero.adamw, ...) stands for, on
/// elements of `type`; null for another attribute. Not yet in a module.
OptimizerOp buildOptimizer(mlir::Attribute attribute, mlir::FloatType type, mlir::Location loc);

} // namespace zero

#endif // ZERO_LIB_TRANSFORMS_BUILTINOPTIMIZERS_H
