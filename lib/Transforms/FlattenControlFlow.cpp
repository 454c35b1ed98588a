//===- FlattenControlFlow.cpp - Each step one flat block ------------------===//

#include "ScalarLifting.h"

#include "zero/Transforms/Passes.h"

#include "dialects/Zero/ZeroOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_FLATTENCONTROLFLOWPASS
#include "zero/Transforms/Passes.h.inc"

/// What a bound or predicate that isn't a constant depends on, for messages.
static StringRef dependence(Value value) {
  SmallVector<Value> worklist{value};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (isa_and_nonnull<RankOp>(op))
      return "the rank";
    for (Value operand : op ? op->getOperands() : ValueRange())
      if (seen.insert(operand).second)
        worklist.push_back(operand);
  }
  return "data";
}

static bool readsParameter(Operation *op) {
  return op->walk([](ReadOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr unsigned kMaxCalls = 10000;

static LogicalResult inlineCall(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call->getParentOfType<ModuleOp>(), call.getCalleeAttr());
  if (!callee || callee.isExternal() || !llvm::hasSingleElement(callee.getBody()))
    return call.emitError() << "calls '" << call.getCallee()
                            << "', which is not a function of one block in this module";
  IRMapping map;
  map.map(callee.getArguments(), call.getOperands());
  OpBuilder builder(call);
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, map);
  for (auto [old, fresh] : llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    old.replaceAllUsesWith(map.lookupOrDefault(fresh));
  call.erase();
  return success();
}

static LogicalResult inlineCalls(StepOp step) {
  for (unsigned count = 0;; ++count) {
    func::CallOp call;
    step.walk([&](func::CallOp found) {
      call = found;
      return WalkResult::interrupt();
    });
    if (!call)
      return success();
    if (count == kMaxCalls)
      return call.emitError() << "calls '" << call.getCallee() << "' without end";
    if (failed(inlineCall(call)))
      return failure();
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A step has thousands of operations; a loop that makes more than this is a mistake.
static constexpr uint64_t kMaxUnrolledOperations = 1000000;

/// Fails where the loop, with all that it holds, makes too many operations.
static LogicalResult checkUnrolledSize(scf::ForOp loop, const APInt &trips) {
  uint64_t operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  if (trips.getActiveBits() <= 32 &&
      trips.getZExtValue() * operations <= kMaxUnrolledOperations)
    return success();
  SmallString<32> count;
  trips.toStringUnsigned(count);
  return loop.emitError() << "'scf.for' makes " << count << " times " << operations
                          << " operations; at most " << kMaxUnrolledOperations
                          << " are unrolled";
}

static LogicalResult unrollLoop(scf::ForOp loop) {
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!matchPattern(bound, m_Constant()))
      return loop.emitError() << "'scf.for' has a bound that depends on " << dependence(bound)
                              << "; the number of trips must be known before the run"
                              << (readsParameter(loop) ? ", it holds a parameter's use" : "");
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (trips && trips->isZero()) {
    loop.replaceAllUsesWith(loop.getInitArgs());
    loop.erase();
    return success();
  }
  if (trips && failed(checkUnrolledSize(loop, *trips)))
    return failure();
  if (failed(loopUnrollFull(loop)))
    return loop.emitError() << "'scf.for' can't be unrolled";
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Moves the operations of `region` before `branch`; gives what it yields.
static SmallVector<Value> hoist(scf::IfOp branch, Region &region) {
  Block &block = region.front();
  Operation *yield = block.getTerminator();
  SmallVector<Value> values(yield->getOperands());
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    op.moveBefore(branch);
  return values;
}

static Value selectTensor(OpBuilder &builder, Location loc, Value condition, Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  if (type.getRank()) {
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), builder.getI1Type());
    auto dims = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
    condition = linalg::BroadcastOp::create(builder, loc, condition, empty, dims).getResult()[0];
  }
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

static LogicalResult flattenBranch(scf::IfOp branch) {
  APInt constant;
  if (matchPattern(branch.getCondition(), m_ConstantInt(&constant))) {
    Region &taken = constant.isZero() ? branch.getElseRegion() : branch.getThenRegion();
    if (!taken.empty())
      branch.replaceAllUsesWith(hoist(branch, taken));
    branch.erase();
    return success();
  }
  if (readsParameter(branch) || !isMemoryEffectFree(branch))
    return branch.emitError() << "'scf.if' has a predicate that depends on "
                              << dependence(branch.getCondition())
                              << ", around a parameter's use; compute both and use a select";
  OpBuilder builder(branch);
  FailureOr<Value> condition = liftScalar(builder, branch.getCondition());
  bool selectsTensors = llvm::all_of(branch.getResultTypes(), llvm::IsaPred<RankedTensorType>);
  if (failed(condition) || !selectsTensors)
    return branch.emitError() << "'scf.if' has a predicate that depends on "
                              << dependence(branch.getCondition())
                              << " and can't become a select of tensors";
  if (branch.getNumResults()) {
    SmallVector<Value> a = hoist(branch, branch.getThenRegion());
    SmallVector<Value> b = hoist(branch, branch.getElseRegion());
    for (auto [result, x, y] : llvm::zip_equal(branch.getResults(), a, b))
      result.replaceAllUsesWith(selectTensor(builder, branch.getLoc(), *condition, x, y));
  }
  branch.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Folds index arithmetic, so that inner bounds and slices become static.
static LogicalResult foldConstants(StepOp step) {
  RewritePatternSet patterns(step.getContext());
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, step.getContext());
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, step.getContext());
  tensor::CastOp::getCanonicalizationPatterns(patterns, step.getContext());
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(step, std::move(patterns), config);
}

/// The outermost loop or branch of the step, in block order; null if it is flat.
static Operation *firstControlFlow(StepOp step) {
  for (Operation &op : step.getBody().front())
    if (isa<scf::SCFDialect>(op.getDialect()) || op.getNumSuccessors())
      return &op;
  return nullptr;
}

static LogicalResult flatten(StepOp step) {
  if (failed(inlineCalls(step)) || failed(foldConstants(step)))
    return failure();
  bool unrolled = false;
  while (Operation *op = firstControlFlow(step)) {
    LogicalResult result = failure();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      result = unrollLoop(loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      result = flattenBranch(branch);
    else
      return op->emitError() << "'" << op->getName() << "' is control flow that is not known "
                             << "before the run";
    if (failed(result) || failed(foldConstants(step)))
      return failure();
    unrolled = true;
  }
  return unrolled ? foldConstants(step) : success();
}

namespace {
struct FlattenControlFlowPass : impl::FlattenControlFlowPassBase<FlattenControlFlowPass> {
  void runOnOperation() override {
    for (auto step : getOperation().getOps<StepOp>())
      if (failed(flatten(step)))
        return signalPassFailure();
    // What was inlined everywhere is not run by anybody else.
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function.erase();
  }
};
} // namespace
} // namespace zero
