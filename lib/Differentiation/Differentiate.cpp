//===- Differentiate.cpp - The backward pass of a step --------------------===//

#include "zero/Differentiation/GradientMap.h"
#include "zero/Transforms/Passes.h"

#include "dialects/NN/NNDialect.h"
#include "dialects/Zero/ZeroOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "zero/Transforms/Passes.h.inc"

namespace {

/// Differentiates one step.
class StepDifferentiator {
public:
  StepDifferentiator(StepOp step, SymbolTable &symbols) : step(step), symbols(symbols) {}

  LogicalResult run();

private:
  void mergeReads();
  void findActive();
  LogicalResult buildBackward(GradientMap &gradients);
  LogicalResult reportMissingRule(Operation *op, GradientMap &gradients);
  void yieldGradients(GradientMap &gradients);

  Block &block() { return step.getBody().front(); }

  StepOp step;
  SymbolTable &symbols;
  llvm::MapVector<ParameterOp, ReadOp> reads; ///< one per parameter
  llvm::DenseSet<Value> active;               ///< depends on a trainable parameter
};
} // namespace

/// One read per parameter, whatever its names: uses of tied parameters add up.
void StepDifferentiator::mergeReads() {
  for (auto read : llvm::make_early_inc_range(block().getOps<ReadOp>())) {
    Operation *target = symbols.lookup(read.getParameter());
    if (auto alias = dyn_cast_or_null<AliasOp>(target))
      target = symbols.lookup(alias.getTarget());
    auto parameter = cast<ParameterOp>(target);
    auto [it, isNew] = reads.insert({parameter, read});
    if (isNew) {
      read.setParameter(parameter.getSymName());
      continue;
    }
    read.getResult().replaceAllUsesWith(it->second.getResult());
    read.erase();
  }
}

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

/// Calls `visit` for what `op` reads, in its regions too.
static void forEachOperand(Operation *op, function_ref<void(Value)> visit) {
  for (Value operand : op->getOperands())
    visit(operand);
  llvm::SetVector<Value> captured;
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    visit(value);
}

void StepDifferentiator::findActive() {
  for (auto [parameter, read] : reads)
    if (!parameter.getFrozen())
      active.insert(read.getResult());
  for (Operation &op : block()) {
    bool isActive = false;
    forEachOperand(&op, [&](Value operand) { isActive |= active.contains(operand); });
    if (isActive)
      for (Value result : op.getResults())
        if (isFloatTensor(result.getType()))
          active.insert(result);
  }
}

/// An error at `op` that names it and the operations between a parameter and the loss.
LogicalResult StepDifferentiator::reportMissingRule(Operation *op, GradientMap &gradients) {
  SmallVector<std::string> before, after;
  for (Operation *at = op; at;) {
    Operation *next = nullptr;
    forEachOperand(at, [&](Value operand) {
      if (!next && active.contains(operand))
        next = operand.getDefiningOp();
    });
    if (auto read = dyn_cast_or_null<ReadOp>(next)) {
      before.push_back("@" + read.getParameter().str());
      break;
    }
    if (next)
      before.push_back(next->getName().getStringRef().str());
    at = next;
  }
  for (Operation *at = op; !isa<YieldOp>(at);) {
    Operation *next = step.getYield();
    for (Operation *user : at->getUsers())
      if (llvm::any_of(user->getResults(), [&](Value v) { return gradients.has(v); })) {
        next = user;
        break;
      }
    at = next;
    after.push_back(isa<YieldOp>(at) ? "the loss" : at->getName().getStringRef().str());
  }
  InFlightDiagnostic diagnostic = op->emitError()
                                  << "'" << op->getName() << "' has no differentiation rule (";
  for (const std::string &name : llvm::reverse(before))
    diagnostic << name << " -> ";
  diagnostic << op->getName();
  for (const std::string &name : after)
    diagnostic << " -> " << name;
  return diagnostic << ")";
}

LogicalResult StepDifferentiator::buildBackward(GradientMap &gradients) {
  SmallVector<Operation *> forward;
  for (Operation &op : block().without_terminator())
    forward.push_back(&op);
  gradients.build().builder.setInsertionPoint(step.getYield());
  for (Operation *op : llvm::reverse(forward)) {
    bool reaches = llvm::any_of(op->getResults(), [&](Value v) { return gradients.has(v); });
    if (!reaches || isa<ReadOp>(op))
      continue;
    gradients.build().loc = op->getLoc();
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return reportMissingRule(op, gradients);
    if (failed(differentiable.buildVjp(gradients)))
      return failure();
    gradients.retire(op);
  }
  return success();
}

/// One gradient per trainable parameter of the module, zeros where there is none.
void StepDifferentiator::yieldGradients(GradientMap &gradients) {
  SmallVector<Value> values;
  SmallVector<Attribute> names;
  auto module = step->getParentOfType<ModuleOp>();
  for (auto parameter : module.getOps<ParameterOp>()) {
    if (parameter.getFrozen())
      continue;
    gradients.build().loc = parameter.getLoc();
    auto it = reads.find(parameter);
    Value gradient = it == reads.end() ? Value() : gradients.of(it->second.getResult());
    values.push_back(gradient ? gradient : gradients.build().zeros(parameter.getType()));
    names.push_back(FlatSymbolRefAttr::get(parameter.getSymNameAttr()));
  }
  YieldOp yield = step.getYield();
  yield.getGradientsMutable().assign(values);
  yield.setParametersAttr(ArrayAttr::get(step.getContext(), names));
}

LogicalResult StepDifferentiator::run() {
  mergeReads();
  findActive();
  OpBuilder builder(step.getContext());
  GradientMap gradients(builder, active);
  Value sum = step.getYield().getValues().front();
  if (active.contains(sum)) {
    builder.setInsertionPointToStart(&block());
    gradients.build().loc = step.getYield().getLoc();
    gradients.seed = gradients.build().splat(sum.getType(), 1.0);
    gradients.add(sum, gradients.seed);
  }
  if (failed(buildBackward(gradients)))
    return failure();
  yieldGradients(gradients);
  return success();
}

namespace {
struct DifferentiatePass : impl::DifferentiatePassBase<DifferentiatePass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto step : getOperation().getOps<StepOp>())
      if (!step.getYield().getParameters() &&
          failed(StepDifferentiator(step, symbols).run()))
        return signalPassFailure();
  }
};
} // namespace
} // namespace zero
