//===- SelectKernelConfig.h - The config of one kernel ----------*- C++ -*-===//

#ifndef ZERO_TRANSFORMS_SELECTKERNELCONFIG_H
#define ZERO_TRANSFORMS_SELECTKERNELCONFIG_H

#include "dialects/Zero/ZeroOps.h"

namespace zero {

/// Gives `kernel` its config, as the pass select-kernel-config does. Fails, with a
/// diagnostic if asked for, where no strategy fits.
llvm::LogicalResult selectKernelConfig(KernelOp kernel, bool emitErrors = true);

} // namespace zero

#endif // ZERO_TRANSFORMS_SELECTKERNELCONFIG_H
