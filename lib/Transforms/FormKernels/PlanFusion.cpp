//===- PlanFusion.cpp - Which operations run as one kernel ----------------===//
//
// Groups are grown in block order: an operation joins the groups that produce its
// operands where the iteration domains fit and nothing outside needs an earlier
// result of the group before the operation's own place. A group runs at the place
// of its last member. Nothing here knows the stage or the number of ranks.
//
//===----------------------------------------------------------------------===//

#include "FormKernels.h"

#include "dialects/NN/NNDialect.h"
#include "dialects/NN/NNOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;

namespace zero {

//===----------------------------------------------------------------------===//
// Classes of operations
//===----------------------------------------------------------------------===//

bool isFreeView(Operation *op) {
  return isa<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp, linalg::BroadcastOp,
             linalg::TransposeOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op);
}

bool isStepView(Operation *op) {
  if (isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return true;
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice)
    return false;
  // Contiguous: whole in every dimension but the first that is longer than 1.
  ArrayRef<int64_t> source = slice.getSourceType().getShape();
  bool open = true;
  for (auto [dim, size] : llvm::enumerate(slice.getStaticSizes())) {
    if (slice.getStaticStrides()[dim] != 1 || (!open && size != source[dim]))
      return false;
    open &= size == 1;
  }
  return true;
}

bool isStepOperation(Operation *op) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concat.getDim() == 0;
  return isa<ZeroDialect>(op->getDialect());
}

static RankedTensorType tensorType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

namespace {
/// What one operation asks of the kernel that holds it.
struct Domain {
  IterationKind kind;
  int64_t rows, columns;

  int64_t elements() const { return rows * columns; }
};
} // namespace

static Domain rowsOf(IterationKind kind, RankedTensorType type) {
  int64_t columns = type.getRank() ? type.getShape().back() : 1;
  return {kind, columns ? type.getNumElements() / columns : 0, columns};
}

static Domain domainOfReduce(linalg::ReduceOp op) {
  auto type = cast<RankedTensorType>(op.getInputs().front().getType());
  ArrayRef<int64_t> dims = op.getDimensions();
  int64_t reduced = 1;
  for (int64_t dim : dims)
    reduced *= type.getDimSize(dim);
  int64_t kept = reduced ? type.getNumElements() / reduced : 0;
  int64_t count = dims.size(), rank = type.getRank();
  bool leading = llvm::equal(dims, llvm::seq<int64_t>(0, count));
  bool trailing = llvm::equal(dims, llvm::seq<int64_t>(rank - count, rank));
  if (trailing && !leading)
    return {IterationKind::Rows, kept, reduced};
  if (leading && !trailing)
    return {IterationKind::Columns, reduced, kept};
  return {IterationKind::Single, kept, reduced};
}

static Domain domainOfNN(Operation *op) {
  RankedTensorType result = tensorType(op->getResult(0));
  if (isa<nn::LayerNormGradOp, nn::RmsNormGradOp>(op))
    return rowsOf(op->getResult(0).use_empty() ? IterationKind::Columns : IterationKind::Rows,
                  result);
  if (isa<nn::LayerNormOp, nn::RmsNormOp, nn::SoftmaxOp, nn::SoftmaxGradOp,
          nn::CrossEntropyGradOp>(op))
    return rowsOf(IterationKind::Rows, result);
  if (auto rows = dyn_cast<nn::CrossEntropyRowsOp>(op))
    return rowsOf(IterationKind::Rows, tensorType(rows.getLogits()));
  if (isa<nn::DropoutOp>(op))
    return rowsOf(IterationKind::Map, result);
  return rowsOf(IterationKind::Single, result);
}

static bool isElementwise(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         op->getNumResults() == 1 && tensorType(op->getResult(0));
}

/// The domain of an operation that must run in a kernel; failure for one that none
/// can hold.
static FailureOr<Domain> domainOf(Operation *op) {
  if (op->getNumResults() == 0 || !tensorType(op->getResult(0)))
    return failure();
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    return domainOfReduce(reduce);
  if (isa<nn::NNDialect>(op->getDialect()))
    return domainOfNN(op);
  if (isElementwise(op) || isFreeView(op))
    return rowsOf(IterationKind::Map, tensorType(op->getResult(0)));
  if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp>(op))
    return rowsOf(IterationKind::Single, tensorType(op->getResult(0)));
  return failure();
}

//===----------------------------------------------------------------------===//
// Growing groups
//===----------------------------------------------------------------------===//

namespace {
class FusionPlanner {
public:
  FusionPlanner(StepOp step, const DenseSet<Operation *> &separate)
      : step(step), separate(separate) {}

  FailureOr<SmallVector<FusionGroup>> plan();

private:
  struct Group {
    FusionGroup decision;
    unsigned last; ///< position of the last member
  };

  void findBuffers();
  LogicalResult place(Operation *op);
  SmallVector<unsigned> producerGroups(Operation *op);
  bool canJoin(const Group &group, Operation *op, const Domain &domain);
  bool domainsFit(const Group &group, Operation *op, const Domain &domain);
  bool readsRowByRow(const Group &group, Operation *op);
  /// Nothing but members and `op` uses the group's results before `op`.
  bool isFreeUntil(const Group &group, Operation *op);
  void join(unsigned group, Operation *op, const Domain &domain);
  void mergeInto(unsigned from, unsigned to);
  /// One that began with an operation that is kept separate merges with no other.
  bool isApart(const Group &group) {
    return llvm::any_of(group.decision.members,
                        [&](Operation *op) { return separate.contains(op); });
  }

  StepOp step;
  const DenseSet<Operation *> &separate;
  DenseMap<Operation *, unsigned> position;
  DenseMap<Operation *, unsigned> groupOf;
  /// Free views whose result something outside kernels needs as a buffer.
  DenseSet<Operation *> materialised;
  SmallVector<Group> groups;
};
} // namespace

/// Calls `visit` for each user of `value`, looking through views that kernels clone.
static void forEachUse(Value value, const DenseSet<Operation *> &materialised,
                       function_ref<void(Operation *)> visit) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isFreeView(user) && !materialised.contains(user))
        llvm::append_range(worklist, user->getResults());
      else
        visit(user);
    }
}

/// The values that `op` reads, looking through views that kernels clone.
static void forEachSource(Operation *op, const DenseSet<Operation *> &materialised,
                          function_ref<void(Value)> visit) {
  SmallVector<Value> worklist(op->getOperands());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (def && isFreeView(def) && !materialised.contains(def))
      llvm::append_range(worklist, def->getOperands());
    else
      visit(value);
  }
}

/// Marks the views that must be written out: those that a step operation reads and
/// that are not views of contiguous bytes.
void FusionPlanner::findBuffers() {
  DenseSet<Value> needed;
  for (Operation &op : llvm::reverse(step.getBody().front())) {
    if (isStepOperation(&op)) {
      needed.insert(op.operand_begin(), op.operand_end());
      continue;
    }
    if (!isFreeView(&op) || !needed.contains(op.getResult(0)))
      continue;
    if (isStepView(&op))
      needed.insert(op.operand_begin(), op.operand_end());
    else
      materialised.insert(&op);
  }
}

SmallVector<unsigned> FusionPlanner::producerGroups(Operation *op) {
  SmallVector<unsigned> found;
  forEachSource(op, materialised, [&](Value value) {
    auto it = groupOf.find(value.getDefiningOp());
    if (it != groupOf.end() && !llvm::is_contained(found, it->second))
      found.push_back(it->second);
  });
  llvm::sort(found, [&](unsigned a, unsigned b) { return groups[a].last > groups[b].last; });
  return found;
}

bool FusionPlanner::isFreeUntil(const Group &group, Operation *op) {
  unsigned end = position[op];
  unsigned id = groupOf[group.decision.members.front()];
  bool isFree = true;
  for (Operation *member : group.decision.members)
    for (Value result : member->getResults())
      forEachUse(result, materialised, [&](Operation *user) {
        auto it = groupOf.find(user);
        bool inside = it != groupOf.end() && it->second == id;
        isFree &= inside || position.lookup(user) >= end;
      });
  return isFree;
}

/// True where `op` reads the group's results at its own rows only: through no view
/// but the repetition of a row's value along the row.
bool FusionPlanner::readsRowByRow(const Group &group, Operation *op) {
  SmallVector<std::pair<Value, bool>> worklist; // value, seen through a reordering
  for (Value operand : op->getOperands())
    worklist.push_back({operand, false});
  while (!worklist.empty()) {
    auto [value, reordered] = worklist.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (!def)
      continue;
    if (!isFreeView(def) || materialised.contains(def)) {
      auto it = groupOf.find(def);
      if (reordered && it != groupOf.end() && &groups[it->second] == &group)
        return false;
      continue;
    }
    auto broadcast = dyn_cast<linalg::BroadcastOp>(def);
    bool alongRow = broadcast && llvm::equal(broadcast.getDimensions(),
        llvm::seq<int64_t>(tensorType(broadcast.getInput()).getRank(),
                           tensorType(def->getResult(0)).getRank()));
    for (Value operand : def->getOperands())
      worklist.push_back({operand, reordered || !alongRow});
  }
  return true;
}

bool FusionPlanner::domainsFit(const Group &group, Operation *op, const Domain &domain) {
  const FusionGroup &g = group.decision;
  // A join of gradients rides on the kernel that makes all of them.
  if (isa<tensor::ConcatOp>(op)) {
    bool onlyThis = true;
    forEachSource(op, materialised, [&](Value value) {
      auto it = groupOf.find(value.getDefiningOp());
      onlyThis &= it != groupOf.end() && &groups[it->second] == &group;
      unsigned uses = 0;
      forEachUse(value, materialised, [&](Operation *) { ++uses; });
      onlyThis &= uses == 1;
    });
    return onlyThis && g.kind == IterationKind::Single &&
           isa<nn::AttentionGradOp>(g.members.front());
  }
  if (g.kind == IterationKind::Single || domain.kind == IterationKind::Single ||
      g.kind == IterationKind::Columns || domain.kind == IterationKind::Columns)
    return false;
  if (!readsRowByRow(group, op))
    return false;
  int64_t elements = g.rows * g.columns;
  if (g.kind == IterationKind::Map && domain.kind == IterationKind::Map)
    return g.rows == domain.rows && g.columns == domain.columns;
  if (g.kind == IterationKind::Rows && domain.kind == IterationKind::Rows)
    return g.rows == domain.rows && g.columns == domain.columns;
  if (g.kind == IterationKind::Rows)
    return domain.elements() == elements || domain.elements() == g.rows;
  return elements == domain.elements() || elements == domain.rows;
}

bool FusionPlanner::canJoin(const Group &group, Operation *op, const Domain &domain) {
  return domainsFit(group, op, domain) && isFreeUntil(group, op);
}

void FusionPlanner::join(unsigned id, Operation *op, const Domain &domain) {
  FusionGroup &group = groups[id].decision;
  if (domain.kind == IterationKind::Rows && group.kind == IterationKind::Map) {
    group.kind = IterationKind::Rows;
    group.rows = domain.rows;
    group.columns = domain.columns;
  }
  group.members.push_back(op);
  groupOf[op] = id;
  groups[id].last = position[op];
}

void FusionPlanner::mergeInto(unsigned from, unsigned to) {
  for (Operation *op : groups[from].decision.members)
    groupOf[op] = to;
  auto &target = groups[to].decision.members;
  llvm::append_range(target, groups[from].decision.members);
  llvm::sort(target, [&](Operation *a, Operation *b) { return position[a] < position[b]; });
  groups[from].decision.members.clear();
}

LogicalResult FusionPlanner::place(Operation *op) {
  FailureOr<Domain> domain = domainOf(op);
  if (failed(domain))
    return op->emitError() << "'" << op->getName() << "' can't run in a kernel";
  std::optional<unsigned> joined;
  for (unsigned id : separate.contains(op) ? SmallVector<unsigned>() : producerGroups(op)) {
    if (!canJoin(groups[id], op, *domain))
      continue;
    if (!joined) {
      join(id, op, *domain);
      joined = id;
      continue;
    }
    Domain other{groups[id].decision.kind, groups[id].decision.rows,
                 groups[id].decision.columns};
    if (!domainsFit(groups[*joined], op, other) || isApart(groups[*joined]) ||
        isApart(groups[id]))
      continue;
    if (other.kind == IterationKind::Rows) {
      groups[*joined].decision.kind = other.kind;
      groups[*joined].decision.rows = other.rows;
      groups[*joined].decision.columns = other.columns;
    }
    mergeInto(id, *joined);
  }
  if (joined)
    return success();
  groupOf[op] = groups.size();
  groups.push_back({{domain->kind, domain->rows, domain->columns, {op}}, position[op]});
  return success();
}

FailureOr<SmallVector<FusionGroup>> FusionPlanner::plan() {
  for (auto [index, op] : llvm::enumerate(step.getBody().front()))
    position[&op] = index;
  findBuffers();
  for (Operation &op : step.getBody().front()) {
    bool inKernel = !isStepOperation(&op) &&
                    (!isFreeView(&op) || materialised.contains(&op));
    if (inKernel && failed(place(&op)))
      return failure();
  }
  SmallVector<FusionGroup> plan;
  for (Group &group : groups)
    if (!group.decision.members.empty())
      plan.push_back(std::move(group.decision));
  return plan;
}

FailureOr<SmallVector<FusionGroup>> planFusion(StepOp step,
                                               const DenseSet<Operation *> &separate) {
  return FusionPlanner(step, separate).plan();
}

} // namespace zero
