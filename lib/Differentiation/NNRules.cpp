//===- NNRules.cpp - Rules of the nn dialect ------------------------------===//

#include "RuleRegistration.h"

#include "dialects/NN/NNDialect.h"
#include "dialects/NN/NNOps.h"

using namespace mlir;

namespace zero {

using namespace nn;

static LogicalResult vjpEmbedding(EmbeddingOp op, GradientMap &g) {
  Type type = op.getTable().getType();
  if (g.wants(op.getTable()))
    g.add(op.getTable(), g.build().create<EmbeddingGradOp>(
                             type, op.getIds(), g.of(op.getResult()), g.build().zeros(type)));
  return success();
}

/// Statistics that an operation returns for its own backward have no gradient.
static LogicalResult checkOnlyFirst(Operation *op, GradientMap &g) {
  for (Value result : op->getResults().drop_front())
    if (g.has(result))
      return op->emitError() << "'" << op->getName()
                             << "' has no rule for the gradient of its statistics";
  return success();
}

static LogicalResult vjpLayerNorm(LayerNormOp op, GradientMap &g) {
  if (failed(checkOnlyFirst(op, g)))
    return failure();
  auto grad = g.build().create<LayerNormGradOp>(
      op.getX().getType(), op.getGamma().getType(), op.getBeta().getType(),
      g.of(op.getResult()), op.getX(), op.getGamma(), op.getMean(), op.getRstd());
  g.add(op.getX(), grad.getDx());
  g.add(op.getGamma(), grad.getDgamma());
  g.add(op.getBeta(), grad.getDbeta());
  return success();
}

static LogicalResult vjpRmsNorm(RmsNormOp op, GradientMap &g) {
  if (failed(checkOnlyFirst(op, g)))
    return failure();
  auto grad = g.build().create<RmsNormGradOp>(op.getX().getType(), op.getGamma().getType(),
                                              g.of(op.getResult()), op.getX(), op.getGamma(),
                                              op.getRstd());
  g.add(op.getX(), grad.getDx());
  g.add(op.getGamma(), grad.getDgamma());
  return success();
}

static LogicalResult vjpSoftmax(SoftmaxOp op, GradientMap &g) {
  if (g.wants(op.getX()))
    g.add(op.getX(), g.build().create<SoftmaxGradOp>(op.getX().getType(),
                                                     g.of(op.getResult()), op.getResult()));
  return success();
}

static LogicalResult vjpCrossEntropy(CrossEntropyOp op, GradientMap &g) {
  if (g.has(op.getLse()))
    return op.emitError() << "'nn.cross_entropy' has no rule for the gradient of its lse";
  Value dsum = g.of(op.getSum());
  if (dsum && g.wants(op.getLogits()))
    g.add(op.getLogits(), g.build().create<CrossEntropyGradOp>(
                              op.getLogits().getType(), dsum, op.getLogits(), op.getLabels(),
                              op.getLse(), op.getIgnoreIndex()));
  return success();
}

/// The gradient operation gives the loss too. Where the gradient of the sum is the
/// constant 1, it takes the place of the forward operation.
static LogicalResult vjpLinearCrossEntropy(LinearCrossEntropyOp op, GradientMap &g) {
  Value dsum = g.of(op.getSum());
  if (!dsum)
    return success();
  OpBuilder::InsertionGuard guard(g.build().builder);
  bool replaces = dsum == g.seed;
  if (replaces)
    g.build().builder.setInsertionPoint(op);
  Type biasType = op.getBias() ? op.getBias().getType() : Type();
  auto grad = g.build().create<LinearCrossEntropyGradOp>(
      op.getSum().getType(), op.getWeight().getType(), op.getX().getType(),
      op.getW().getType(), biasType, dsum, op.getX(), op.getW(), op.getLabels(), op.getBias(),
      op.getIgnoreIndex());
  g.add(op.getX(), grad.getDx());
  g.add(op.getW(), grad.getDw());
  if (op.getBias())
    g.add(op.getBias(), grad.getDbias());
  if (replaces)
    op->replaceAllUsesWith(ValueRange{grad.getSum(), grad.getWeight()});
  return success();
}

static LogicalResult vjpAttention(AttentionOp op, GradientMap &g) {
  if (failed(checkOnlyFirst(op, g)))
    return failure();
  auto grad = g.build().create<AttentionGradOp>(
      op.getQ().getType(), op.getK().getType(), op.getV().getType(), g.of(op.getResult()),
      op.getQ(), op.getK(), op.getV(), op.getResult(), op.getLse(), op.getKeyLengths(),
      op.getSegments(), op.getSite(), op.getRandom(), op.getCausal(), op.getScale(),
      op.getDropout());
  g.add(op.getQ(), grad.getDq());
  g.add(op.getK(), grad.getDk());
  g.add(op.getV(), grad.getDv());
  return success();
}

/// A rotation's transpose is the rotation back.
static LogicalResult vjpRope(RopeOp op, GradientMap &g) {
  if (g.wants(op.getX()))
    g.add(op.getX(), g.build().create<RopeOp>(op.getX().getType(), g.of(op.getResult()),
                                              op.getBase(), !op.getInverse()));
  return success();
}

/// The same elements are dropped from the gradient.
static LogicalResult vjpDropout(DropoutOp op, GradientMap &g) {
  if (g.wants(op.getX()))
    g.add(op.getX(), g.build().create<DropoutOp>(op.getX().getType(), g.of(op.getResult()),
                                                 op.getSite(), op.getRandom(),
                                                 op.getProbability(), op.getRowsPerSample()));
  return success();
}

void registerNNRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    addRule<EmbeddingOp, vjpEmbedding>(context);
    addRule<LayerNormOp, vjpLayerNorm>(context);
    addRule<RmsNormOp, vjpRmsNorm>(context);
    addRule<SoftmaxOp, vjpSoftmax>(context);
    addRule<CrossEntropyOp, vjpCrossEntropy>(context);
    addRule<LinearCrossEntropyOp, vjpLinearCrossEntropy>(context);
    addRule<AttentionOp, vjpAttention>(context);
    addRule<RopeOp, vjpRope>(context);
    addRule<DropoutOp, vjpDropout>(context);
  });
}

} // namespace zero
