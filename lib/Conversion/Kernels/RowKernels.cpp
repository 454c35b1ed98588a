//===- RowKernels.cpp - Kernels that go row by row ------------------------===//

#include "KernelEvaluator.h"

using namespace mlir;

namespace zero {

/// Lists the row operations with the level at which each starts: the number of
/// loops over the row that must have run before.
void KernelEvaluator::orderRowOps() {
  DenseMap<Operation *, unsigned>
      ready; // levels that must be done before a value
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

/// Full rows that are results and are known before the last loop over the row
/// are stored by the first loop that can, and read back by the later ones
/// instead of being made again. Not where that would round, or write over what
/// is still read.
void KernelEvaluator::findEarlyResults(
    const DenseMap<Operation *, unsigned> &ready) {
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

/// The terms of `stages` at a column of the current row.
SmallVector<Term> KernelEvaluator::levelTerms(ArrayRef<Stage> stages,
                                            Index column) {
  SmallVector<Term> terms;
  for (auto [number, stage] : stages) {
    ArrayRef<int64_t> shape = typeOf(rowInput(rowOps[number].op)).getShape();
    Point point = pointOf(shape, currentRow, column, rowColumns);
    llvm::append_range(terms, rowTerms(rowOps[number], stage, point));
  }
  return terms;
}

/// Adds the terms of `copies` vectors of columns to as many running values
/// each.
KernelEvaluator::Values KernelEvaluator::accumulate(ArrayRef<Stage> stages,
                                                unsigned level, Index column,
                                                ValueRange carried,
                                                int64_t copies) {
  Values next(carried);
  unsigned slot = 0;
  for (int64_t copy = 0; copy < copies; ++copy)
    for (Term term : levelTerms(stages, plus(column, copy * laneCount))) {
      Value &sum = next[slot++];
      Value value =
          underMask(splat(term.value), identity(term.combine, sum.getType()));
      sum = combine(term.combine, sum, value);
    }
  for (int64_t copy = 0; copy < copies; ++copy)
    storeEarly(level, currentRow, plus(column, copy * laneCount));
  return next;
}

/// One loop over the row: all stages of this level, on several vectors of
/// running values, joined by a tree that the shape fixes.
void KernelEvaluator::reduceLevel(unsigned level, Index row) {
  currentRow = row;
  SmallVector<Stage> stages;
  for (auto [number, rowOp] : llvm::enumerate(rowOps))
    if (level >= rowOp.firstLevel &&
        level < rowOp.firstLevel + stagesOf(rowOp.op))
      stages.push_back({number, level - rowOp.firstLevel});
  SmallVector<Combine> combines;
  SmallVector<Type> types;
  for (auto [number, stage] : stages) {
    Operation *op = rowOps[number].op;
    llvm::append_range(combines, stageCombines(op, stage));
    types.resize(combines.size(),
                 computeType(typeOf(rowInput(op)).getElementType()));
  }
  int64_t most = vectorsSideBySide();
  int64_t width = rowColumns >= most * laneCount ? most : 1;
  Values running;
  for (int64_t copy = 0; copy < width; ++copy)
    for (auto [how, type] : llvm::zip_equal(combines, types))
      running.push_back(identity(how, lanesOf(type)));
  int64_t block = width * laneCount,
          blocked = width > 1 ? rowColumns / block * block : 0;
  if (blocked > 0)
    running = forLoop(
        constant(0), constant(blocked), block, running,
        [&](Value iv, ValueRange carried) {
          return accumulate(stages, level, {iv, 1, nullptr}, carried, width);
        });
  running = vectorLoop(constant(blocked), constant(rowColumns), running,
                       [&](Index column, ValueRange carried) {
                         return accumulate(stages, level, column, carried, 1);
                       });
  for (auto [out, ready] : earlyResults)
    if (ready == level)
      storedRows[kernel.getYield().getOperand(out)] =
          kernel.getNumInputs() + out;
  finishLevel(stages, combines, running);
}

void KernelEvaluator::finishLevel(ArrayRef<Stage> stages,
                                ArrayRef<Combine> combines,
                                ValueRange running) {
  unsigned first = 0;
  for (auto [number, stage] : stages) {
    RowOp &rowOp = rowOps[number];
    Values totals;
    for (Combine how : stageCombines(rowOp.op, stage))
      totals.push_back(joinCopies(how, running, first++, combines.size()));
    finishStage(rowOp, stage, totals, currentRow);
    rowOp.isDone = stage + 1 == stagesOf(rowOp.op);
  }
}

void KernelEvaluator::storeEarly(unsigned level, Index row, Index column) {
  for (auto [out, ready] : earlyResults) {
    if (ready != level)
      continue;
    Value result = kernel.getYield().getOperand(out);
    Point point = pointOf(typeOf(result).getShape(), row, column, rowColumns);
    storeOut(out, point, evalInOrder(result, point));
  }
}

Value KernelEvaluator::joinCopies(Combine how, ValueRange running, unsigned first,
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

SmallVector<Combine> KernelEvaluator::stageCombines(Operation *op,
                                                  unsigned stage) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    return {*combinerOf(reduce)};
  bool isMaximum =
      isa<nn::SoftmaxOp, nn::CrossEntropyRowsOp, nn::RmsNormOp>(op) && stage == 0;
  if (isMaximum)
    return {Combine::Max};
  if (isa<nn::LayerNormOp>(op) && stage == 0)
    return {Combine::Add, Combine::Max};
  return SmallVector<Combine>(isa<nn::LayerNormGradOp>(op) ? 2 : 1, Combine::Add);
}

bool KernelEvaluator::isFullRow(Value result) {
  return rowColumns != 1 &&
         typeOf(result).getNumElements() == config("rows") * rowColumns;
}

/// Stores 16 columns of the results that are whole rows. All are evaluated
/// first: one may stand where another is read.
void KernelEvaluator::storeColumnsOfRow(Index row, Index column) {
  SmallVector<std::tuple<unsigned, Point, Value>> values;
  for (auto [out, result] : llvm::enumerate(kernel.getYield().getOperands()))
    if (isFullRow(result) && !storedRows.contains(result)) {
      Point point = pointOf(typeOf(result).getShape(), row, column, rowColumns);
      values.push_back({out, point, evalInOrder(result, point)});
    }
  for (auto &[out, point, value] : values)
    storeOut(out, point, value);
}

/// Stores the results of a row: all columns, then the numbers of the row.
void KernelEvaluator::storeRow(Index row) {
  // Random numbers come for 64 elements at a time.
  bool isRandom = !kernel.getBlock().getOps<nn::DropoutOp>().empty();
  int64_t block = 4 * laneCount,
          blocked = isRandom && vectorsSideBySide() == 4
                        ? rowColumns / block * block
                        : 0;
  if (blocked > 0)
    forLoop(constant(0), constant(blocked), block, {},
            [&](Value iv, ValueRange) -> Values {
              for (int64_t copy = 0; copy < 4; ++copy)
                storeColumnsOfRow(
                    row, {add(iv, constant(copy * laneCount)), 1, nullptr});
              return {};
            });
  vectorLoop(constant(blocked), constant(rowColumns), {},
             [&](Index column, ValueRange) -> Values {
               storeColumnsOfRow(row, column);
               return {};
             });
  for (auto [out, result] : llvm::enumerate(kernel.getYield().getOperands())) {
    if (isFullRow(result))
      continue;
    if (typeOf(result).getNumElements() != config("rows")) {
      fail(kernel,
           "has a result that has neither a number per row nor all columns",
           b.getF32Type());
      return;
    }
    Point point = delinearise(row, typeOf(result).getShape());
    storeOut(out, point, eval(result, point));
  }
}

void KernelEvaluator::emitRows() {
  rowColumns = config("columns");
  orderRowOps();
  unsigned levels = 0;
  for (RowOp &row : rowOps)
    levels = std::max(levels, row.firstLevel + stagesOf(row.op));
  rowLoop([&](Index row) {
    for (unsigned level = 0; level < levels && !failed; ++level)
      reduceLevel(level, row);
    storeRow(row);
  });
}

} // namespace zero
