//===- OutlineKernels.cpp - Fusion groups as kernels and launches ---------===//

#include "FormKernels.h"

#include "dialects/NN/NNOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace zero {
namespace {

/// One group on its way to becoming a kernel.
struct Outline {
  SetVector<Operation *> body;  ///< members and the views that they read through
  SmallVector<Value> inputs;    ///< tensors made outside
  SmallVector<Value> results;   ///< members' results that are used outside
  SmallVector<int64_t> scalars; ///< integer constants, which become operands
  SmallVector<Operation *> scalarOps;
  Value inPlace;                ///< what one result starts from and is written over
  unsigned inPlaceResult = 0;   ///< the number of that result
};
} // namespace

/// An integer constant is an operand, so that layers that differ in it alone share
/// a kernel.
static std::optional<int64_t> scalarOperand(Operation *op) {
  auto constant = dyn_cast_or_null<arith::ConstantOp>(op);
  if (!constant || !constant.getType().isInteger(64))
    return std::nullopt;
  return cast<IntegerAttr>(constant.getValue()).getInt();
}

/// True where `value` is a view of bytes that stand in a buffer outside the group: the
/// view stays in the step, so that kernels don't differ by what it is a view of.
static bool isBufferView(Value value, const DenseSet<Operation *> &members) {
  Operation *def = value.getDefiningOp();
  while (def && isStepView(def) && !isa<tensor::EmptyOp>(def))
    def = def->getOperand(0).getDefiningOp();
  return !def || (!isFreeView(def) && !members.contains(def));
}

/// Adds `member` and the views that it reads through to the body, operands first,
/// and what it reads from outside to the inputs.
static void collect(Operation *member, const DenseSet<Operation *> &members,
                    Outline &outline) {
  SmallVector<std::pair<Operation *, bool>> stack{{member, false}};
  while (!stack.empty()) {
    auto [op, ready] = stack.pop_back_val();
    if (outline.body.contains(op))
      continue;
    if (ready) {
      outline.body.insert(op);
      continue;
    }
    stack.push_back({op, true});
    for (Value operand : llvm::reverse(op->getOperands())) {
      Operation *def = operand.getDefiningOp();
      if (def && members.contains(def))
        continue;
      if (std::optional<int64_t> scalar = scalarOperand(def)) {
        if (!llvm::is_contained(outline.scalarOps, def)) {
          outline.scalarOps.push_back(def);
          outline.scalars.push_back(*scalar);
        }
      } else if (def && isFreeView(def) && !isBufferView(operand, members)) {
        stack.push_back({def, false});
      } else if (!llvm::is_contained(outline.inputs, operand)) {
        outline.inputs.push_back(operand);
      }
    }
  }
}

/// True where something outside `body`'s members reads `value`, if only through a
/// view: other kernels clone the view and read the value itself.
static bool isUsedOutside(Value value, const DenseSet<Operation *> &members) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (members.contains(user))
        continue;
      if (!isFreeView(user))
        return true;
      llvm::append_range(worklist, user->getResults());
    }
  return false;
}

/// Makes `value` no input but the out of `result` itself.
static void writeOver(Value value, Value result, Outline &outline) {
  auto *input = llvm::find(outline.inputs, value);
  auto *output = llvm::find(outline.results, result);
  if (outline.inPlace || input == outline.inputs.end() || output == outline.results.end())
    return;
  outline.inPlace = value;
  outline.inPlaceResult = output - outline.results.begin();
  outline.inputs.erase(input);
}

/// The gradient of an embedding adds to a table, a few rows of it, where the table stands.
/// The gradient of logits takes their place, element by element, when their row has been
/// reduced and nothing else reads them.
static void findInPlace(const FusionGroup &group, Outline &outline) {
  auto embedding = dyn_cast<nn::EmbeddingGradOp>(group.members.front());
  if (embedding && group.members.size() == 1)
    writeOver(embedding.getInit(), embedding.getResult(), outline);
  for (Operation *member : group.members) {
    auto loss = dyn_cast<nn::CrossEntropyGradOp>(member);
    if (!loss || !loss.getLogits().getDefiningOp<ProductOp>())
      continue;
    bool readsOnlyHere = llvm::all_of(loss.getLogits().getUsers(), [&](Operation *user) {
      return isa<nn::CrossEntropyGradOp, nn::CrossEntropyRowsOp>(user) &&
             llvm::is_contained(group.members, user);
    });
    if (readsOnlyHere)
      writeOver(loss.getLogits(), loss.getResult(), outline);
  }
}

static Outline outlineOf(const FusionGroup &group) {
  DenseSet<Operation *> members(group.members.begin(), group.members.end());
  Outline outline;
  for (Operation *member : group.members)
    collect(member, members, outline);
  for (Operation *member : group.members)
    for (Value result : member->getResults())
      if (isUsedOutside(result, members))
        outline.results.push_back(result);
  findInPlace(group, outline);
  return outline;
}

static KernelOp buildKernel(const Outline &outline, Location loc) {
  OpBuilder builder(loc.getContext());
  SmallVector<Type> outs = llvm::to_vector(TypeRange(ValueRange(outline.results)));
  SmallVector<Type> arguments = llvm::to_vector(TypeRange(ValueRange(outline.inputs)));
  llvm::append_range(arguments, outs);
  arguments.append(outline.scalars.size(), builder.getI64Type());
  auto kernel = KernelOp::create(builder, loc, "kernel",
                                 builder.getFunctionType(arguments, outs),
                                 outline.scalars.size(), /*update=*/false, DictionaryAttr());
  Block &block = kernel.getBody().emplaceBlock();
  block.addArguments(arguments, SmallVector<Location>(arguments.size(), loc));
  builder.setInsertionPointToEnd(&block);
  IRMapping map;
  map.map(outline.inputs, kernel.getInputs());
  if (outline.inPlace)
    map.map(outline.inPlace, kernel.getOuts()[outline.inPlaceResult]);
  for (auto [op, scalar] : llvm::zip_equal(outline.scalarOps, kernel.getScalars()))
    map.map(op->getResult(0), scalar);
  for (Operation *op : outline.body)
    builder.clone(*op, map);
  SmallVector<Value> results;
  for (Value result : outline.results)
    results.push_back(map.lookup(result));
  YieldOp::create(builder, loc, results);
  return kernel;
}

KernelOp buildTrialKernel(const FusionGroup &group) {
  return buildKernel(outlineOf(group), group.members.back()->getLoc());
}

/// The operation that a kernel is best known by: the first that is not elementwise.
static StringRef stemOf(const FusionGroup &group) {
  for (Operation *op : group.members)
    if (!isa<arith::ArithDialect>(op->getDialect()) && op->getDialect()->getNamespace() != "math")
      return op->getName().stripDialect();
  return "map";
}

static void outline(const FusionGroup &group, KernelPool &pool) {
  Outline outline = outlineOf(group);
  Operation *last = group.members.back();
  KernelOp kernel = pool.intern(buildKernel(outline, last->getLoc()), stemOf(group));
  OpBuilder builder(last);
  SmallVector<Value> outs;
  for (auto [number, result] : llvm::enumerate(outline.results)) {
    if (outline.inPlace && number == outline.inPlaceResult) {
      outs.push_back(outline.inPlace);
      continue;
    }
    auto type = cast<RankedTensorType>(result.getType());
    outs.push_back(tensor::EmptyOp::create(builder, last->getLoc(), type.getShape(),
                                           type.getElementType()));
  }
  auto launch = LaunchOp::create(builder, last->getLoc(),
                                 TypeRange(ValueRange(outline.results)),
                                 FlatSymbolRefAttr::get(kernel.getSymNameAttr()),
                                 outline.inputs, outs,
                                 builder.getDenseI64ArrayAttr(outline.scalars),
                                 FlatSymbolRefAttr());
  for (auto [old, fresh] : llvm::zip_equal(outline.results, launch.getResults()))
    old.replaceAllUsesWith(fresh);
}

void eraseDeadOperations(StepOp step) {
  Block &block = step.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isMemoryEffectFree(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
}

/// A launch stands at the place of its group's last member, so a view of a result may
/// stand before it: views, and nothing else, move behind what they view. Launches keep
/// their order, with each other and with the stores that overwrite what they read.
static void sinkViews(StepOp step) {
  Block &block = step.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isFreeView(&op))
      continue;
    Operation *last = nullptr;
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (!def->isBeforeInBlock(&op) && (!last || last->isBeforeInBlock(def)))
          last = def;
    if (last)
      op.moveAfter(last);
  }
}

void outlineKernels(StepOp step, ArrayRef<FusionGroup> groups, KernelPool &pool) {
  for (const FusionGroup &group : groups)
    outline(group, pool);
  // The members are dead now, and so are the views that only they read.
  eraseDeadOperations(step);
  sinkViews(step);
}

} // namespace zero
