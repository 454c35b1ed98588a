//===- InsertUpdate.cpp - Gradients become updates ------------------------===//

#include "BuiltinOptimizers.h"

#include "zero/Transforms/Passes.h"

#include "dialects/NN/NNOps.h"
#include "dialects/Zero/ZeroOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_INSERTUPDATEPASS
#include "zero/Transforms/Passes.h.inc"

static BlockArgument findOrAddInput(StepOp step, Type type, StringRef role) {
  if (BlockArgument input = step.findInput(role))
    return input;
  return step.addInput(type, role);
}

/// Gives every operation that draws random numbers the input that they follow from.
static void attachRandom(StepOp step) {
  auto type = RankedTensorType::get({4}, IntegerType::get(step.getContext(), 64));
  auto attach = [&](auto op, bool draws) {
    if (draws && !op.getRandom())
      op.getRandomMutable().assign(findOrAddInput(step, type, kRandomRole));
  };
  step.walk([&](Operation *op) {
    if (auto dropout = dyn_cast<nn::DropoutOp>(op))
      attach(dropout, true);
    else if (auto attention = dyn_cast<nn::AttentionOp>(op))
      attach(attention, !attention.getDropout().isZero());
    else if (auto gradient = dyn_cast<nn::AttentionGradOp>(op))
      attach(gradient, !gradient.getDropout().isZero());
  });
}

/// The weight of the loss: the second value of the yield, or 1.
static Value lossWeight(OpBuilder &builder, YieldOp yield) {
  if (yield.getValues().size() == 2)
    return yield.getValues()[1];
  auto type = cast<RankedTensorType>(yield.getValues().front().getType());
  Value one = arith::ConstantOp::create(
      builder, yield.getLoc(),
      DenseElementsAttr::get(type, builder.getFloatAttr(type.getElementType(), 1.0)));
  yield.getValuesMutable().append(one);
  return one;
}

namespace {
struct InsertUpdatePass : impl::InsertUpdatePassBase<InsertUpdatePass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto step : llvm::make_early_inc_range(getOperation().getOps<StepOp>()))
      if (failed(insertUpdates(step, symbols)))
        return signalPassFailure();
  }

  LogicalResult insertUpdates(StepOp step, SymbolTable &symbols) {
    YieldOp yield = step.getYield();
    if (!yield.getParameters())
      return step.emitError() << "has no gradients to update from; run zero-differentiate first";
    attachRandom(step);
    Type f64 = RankedTensorType::get({}, Float64Type::get(&getContext()));
    Value rate = findOrAddInput(step, f64, kLearningRateRole);
    Value count = findOrAddInput(step, f64, kStepRole);
    if (rate.getType() != f64 || count.getType() != f64)
      return step.emitError() << "has an input of role \"learning_rate\" or \"step\" that is not "
                                 "of type tensor<f64>";
    OpBuilder builder(yield);
    Value weight = lossWeight(builder, yield);
    for (auto [name, gradient] : llvm::zip_equal(
             yield.getParameters()->getAsRange<FlatSymbolRefAttr>(), yield.getGradients())) {
      FailureOr<OptimizerOp> optimizer = optimizerFor(step, name, gradient, symbols);
      if (failed(optimizer))
        return failure();
      UpdateOp::create(builder, symbols.lookup(name.getValue())->getLoc(), name, gradient, weight,
                       rate, count, FlatSymbolRefAttr::get(optimizer->getSymNameAttr()));
    }
    yield.getGradientsMutable().clear();
    yield.removeParametersAttr();
    return success();
  }

  /// The zero.optimizer of `step` for a parameter: the one that it names, or the
  /// region of its attribute for the parameter's element type.
  FailureOr<OptimizerOp> optimizerFor(StepOp step, FlatSymbolRefAttr parameter, Value gradient,
                                      SymbolTable &symbols) {
    auto type = cast<FloatType>(cast<RankedTensorType>(gradient.getType()).getElementType());
    if (auto name = dyn_cast<FlatSymbolRefAttr>(step.getOptimizer())) {
      auto optimizer = symbols.lookup<OptimizerOp>(name.getValue());
      if (!optimizer)
        return step.emitError() << "names an unknown optimizer " << name;
      Type works = optimizer.getBody().getArgument(0).getType();
      if (works == type)
        return optimizer;
      InFlightDiagnostic diagnostic = step.emitError()
                                      << "optimizer " << name << " works on " << works
                                      << "; parameter " << parameter << " has elements of " << type;
      diagnostic.attachNote(optimizer.getLoc()) << "declared here";
      return diagnostic;
    }
    OptimizerOp &optimizer = built[{step.getOptimizer(), type}];
    if (!optimizer) {
      optimizer = buildOptimizer(step.getOptimizer(), type, step.getLoc());
      symbols.insert(optimizer, Block::iterator(step));
    }
    return optimizer;
  }

  DenseMap<std::pair<Attribute, Type>, OptimizerOp> built;
};
} // namespace
} // namespace zero
