//===- Strategies.cpp - Kernels of elements and of rows -------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace zero {

/// Floats of 16 to 64 bits and integers whose size is whole bytes, or one bit.
static bool hasPlainElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return true;
  Type element = type.getElementType();
  bool isFloat =
      element.isF32() || element.isF64() || element.isF16() || element.isBF16();
  bool isInteger =
      element.isIndex() || element.isSignlessInteger(1) ||
      element.isSignlessInteger(8) || element.isSignlessInteger(16) ||
      element.isSignlessInteger(32) || element.isSignlessInteger(64);
  return type.hasStaticShape() && (isFloat || isInteger);
}

LogicalResult KernelEvaluator::emit() {
  auto takes = [&](Operation *op) {
    return llvm::all_of(op->getOperands(), hasPlainElements) &&
           llvm::all_of(op->getResults(), hasPlainElements);
  };
  for (Operation &op : kernel.getBlock())
    if (!takes(&op))
      return op.emitError()
             << "'" << op.getName()
             << "' has tensors of a type that no generator takes";
  auto strategy = kernel.getConfigAttr()
                      ? kernel.getConfigAttr().getAs<StringAttr>("strategy")
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
  else if (llvm::failed(emitOwn(name)))
    return kernel.emitOpError() << "has the strategy '" << name
                                << "', which no generator knows";
  placeHere();
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return success(!failed);
}

/// The point of a view's result where it shows `point` of its operand.
std::optional<Point> KernelEvaluator::forward(Operation *view, OpOperand &use,
                                            Point point) {
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(view)) {
    Point result;
    for (auto group : op.getReassociationIndices())
      result.push_back(linearise(
          ArrayRef(point).slice(group.front(), group.size()),
          op.getSrcType().getShape().slice(group.front(), group.size())));
    return result;
  }
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(view)) {
    Point result;
    for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices()))
      llvm::append_range(
          result, delinearise(point[dim], op.getResultType().getShape().slice(
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

void KernelEvaluator::storeEverywhere(Value result, Point from, Value value) {
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

void KernelEvaluator::storeOut(unsigned out, ArrayRef<Index> point, Value value) {
  RankedTensorType type = typeOf(kernel.getOuts()[out]);
  Index at = int64_t(point.size()) == type.getRank()
                 ? linearise(point, type.getShape())
                 : point.front();
  store(operandPointer(kernel.getNumInputs() + out), type.getElementType(), at,
        value);
}

//===----------------------------------------------------------------------===//
// Elements in order
//===----------------------------------------------------------------------===//

void KernelEvaluator::emitFlat() {
  OperandRange results = kernel.getYield().getOperands();
  for (Value result : results)
    if (typeOf(result).getNumElements() != config("extent")) {
      fail(kernel, "has results of different sizes but no rows",
           b.getF32Type());
      return;
    }
  // What is one number for all elements is made before the loop.
  for (Operation &op : kernel.getBlock())
    if (op.getNumResults() == 1 &&
        isa<RankedTensorType>(op.getResult(0).getType()) &&
        typeOf(op.getResult(0)).getRank() == 0)
      eval(op.getResult(0), Point{});
  vectorLoop(begin, end, {}, [&](Index index, ValueRange) -> Values {
    Values values;
    for (Value result : results)
      values.push_back(evalInOrder(
          result, typeOf(result).getRank() == 0 ? Point{} : Point{index}));
    for (auto [out, value] : llvm::enumerate(values))
      storeOut(out, {index}, value);
    return {};
  });
}

} // namespace zero
