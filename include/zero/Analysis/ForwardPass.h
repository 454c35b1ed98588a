//===- ForwardPass.h - What the loss of a step needs ------------*- C++ -*-===//

#ifndef ZERO_ANALYSIS_FORWARDPASS_H
#define ZERO_ANALYSIS_FORWARDPASS_H

#include "dialects/Zero/ZeroOps.h"

namespace zero {

/// The operations that the values of the step's yield (sum and weight of the loss) are
/// computed by. What is not among them is the backward pass and the update.
llvm::DenseSet<mlir::Operation *> findForwardPass(StepOp step);

} // namespace zero

#endif // ZERO_ANALYSIS_FORWARDPASS_H
