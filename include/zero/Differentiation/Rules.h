//===- Rules.h - Registration of differentiation rules ----------*- C++ -*-===//

#ifndef ZERO_DIFFERENTIATION_RULES_H
#define ZERO_DIFFERENTIATION_RULES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace zero {

/// Attaches the rules of every dialect that has some.
void registerDifferentiationRules(mlir::DialectRegistry &registry);

} // namespace zero

#endif // ZERO_DIFFERENTIATION_RULES_H
