//===- ScalarLifting.cpp - Scalars as tensors of rank 0 -------------------===//

#include "ScalarLifting.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

/// The element of `extract`, at constant indices, as a slice of rank 0.
static FailureOr<Value> liftExtract(OpBuilder &builder, tensor::ExtractOp extract) {
  auto type = extract.getTensor().getType();
  if (type.getRank() == 0)
    return extract.getTensor();
  SmallVector<OpFoldResult> offsets;
  for (Value index : extract.getIndices()) {
    APInt constant;
    if (!matchPattern(index, m_ConstantInt(&constant)))
      return failure();
    offsets.push_back(builder.getIndexAttr(constant.getSExtValue()));
  }
  SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
  auto scalar = RankedTensorType::get({}, type.getElementType());
  return tensor::ExtractSliceOp::create(builder, extract.getLoc(), scalar, extract.getTensor(),
                                        offsets, ones, ones)
      .getResult();
}

static bool isScalarOperation(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1;
}

/// The scalar operations that `scalar` is computed by, operands first; failure at
/// one that has no form on tensors.
static FailureOr<SmallVector<Operation *>> collect(Value scalar) {
  SmallVector<Operation *> order;
  DenseSet<Operation *> done;
  SmallVector<std::pair<Operation *, bool>> stack{{scalar.getDefiningOp(), false}};
  while (!stack.empty()) {
    auto [op, ready] = stack.pop_back_val();
    if (!op)
      return failure();
    if (done.contains(op))
      continue;
    if (ready || isa<tensor::ExtractOp, arith::ConstantOp>(op)) {
      done.insert(op);
      order.push_back(op);
      continue;
    }
    if (!isScalarOperation(op))
      return failure();
    stack.push_back({op, true});
    for (Value operand : op->getOperands())
      stack.push_back({operand.getDefiningOp(), false});
  }
  return order;
}

FailureOr<Value> liftScalar(OpBuilder &builder, Value scalar) {
  FailureOr<SmallVector<Operation *>> order = collect(scalar);
  if (failed(order))
    return failure();
  DenseMap<Value, Value> lifted;
  for (Operation *op : *order) {
    Value &result = lifted[op->getResult(0)];
    auto type = RankedTensorType::get({}, op->getResult(0).getType());
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      FailureOr<Value> element = liftExtract(builder, extract);
      if (failed(element))
        return failure();
      result = *element;
    } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      result = arith::ConstantOp::create(
          builder, op->getLoc(), DenseElementsAttr::get(type, Attribute(constant.getValue())));
    } else {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(lifted.lookup(operand));
      OperationState state(op->getLoc(), op->getName(), operands, {type}, op->getAttrs());
      result = builder.create(state)->getResult(0);
    }
  }
  return lifted.lookup(scalar);
}

} // namespace zero
