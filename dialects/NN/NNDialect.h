//===- NNDialect.h - The nn dialect -----------------------------*- C++ -*-===//

#ifndef ZERO_DIALECTS_NN_NNDIALECT_H
#define ZERO_DIALECTS_NN_NNDIALECT_H

#include "mlir/IR/Dialect.h"

#include "dialects/NN/NNDialect.h.inc"

#endif // ZERO_DIALECTS_NN_NNDIALECT_H
