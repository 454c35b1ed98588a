//===- ScalarLifting.h - Scalars as tensors of rank 0 -----------*- C++ -*-===//

#ifndef ZERO_LIB_TRANSFORMS_SCALARLIFTING_H
#define ZERO_LIB_TRANSFORMS_SCALARLIFTING_H

#include "mlir/IR/Builders.h"

namespace zero {

/// The tensor of rank 0 that holds `scalar`, where it is computed by elementwise
/// operations from constants and elements of tensors; failure where it is not.
mlir::FailureOr<mlir::Value> liftScalar(mlir::OpBuilder &builder, mlir::Value scalar);

} // namespace zero

#endif // ZERO_LIB_TRANSFORMS_SCALARLIFTING_H
