//===- ZeroRules.cpp - Rules of the zero dialect --------------------------===//

#include "RuleRegistration.h"

#include "dialects/Zero/ZeroOps.h"
#include "zero/Differentiation/Rules.h"

using namespace mlir;

namespace zero {

static LogicalResult vjpBoundary(BlockBoundaryOp op, GradientMap &g) {
  g.add(op.getX(), g.of(op.getResult()));
  return success();
}

void registerZeroRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ZeroDialect *) {
    addRule<BlockBoundaryOp, vjpBoundary>(context);
  });
}

void registerDifferentiationRules(DialectRegistry &registry) {
  registerArithRules(registry);
  registerMathRules(registry);
  registerLinalgRules(registry);
  registerTensorRules(registry);
  registerNNRules(registry);
  registerZeroRules(registry);
}

} // namespace zero
