//===- Registration.h - Every dialect and pass, from one place --*- C++ -*-===//

#ifndef ZERO_PIPELINES_REGISTRATION_H
#define ZERO_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace zero {

/// Our dialects, the upstream ones that models and lowered programs use, and
/// their interfaces (differentiation rules, translation to LLVM IR).
void registerAllDialects(mlir::DialectRegistry &registry);

/// Our passes and pipelines, and upstream's passes.
void registerAllPasses();

} // namespace zero

#endif // ZERO_PIPELINES_REGISTRATION_H
