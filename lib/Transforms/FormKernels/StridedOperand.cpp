//===- StridedOperand.cpp - A tensor as strides over a buffer -------------===//
//
// Strides are found from the bottom up: the chain of views is collected first,
// then applied to the row-major strides of its base, so that each view sees the
// strides of its own operand. A view that strides can't express cuts the chain:
// its result becomes the base.
//
//===----------------------------------------------------------------------===//

#include "StridedOperand.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {

SmallVector<int64_t> rowMajorStrides(RankedTensorType type) {
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * type.getDimSize(dim + 1);
  return strides;
}

/// The operand that `op` is a view of; null if it is no view.
static Value viewedOperand(Operation *op) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return transpose.getInput();
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return broadcast.getInput();
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return op->getOperand(0);
  return nullptr;
}

static bool applyTranspose(linalg::TransposeOp op, StridedOperand &s) {
  SmallVector<int64_t> strides;
  for (int64_t dim : op.getPermutation())
    strides.push_back(s.strides[dim]);
  s.strides = strides;
  return true;
}

static bool applyBroadcast(linalg::BroadcastOp op, StridedOperand &s) {
  auto rank = cast<RankedTensorType>(op.getInit().getType()).getRank();
  SmallVector<int64_t> strides(rank, 0);
  unsigned source = 0;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(op.getDimensions(), dim))
      strides[dim] = s.strides[source++];
  s.strides = strides;
  return true;
}

static bool applySlice(tensor::ExtractSliceOp op, StridedOperand &s) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> strides;
  for (auto [dim, stride] : llvm::enumerate(s.strides)) {
    s.offset += op.getStaticOffsets()[dim] * stride;
    if (!dropped.test(dim))
      strides.push_back(stride * op.getStaticStrides()[dim]);
  }
  s.strides = strides;
  return true;
}

static bool applyExpand(tensor::ExpandShapeOp op, StridedOperand &s) {
  RankedTensorType type = op.getResultType();
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (auto [source, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t stride = s.strides[source];
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = stride;
      stride *= type.getDimSize(dim);
    }
  }
  s.strides = strides;
  return true;
}

/// Dimensions merge where each outer stride spans the inner ones exactly.
static bool applyCollapse(tensor::CollapseShapeOp op, StridedOperand &s) {
  RankedTensorType source = op.getSrcType();
  SmallVector<int64_t> strides;
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    std::optional<int64_t> inner, span;
    for (int64_t dim : llvm::reverse(group)) {
      if (source.getDimSize(dim) == 1)
        continue;
      if (span && s.strides[dim] != *span)
        return false;
      inner = inner.value_or(s.strides[dim]);
      span = s.strides[dim] * source.getDimSize(dim);
    }
    strides.push_back(inner.value_or(1));
  }
  s.strides = strides;
  return true;
}

static bool applyView(Operation *op, StridedOperand &s) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return applyTranspose(transpose, s);
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return applyBroadcast(broadcast, s);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return applySlice(slice, s);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return applyExpand(expand, s);
  return applyCollapse(cast<tensor::CollapseShapeOp>(op), s);
}

static StridedOperand wholeBuffer(Value value) {
  return {value, 0, rowMajorStrides(cast<RankedTensorType>(value.getType()))};
}

StridedOperand resolveStrides(Value value) {
  SmallVector<Operation *> chain;
  Value base = value;
  while (Operation *op = base.getDefiningOp()) {
    Value operand = viewedOperand(op);
    if (!operand)
      break;
    chain.push_back(op);
    base = operand;
  }
  StridedOperand strided = wholeBuffer(base);
  for (Operation *op : llvm::reverse(chain))
    if (!applyView(op, strided))
      strided = wholeBuffer(op->getResult(0));
  return strided;
}

} // namespace zero
