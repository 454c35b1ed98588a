//===- KernelSupport.h - What the generators of kernels take ----*- C++ -*-===//

#ifndef ZERO_CONVERSION_KERNELSUPPORT_H
#define ZERO_CONVERSION_KERNELSUPPORT_H

#include "dialects/Zero/ZeroOps.h"

namespace zero {

/// True where a generator takes `kernel`, which has a config and stands in a module of
/// its own: the generator itself is asked, so that there is no second rule to keep. Its
/// diagnostics are dropped.
bool isKernelSupported(KernelOp kernel);

/// The dialects that a generator writes.
void registerKernelDialects(mlir::DialectRegistry &registry);

} // namespace zero

#endif // ZERO_CONVERSION_KERNELSUPPORT_H
