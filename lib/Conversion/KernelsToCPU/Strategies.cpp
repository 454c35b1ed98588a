//===- Strategies.cpp - Kernels of elements and of rows -------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace zero {

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Floats of 16 to 64 bits and integers whose size is whole bytes, or one bit.
static bool hasPlainElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return true;
  Type element = type.getElementType();
  bool isFloat = element.isF32() || element.isF64() || element.isF16() || element.isBF16();
  bool isInteger = element.isIndex() || element.isSignlessInteger(1) ||
                   element.isSignlessInteger(8) || element.isSignlessInteger(16) ||
                   element.isSignlessInteger(32) || element.isSignlessInteger(64);
  return type.hasStaticShape() && (isFloat || isInteger);
}

LogicalResult KernelEmitter::emit() {
  auto takes = [&](Operation *op) {
    return llvm::all_of(op->getOperands(), hasPlainElements) &&
           llvm::all_of(op->getResults(), hasPlainElements);
  };
  for (Operation &op : kernel.getBlock())
    if (!takes(&op))
      return op.emitError() << "'" << op.getName()
                            << "' has tensors of a type that no generator for CPUs takes";
  auto strategy = kernel.getConfigAttr() ? kernel.getConfigAttr().getAs<StringAttr>("strategy")
                                         : StringAttr();
  if (!strategy)
    return kernel.emitOpError() << "has no config with a strategy";
  StringRef name = strategy.getValue();
  if (name == "flat")
    emitFlat();
  else if (name == "rows")
    emitRows();
  else if (name == "columns")
    emitColumns();
  else if (name == "embedding_grad")
    emitEmbeddingGrad();
  else if (name == "attention")
    emitOnly<nn::AttentionOp>(emitAttention);
  else if (name == "attention_grad")
    emitOnly<nn::AttentionGradOp>(emitAttentionGrad);
  else
    return kernel.emitOpError() << "has the strategy '" << name
                                << "', which no generator for CPUs knows";
  placeHere();
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return success(!failed);
}

/// Emits a kernel that holds one `Op` and views of its operands and results.
template <typename Op> void KernelEmitter::emitOnly(void (*emit)(KernelEmitter &, Op)) {
  SmallVector<Op> ops(kernel.getBlock().getOps<Op>());
  if (ops.size() != 1) {
    fail(kernel, "holds more than one attention", b.getF32Type());
    return;
  }
  emit(*this, ops.front());
}

/// The point of a view's result where it shows `point` of its operand.
std::optional<Point> KernelEmitter::forward(Operation *view, OpOperand &use, Point point) {
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(view)) {
    Point result;
    for (auto group : op.getReassociationIndices())
      result.push_back(linearise(ArrayRef(point).slice(group.front(), group.size()),
                                 op.getSrcType().getShape().slice(group.front(), group.size())));
    return result;
  }
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(view)) {
    Point result;
    for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices()))
      llvm::append_range(result, delinearise(point[dim], op.getResultType().getShape().slice(
                                                             group.front(), group.size())));
    return result;
  }
  if (auto op = dyn_cast<linalg::TransposeOp>(view)) {
    if (use.getOperandNumber() != 0)
      return std::nullopt;
    Point result;
    for (int64_t dim : op.getPermutation())
      result.push_back(point[dim]);
    return result;
  }
  if (auto op = dyn_cast<tensor::ConcatOp>(view)) {
    uint64_t dim = op.getDim();
    for (Value before : op.getInputs().take_front(use.getOperandNumber()))
      point[dim] = plus(point[dim], typeOf(before).getDimSize(dim));
    return point;
  }
  return std::nullopt;
}

void KernelEmitter::storeEverywhere(Value result, Point from, Value value) {
  SmallVector<std::pair<Value, Point>> worklist{{result, from}};
  while (!worklist.empty()) {
    auto [current, point] = worklist.pop_back_val();
    for (OpOperand &use : current.getUses()) {
      Operation *user = use.getOwner();
      if (isa<YieldOp>(user)) {
        storeOut(use.getOperandNumber(), point, value);
      } else if (std::optional<Point> next = forward(user, use, point)) {
        worklist.push_back({user->getResult(0), *next});
      } else {
        fail(user, "can't follow attention in one kernel", b.getF32Type());
        return;
      }
    }
  }
}

void KernelEmitter::storeOut(unsigned out, ArrayRef<Index> point, Value value) {
  RankedTensorType type = typeOf(kernel.getOuts()[out]);
  Index at = int64_t(point.size()) == type.getRank() ? linearise(point, type.getShape())
                                                     : point.front();
  store(operandPointer(kernel.getNumInputs() + out), type.getElementType(), at, value);
}

//===----------------------------------------------------------------------===//
// Elements in order
//===----------------------------------------------------------------------===//

void KernelEmitter::emitFlat() {
  OperandRange results = kernel.getYield().getOperands();
  for (Value result : results)
    if (typeOf(result).getNumElements() != config("extent")) {
      fail(kernel, "has results of different sizes but no rows", b.getF32Type());
      return;
    }
  // What is one number for all elements is made before the loop.
  for (Operation &op : kernel.getBlock())
    if (op.getNumResults() == 1 && isa<RankedTensorType>(op.getResult(0).getType()) &&
        typeOf(op.getResult(0)).getRank() == 0)
      eval(op.getResult(0), Point{});
  vectorLoop(begin, end, {}, [&](Index index, ValueRange) -> Values {
    Values values;
    for (Value result : results)
      values.push_back(evalInOrder(result, typeOf(result).getRank() == 0 ? Point{} : Point{index}));
    for (auto [out, value] : llvm::enumerate(values))
      storeOut(out, {index}, value);
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Lists the row operations with the level at which each starts: the number of loops
/// over the row that must have run before.
void KernelEmitter::orderRowOps() {
  DenseMap<Operation *, unsigned> ready; // levels that must be done before a value
  for (Operation &op : kernel.getBlock().without_terminator()) {
    unsigned level = 0;
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp())
        level = std::max(level, ready.lookup(def));
    if (isRowOp(&op)) {
      rowOpOf[&op] = rowOps.size();
      rowOps.push_back({&op, level});
      level += stagesOf(&op);
    }
    ready[&op] = level;
  }
  findEarlyResults(ready);
}

/// Full rows that are results and are known before the last loop over the row are
/// stored by the first loop that can, and read back by the later ones instead of
/// being made again. Not where that would round, or write over what is still read.
void KernelEmitter::findEarlyResults(const DenseMap<Operation *, unsigned> &ready) {
  if (!usedOuts.empty() || rowColumns == 1)
    return;
  for (auto [out, result] : llvm::enumerate(kernel.getYield().getOperands())) {
    Operation *def = result.getDefiningOp();
    RankedTensorType type = typeOf(result);
    bool isFull = type.getNumElements() == config("rows") * rowColumns;
    if (def && isFull && !rowOpOf.contains(def) &&
        computeType(type.getElementType()) == type.getElementType() &&
        !type.getElementType().isInteger(1))
      earlyResults.push_back({unsigned(out), ready.lookup(def)});
  }
}

/// One loop over the row: all stages of this level, on several vectors of running
/// values, joined by a tree that the shape fixes.
void KernelEmitter::reduceLevel(unsigned level, Index row) {
  currentRow = row;
  SmallVector<std::pair<unsigned, unsigned>> stages; // row operation, stage
  for (auto [number, rowOp] : llvm::enumerate(rowOps))
    if (level >= rowOp.firstLevel && level < rowOp.firstLevel + stagesOf(rowOp.op))
      stages.push_back({number, level - rowOp.firstLevel});
  SmallVector<Combine> combines;
  auto termsAt = [&](Index column) {
    SmallVector<Term> terms;
    for (auto [number, stage] : stages) {
      ArrayRef<int64_t> shape = typeOf(rowInput(rowOps[number].op)).getShape();
      Point point = pointOf(shape, row, column, rowColumns);
      llvm::append_range(terms, rowTerms(rowOps[number], stage, point));
    }
    return terms;
  };
  SmallVector<Type> types = termTypes(stages, combines);
  if (failed)
    return;
  int64_t width = rowColumns >= 4 * kLanes ? 4 : 1, terms = combines.size();
  Values running;
  for (int64_t copy = 0; copy < width; ++copy)
    for (auto [how, type] : llvm::zip_equal(combines, types))
      running.push_back(identity(how, lanesOf(type)));
  int64_t block = width * kLanes, blocked = rowColumns / block * block;
  auto accumulate = [&](Index column, ValueRange carried, int64_t copies) {
    Values next(carried);
    for (int64_t copy = 0; copy < copies; ++copy)
      for (auto [t, term] : llvm::enumerate(termsAt(plus(column, copy * kLanes)))) {
        Value &slot = next[copy * terms + t];
        slot = combine(term.combine, slot,
                       underMask(splat(term.value), identity(term.combine, slot.getType())));
      }
    for (int64_t copy = 0; copy < copies; ++copy)
      storeEarly(level, row, plus(column, copy * kLanes));
    return next;
  };
  if (width > 1)
    running = forLoop(constant(0), constant(blocked), block, running,
                      [&](Value iv, ValueRange carried) {
                        return accumulate({iv, 1, nullptr}, carried, width);
                      });
  running = vectorLoop(constant(width > 1 ? blocked : 0), constant(rowColumns), running,
                       [&](Index column, ValueRange carried) {
                         return accumulate(column, carried, 1);
                       });
  for (auto [out, ready] : earlyResults)
    if (ready == level)
      storedRows[kernel.getYield().getOperand(out)] = kernel.getNumInputs() + out;
  unsigned first = 0;
  for (auto [number, stage] : stages) {
    RowOp &rowOp = rowOps[number];
    Values totals;
    for (unsigned t = 0, count = termCount(rowOp.op); t < count; ++t)
      totals.push_back(joinCopies(combines[first + t], running, first + t, terms));
    first += totals.size();
    finishStage(rowOp, stage, totals, row);
    rowOp.isDone = stage + 1 == stagesOf(rowOp.op);
  }
}

void KernelEmitter::storeEarly(unsigned level, Index row, Index column) {
  for (auto [out, ready] : earlyResults) {
    if (ready != level)
      continue;
    Value result = kernel.getYield().getOperand(out);
    Point point = pointOf(typeOf(result).getShape(), row, column, rowColumns);
    storeOut(out, point, evalInOrder(result, point));
  }
}

Value KernelEmitter::joinCopies(Combine how, ValueRange running, unsigned first,
                                unsigned step) {
  Values copies;
  for (unsigned i = first; i < running.size(); i += step)
    copies.push_back(running[i]);
  while (copies.size() > 1) {
    Values joined;
    for (unsigned i = 0; i < copies.size(); i += 2)
      joined.push_back(combine(how, copies[i], copies[i + 1]));
    copies = joined;
  }
  return combineLanes(how, copies.front());
}

unsigned KernelEmitter::termCount(Operation *op) { return isa<nn::LayerNormGradOp>(op) ? 2 : 1; }

SmallVector<Type> KernelEmitter::termTypes(ArrayRef<std::pair<unsigned, unsigned>> stages,
                                           SmallVector<Combine> &combines) {
  SmallVector<Type> types;
  for (auto [number, stage] : stages) {
    Operation *op = rowOps[number].op;
    auto reduce = dyn_cast<linalg::ReduceOp>(op);
    bool isMaximum = isa<nn::SoftmaxOp, nn::CrossEntropyRowsOp>(op) && stage == 0;
    Combine how = reduce ? *combinerOf(reduce) : isMaximum ? Combine::Max : Combine::Add;
    combines.append(termCount(op), how);
    types.append(termCount(op), computeType(typeOf(rowInput(op)).getElementType()));
  }
  return types;
}

/// Stores the results of a row: numbers of the row, then the columns of all the rest.
void KernelEmitter::storeRow(Index row) {
  OperandRange results = kernel.getYield().getOperands();
  int64_t rows = config("rows");
  auto isFull = [&](Value result) {
    return rowColumns != 1 && typeOf(result).getNumElements() == rows * rowColumns;
  };
  auto storeAt = [&](Index column) {
    SmallVector<std::tuple<unsigned, Point, Value>> values;
    for (auto [out, result] : llvm::enumerate(results))
      if (isFull(result) && !storedRows.contains(result)) {
        Point point = pointOf(typeOf(result).getShape(), row, column, rowColumns);
        values.push_back({out, point, evalInOrder(result, point)});
      }
    for (auto &[out, point, value] : values)
      storeOut(out, point, value);
  };
  // Random numbers come for 64 elements at a time.
  bool isRandom = !kernel.getBlock().getOps<nn::DropoutOp>().empty();
  int64_t block = 4 * kLanes, blocked = isRandom ? rowColumns / block * block : 0;
  if (blocked > 0)
    forLoop(constant(0), constant(blocked), block, {}, [&](Value iv, ValueRange) -> Values {
      for (int64_t copy = 0; copy < 4; ++copy)
        storeAt({add(iv, constant(copy * kLanes)), 1, nullptr});
      return {};
    });
  vectorLoop(constant(blocked), constant(rowColumns), {}, [&](Index column, ValueRange) -> Values {
    storeAt(column);
    return {};
  });
  for (auto [out, result] : llvm::enumerate(results)) {
    if (isFull(result))
      continue;
    if (typeOf(result).getNumElements() != rows) {
      fail(kernel, "has a result that has neither a number per row nor all columns",
           b.getF32Type());
      return;
    }
    Point point = delinearise(row, typeOf(result).getShape());
    storeOut(out, point, eval(result, point));
  }
}

void KernelEmitter::emitRows() {
  rowColumns = config("columns");
  orderRowOps();
  unsigned levels = 0;
  for (RowOp &row : rowOps)
    levels = std::max(levels, row.firstLevel + stagesOf(row.op));
  forLoop(begin, end, 1, {}, [&](Value iv, ValueRange) -> Values {
    Index row = uniform(iv);
    for (unsigned level = 0; level < levels && !failed; ++level)
      reduceLevel(level, row);
    storeRow(row);
    return {};
  });
}

} // namespace zero
