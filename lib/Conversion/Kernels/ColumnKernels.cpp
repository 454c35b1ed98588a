//===- ColumnKernels.cpp - Reductions over rows ---------------------------===//
//
// The running values of the kernel's columns stand in thread scratch; blocks of
// rows are summed in registers and then added, so that memory is read row by
// row.
//
//===----------------------------------------------------------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace zero {

/// The one operation of a kernel of columns.
Operation *KernelEvaluator::columnOp() {
  Operation *found = nullptr;
  for (Operation &op : kernel.getBlock())
    if (isa<linalg::ReduceOp, nn::LayerNormGradOp, nn::RmsNormGradOp>(op)) {
      if (found) {
        fail(&op, "is a second reduction over rows in one kernel",
             b.getF32Type());
        return nullptr;
      }
      found = &op;
    }
  for (Value result : kernel.getYield().getOperands())
    if (result.getDefiningOp() != found) {
      fail(kernel, "has a result that is not of its reduction over rows",
           b.getF32Type());
      return nullptr;
    }
  auto reduce = dyn_cast_or_null<linalg::ReduceOp>(found);
  if (reduce && !combinerOf(reduce)) {
    fail(reduce, "with this combiner has no generator",
         b.getF32Type());
    return nullptr;
  }
  return found;
}

SmallVector<Term> KernelEvaluator::columnTerms(Operation *op, Point point) {
  Value first = evalInOrder(op->getOperand(0), point);
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    return {{*combinerOf(reduce), first}};
  Term gamma{Combine::Add, arith<arith::MulFOp>(first, normalised(op, point))};
  if (isa<nn::LayerNormGradOp>(op))
    return {gamma, {Combine::Add, first}};
  return {gamma};
}

KernelEvaluator::Values KernelEvaluator::reduceRows(Operation *op, Value first,
                                                Value last, Index column,
                                                ValueRange running) {
  ArrayRef<int64_t> shape = typeOf(rowInput(op)).getShape();
  return forLoop(first, last, 1, running, [&](Value row, ValueRange carried) {
    Point point = pointOf(shape, uniform(row), column, rowColumns);
    Values next;
    for (auto [term, sum] : llvm::zip_equal(columnTerms(op, point), carried))
      next.push_back(combine(term.combine, sum, splat(term.value)));
    return next;
  });
}

void KernelEvaluator::storeColumns(Operation *op, Index column,
                                 ValueRange totals) {
  for (auto [out, result] : llvm::enumerate(kernel.getYield().getOperands())) {
    Point point = delinearise(column, typeOf(result).getShape());
    auto reduce = dyn_cast<linalg::ReduceOp>(op);
    unsigned number = cast<OpResult>(result).getResultNumber();
    if (!reduce && number == 0) {
      fail(op, "gives a gradient of rows in a kernel of columns",
           b.getF32Type());
      return;
    }
    Value total =
        reduce ? combine(*combinerOf(reduce),
                         splat(eval(reduce.getInits()[0], point)), totals[0])
               : totals[number - 1];
    storeOut(out, point, total);
  }
}

/// The columns of the part that is asked for.
std::pair<Value, Value> KernelEvaluator::columnRange(int64_t columns) {
  Value first = mul(begin, kColumnsPerUnit);
  return {first, minimum(mul(end, kColumnsPerUnit), constant(columns))};
}

void KernelEvaluator::emitColumns() {
  Operation *op = columnOp();
  if (!op)
    return;
  int64_t rows = config("rows"), blockRows = config("block_rows");
  rowColumns = config("columns");
  auto reduce = dyn_cast<linalg::ReduceOp>(op);
  Combine how = reduce ? *combinerOf(reduce) : Combine::Add;
  Type element = computeType(typeOf(rowInput(op)).getElementType());
  unsigned terms = isa<nn::LayerNormGradOp>(op) ? 2 : 1;
  Values start(terms, identity(how, lanesOf(element)));
  auto [first, last] = columnRange(rowColumns);
  if (rows <= blockRows || !scratch) {
    vectorLoop(first, last, {}, [&](Index column, ValueRange) -> Values {
      Values totals =
          reduceRows(op, constant(0), constant(rows), column, start);
      storeColumns(op, column, totals);
      return {};
    });
    return;
  }
  sumBlocksOfRows(op, how, start, first, last);
}

/// Keeps the running values in scratch while blocks of rows are added to them.
void KernelEvaluator::sumBlocksOfRows(Operation *op, Combine how,
                                    ValueRange start, Value first, Value last) {
  Type element = getElementTypeOrSelf(start.front());
  int64_t rows = config("rows"), blockRows = config("block_rows");
  auto slot = [&](Index column, unsigned term) {
    return plus(column, int64_t(term) * llvm::alignTo(rowColumns, laneCount));
  };
  vectorLoop(first, last, {}, [&](Index column, ValueRange) -> Values {
    for (auto [term, value] : llvm::enumerate(start))
      store(scratch, element, slot(column, term), value);
    return {};
  });
  auto addBlock = [&](Value row, ValueRange) -> Values {
    Value after = minimum(add(row, constant(blockRows)), constant(rows));
    vectorLoop(first, last, {}, [&](Index column, ValueRange) -> Values {
      Values sums = reduceRows(op, row, after, column, start);
      for (auto [term, sum] : llvm::enumerate(sums)) {
        Index at = slot(column, term);
        Value before = load(scratch, element, at, false);
        store(scratch, element, at, combine(how, before, sum));
      }
      return {};
    });
    return {};
  };
  forLoop(constant(0), constant(rows), blockRows, {}, addBlock);
  vectorLoop(first, last, {}, [&](Index column, ValueRange) -> Values {
    Values totals;
    for (unsigned term = 0; term < start.size(); ++term)
      totals.push_back(load(scratch, element, slot(column, term), false));
    storeColumns(op, column, totals);
    return {};
  });
}

} // namespace zero
