//===- IndexMaps.cpp - Indices and the views that map them ----------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

Value KernelEvaluator::asLanes(Index a) {
  if (a.lanes)
    return a.lanes;
  Value base = splat(a.base);
  if (a.stride == 0)
    return base;
  std::vector<uintptr_t> key{2, uintptr_t(a.stride)};
  Value steps = recall(key);
  if (!steps) {
    SmallVector<int64_t> numbers;
    for (int64_t lane = 0; lane < laneCount; ++lane)
      numbers.push_back(lane * a.stride);
    auto type = VectorType::get(laneCount, b.getI64Type());
    placeAfter({});
    steps = remember(
        key, arith::ConstantOp::create(
                 b, loc, DenseElementsAttr::get(type, ArrayRef(numbers)))
                 .getResult());
  }
  return binary<arith::AddIOp>(base, steps);
}

Index KernelEvaluator::plus(Index a, Index c) {
  if (!a.lanes && !c.lanes)
    return {add(a.base, c.base), a.stride + c.stride, nullptr};
  return {nullptr, 0, binary<arith::AddIOp>(asLanes(a), asLanes(c))};
}

Index KernelEvaluator::plus(Index a, int64_t c) {
  return c == 0 ? a : plus(a, uniform(constant(c)));
}

Index KernelEvaluator::times(Index a, int64_t c) {
  if (!a.lanes)
    return {mul(a.base, c), a.stride * c, nullptr};
  return {nullptr, 0, binary<arith::MulIOp>(a.lanes, splat(constant(c)))};
}

std::pair<Index, Index> KernelEvaluator::divideAndRemainder(Index a, int64_t c) {
  c = std::max<int64_t>(c, 1); // a dimension of size 0 has no index
  if (c == 1)
    return {a, uniform(constant(0))};
  if (a.isUniform())
    return {uniform(div(a.base, c)), uniform(rem(a.base, c))};
  // Lanes that start at a multiple of 16 stay within one of c's multiples.
  if (!a.lanes && a.stride == 1 && c % laneCount == 0 &&
      divisorOf(a.base) % laneCount == 0)
    return {uniform(div(a.base, c)), Index{rem(a.base, c), 1, nullptr}};
  Value lanes = asLanes(a), divisor = splat(constant(c));
  return {Index{nullptr, 0, binary<arith::DivUIOp>(lanes, divisor)},
          Index{nullptr, 0, binary<arith::RemUIOp>(lanes, divisor)}};
}

Point KernelEvaluator::delinearise(Index linear, ArrayRef<int64_t> shape) {
  Point point(shape.size(), uniform(constant(0)));
  int64_t outermost = 0, rank = shape.size();
  while (outermost < rank && shape[outermost] == 1)
    ++outermost;
  for (int64_t dim = rank; dim-- > outermost;) {
    if (shape[dim] == 1)
      continue;
    if (dim == outermost)
      point[dim] = linear;
    else
      std::tie(linear, point[dim]) = divideAndRemainder(linear, shape[dim]);
  }
  return point;
}

Index KernelEvaluator::linearise(ArrayRef<Index> point, ArrayRef<int64_t> shape) {
  Index linear = uniform(constant(0));
  int64_t stride = 1;
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] != 1)
      linear = plus(linear, times(point[dim], stride));
    stride *= shape[dim];
  }
  return linear;
}

Point KernelEvaluator::spread(ArrayRef<Index> point, RankedTensorType type) {
  if (int64_t(point.size()) == type.getRank())
    return Point(point);
  return delinearise(point.front(), type.getShape());
}

Point KernelEvaluator::pointOf(ArrayRef<int64_t> shape, Index row, Index column,
                             int64_t columns) {
  int64_t split = shape.size(), trailing = 1;
  while (split > 0 && trailing < columns)
    trailing *= shape[--split];
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  if (trailing != columns && elements != 0) {
    // The rows of this tensor are cut elsewhere.
    if (elements % columns == 0)
      return delinearise(plus(times(row, columns), column), shape);
    return delinearise(row, shape);
  }
  Point point = delinearise(row, shape.take_front(split));
  llvm::append_range(point, delinearise(column, shape.drop_front(split)));
  return point;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The dimensions of an extract_slice's source that its result drops.
static Point sourceOfSlice(tensor::ExtractSliceOp op, ArrayRef<Index> point,
                           Index zero) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Point source;
  unsigned next = 0;
  for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim)
    source.push_back(dropped.test(dim) ? zero : point[next++]);
  return source;
}

Point KernelEvaluator::through(Operation *view, ArrayRef<Index> linearOrPoint) {
  Value operand = view->getOperand(0);
  RankedTensorType from = typeOf(operand), to = typeOf(view->getResult(0));
  bool isReshape = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(view);
  if (isReshape && int64_t(linearOrPoint.size()) != to.getRank())
    return Point(linearOrPoint); // a linear point stays one
  Point point = spread(linearOrPoint, to);
  Point source;
  if (auto op = dyn_cast<linalg::BroadcastOp>(view)) {
    for (int64_t dim = 0; dim < to.getRank(); ++dim)
      if (!llvm::is_contained(op.getDimensions(), dim))
        source.push_back(point[dim]);
    return source;
  }
  if (auto op = dyn_cast<linalg::TransposeOp>(view)) {
    source.resize(point.size());
    for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
      source[from] = point[dim];
    return source;
  }
  if (auto op = dyn_cast<tensor::ExtractSliceOp>(view)) {
    if (llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic)) {
      fail(op, "with dynamic offsets or strides has no generator",
           b.getF32Type());
      return Point(from.getRank(), uniform(constant(0)));
    }
    source = sourceOfSlice(op, point, uniform(constant(0)));
    for (auto [dim, index] : llvm::enumerate(source))
      index = plus(times(index, op.getStaticStrides()[dim]),
                   op.getStaticOffsets()[dim]);
    return source;
  }
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(view)) {
    for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
      ArrayRef<int64_t> shape =
          from.getShape().slice(group.front(), group.size());
      llvm::append_range(source, delinearise(point[dim], shape));
    }
    if (source.empty()) // to rank 0
      source.assign(from.getRank(), uniform(constant(0)));
    return source;
  }
  auto op = cast<tensor::ExpandShapeOp>(view);
  for (auto group : op.getReassociationIndices()) {
    ArrayRef<int64_t> shape = to.getShape().slice(group.front(), group.size());
    source.push_back(
        linearise(ArrayRef(point).slice(group.front(), group.size()), shape));
  }
  return source;
}

Value KernelEvaluator::isInside(Index index, int64_t begin, int64_t size) {
  // One comparison: below `begin` wraps to a large number.
  Index moved = plus(index, -begin);
  Value value = moved.isUniform() ? moved.base : asLanes(moved);
  return compareInt(arith::CmpIPredicate::ult, value, constant(size));
}

Value KernelEvaluator::isEqual(Index index, Value scalar) {
  if (index.lanes || index.isUniform())
    return compareInt(arith::CmpIPredicate::eq,
                      index.lanes ? index.lanes : index.base, scalar);
  Index steps{constant(0), index.stride, nullptr};
  return compareInt(arith::CmpIPredicate::eq, asLanes(steps),
                    sub(scalar, index.base));
}

} // namespace zero
