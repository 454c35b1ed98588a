//===- RuleRegistration.h - Writing rules in few words ----------*- C++ -*-===//

#ifndef ZERO_LIB_DIFFERENTIATION_RULEREGISTRATION_H
#define ZERO_LIB_DIFFERENTIATION_RULEREGISTRATION_H

#include "zero/Differentiation/GradientMap.h"

namespace zero {

template <typename OpT, auto vjp>
struct RuleModel
    : DifferentiableOpInterface::ExternalModel<RuleModel<OpT, vjp>, OpT> {
  mlir::LogicalResult buildVjp(mlir::Operation *op, GradientMap &gradients) const {
    return vjp(mlir::cast<OpT>(op), gradients);
  }
};

/// Gives `OpT` the rule `vjp`: LogicalResult(OpT, GradientMap &).
template <typename OpT, auto vjp> void addRule(mlir::MLIRContext *context) {
  OpT::template attachInterface<RuleModel<OpT, vjp>>(*context);
}

/// Gives elementwise `y = OpT(x)` the rule `dx = derivative(builder, x, y, dy)`.
template <typename OpT, auto derivative> void addUnaryRule(mlir::MLIRContext *context) {
  addRule<OpT, [](OpT op, GradientMap &g) {
    mlir::Value x = op->getOperand(0), y = op->getResult(0);
    if (g.wants(x))
      g.add(x, derivative(g.build(), x, y, g.of(y)));
    return mlir::success();
  }>(context);
}

/// Gives elementwise `y = OpT(a, b)` the rules `da` and `db`, each a function of
/// (builder, a, b, y, dy).
template <typename OpT, auto da, auto db> void addBinaryRule(mlir::MLIRContext *context) {
  addRule<OpT, [](OpT op, GradientMap &g) {
    mlir::Value a = op->getOperand(0), b = op->getOperand(1), y = op->getResult(0);
    if (g.wants(a))
      g.add(a, da(g.build(), a, b, y, g.of(y)));
    if (g.wants(b))
      g.add(b, db(g.build(), a, b, y, g.of(y)));
    return mlir::success();
  }>(context);
}

void registerArithRules(mlir::DialectRegistry &registry);
void registerMathRules(mlir::DialectRegistry &registry);
void registerLinalgRules(mlir::DialectRegistry &registry);
void registerTensorRules(mlir::DialectRegistry &registry);
void registerNNRules(mlir::DialectRegistry &registry);
void registerZeroRules(mlir::DialectRegistry &registry);

} // namespace zero

#endif // ZERO_LIB_DIFFERENTIATION_RULEREGISTRATION_H
