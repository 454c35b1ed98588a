//===- Evaluate.cpp - The value of a tensor of the body at a point --------===//

#include "KernelEmitter.h"

#include "dialects/NN/NNDialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

Value KernelEmitter::fail(Operation *op, const Twine &message, Type element) {
  if (!failed)
    op->emitError() << "'" << op->getName() << "' " << message;
  failed = true;
  return constant(computeType(element), 0.0);
}

Value KernelEmitter::eval(Value tensor, ArrayRef<Index> point) {
  if (failed)
    return constant(computeType(getElementTypeOrSelf(tensor)), 0.0);
  std::vector<uintptr_t> key{6, uintptr_t(tensor.getAsOpaquePointer()),
                             uintptr_t(mask.getAsOpaquePointer())};
  for (const Index &index : point) {
    key.push_back(uintptr_t(index.base.getAsOpaquePointer()));
    key.push_back(uintptr_t(index.stride));
    key.push_back(uintptr_t(index.lanes.getAsOpaquePointer()));
  }
  if (Value known = recall(key))
    return known;
  return remember(key, evaluate(tensor, point));
}

static bool isElementwise(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType());
}

Value KernelEmitter::evalInOrder(Value tensor, ArrayRef<Index> point) {
  constexpr size_t fewOperations = 256;
  if (kernel.getBlock().getOperations().size() <= fewOperations)
    return eval(tensor, point);
  ArrayRef<int64_t> shape = typeOf(tensor).getShape();
  DenseSet<Operation *> needed;
  SmallVector<Value> worklist{tensor};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !isElementwise(op) || typeOf(op->getResult(0)).getShape() != shape ||
        storedRows.contains(op->getResult(0)) || !needed.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        worklist.push_back(operand);
  }
  for (Operation &op : kernel.getBlock())
    if (needed.contains(&op))
      eval(op.getResult(0), point);
  return eval(tensor, point);
}

Value KernelEmitter::evaluate(Value tensor, ArrayRef<Index> point) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return evalArgument(argument, point);
  Operation *op = tensor.getDefiningOp();
  if (auto it = storedRows.find(tensor); it != storedRows.end() && !llvm::all_of(point, [](Index i) { return i.isUniform(); }))
    return load(operandPointer(it->second), typeOf(tensor).getElementType(),
                linearise(spread(point, typeOf(tensor)), typeOf(tensor).getShape()), false);
  if (rowOpOf.contains(op))
    return evalRowResult(cast<OpResult>(tensor), spread(point, typeOf(tensor)));
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return evalConstant(constantOp, point);
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return evalScalar(fill.getInputs().front());
  if (isa<tensor::EmptyOp>(op))
    return constant(computeType(typeOf(tensor).getElementType()), 0.0);
  if (isa<linalg::BroadcastOp, linalg::TransposeOp, tensor::ExtractSliceOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return eval(op->getOperand(0), through(op, point));
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return evalConcat(concat, spread(point, typeOf(tensor)));
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return evalPad(pad, spread(point, typeOf(tensor)));
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return evalInsertSlice(insert, spread(point, typeOf(tensor)));
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    return evalReduce(reduce, spread(point, typeOf(tensor)));
  if (isa<nn::NNDialect>(op->getDialect()))
    return evalNN(cast<OpResult>(tensor), spread(point, typeOf(tensor)));
  if (isElementwise(op)) {
    Values operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType()) ? eval(operand, point)
                                                                  : evalScalar(operand));
    return evalElementwise(op, operands);
  }
  return fail(op, "has no generator for CPUs", typeOf(tensor).getElementType());
}

Value KernelEmitter::evalArgument(BlockArgument argument, ArrayRef<Index> point) {
  RankedTensorType type = typeOf(argument);
  Index at = int64_t(point.size()) == type.getRank() ? linearise(point, type.getShape())
                                                     : point.front();
  // What is updated in place is read where it stands.
  bool mayMove = !usedOuts.contains(argument.getArgNumber());
  return load(operandPointer(argument.getArgNumber()), type.getElementType(), at, mayMove);
}

Value KernelEmitter::evalScalar(Value scalar) {
  std::vector<uintptr_t> key{7, uintptr_t(scalar.getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    int64_t number = argument.getArgNumber() - kernel.getNumInputs() - kernel.getNumOuts();
    Value scalars = scopes.front().block->getArgument(1);
    return remember(key, load(scalars, b.getI64Type(), uniform(constant(number)), true));
  }
  Operation *op = scalar.getDefiningOp();
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return remember(key, evalConstant(constantOp, {}));
  bool known = isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
               llvm::all_of(op->getOperandTypes(), [](Type t) { return t.isIntOrIndexOrFloat(); });
  if (!known)
    return fail(op, "has no generator for CPUs", scalar.getType());
  Values operands;
  for (Value operand : op->getOperands())
    operands.push_back(evalScalar(operand));
  return remember(key, evalElementwise(op, operands));
}

/// A float or integer attribute as a constant of the type that is computed with.
static TypedAttr convertConstant(Attribute attr, Type type) {
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(type, value);
  }
  APInt value = cast<IntegerAttr>(attr).getValue();
  return IntegerAttr::get(type, value.sextOrTrunc(type.getIntOrFloatBitWidth()));
}

Value KernelEmitter::evalConstant(arith::ConstantOp op, ArrayRef<Index> point) {
  Type element = getElementTypeOrSelf(op.getType());
  Type type = computeType(element);
  Attribute value = op.getValue();
  if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    if (elements.empty())
      return constant(type, 0.0);
    if (!elements.isSplat())
      return evalTable(op, elements, point);
    value = elements.getSplatValue<Attribute>();
  }
  if (!isa<FloatAttr, IntegerAttr>(value))
    return fail(op, "is not a constant of numbers", element);
  placeAfter({});
  return arith::ConstantOp::create(b, loc, convertConstant(value, type));
}

/// A table of numbers becomes a constant of the kernel's module.
Value KernelEmitter::evalTable(arith::ConstantOp op, DenseElementsAttr elements,
                               ArrayRef<Index> point) {
  Type element = elements.getElementType();
  if (!element.isIntOrFloat() || element.isInteger(1))
    return fail(op, "has elements of a type that no generator for CPUs takes", element);
  RankedTensorType type = typeOf(op.getResult());
  return load(tablePointer(elements), element, linearise(spread(point, type), type.getShape()),
              true);
}

Value KernelEmitter::tablePointer(DenseElementsAttr elements) {
  std::vector<uintptr_t> key{8, uintptr_t(elements.getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  auto module = function->getParentOfType<ModuleOp>();
  OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
  auto flat = VectorType::get(elements.getNumElements(), elements.getElementType());
  std::string name = "table" + std::to_string(numTables++);
  auto global = LLVM::GlobalOp::create(
      atStart, loc, LLVM::LLVMArrayType::get(flat.getElementType(), flat.getNumElements()),
      /*isConstant=*/true, LLVM::Linkage::Private, name,
      elements.reshape(RankedTensorType::get(flat.getShape(), flat.getElementType())));
  placeAfter({});
  return remember(key, LLVM::AddressOfOp::create(b, loc, global).getResult());
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

Value KernelEmitter::evalElementwise(Operation *op, ValueRange given) {
  Values operands(given);
  bool onLanes = llvm::any_of(operands, [&](Value v) { return isVector(v); });
  if (onLanes)
    for (Value &operand : operands)
      operand = splat(operand);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type type = computeType(element);
  Type result = onLanes ? lanesOf(type) : type;
  if (isa<math::ExpOp>(op))
    return exp(operands[0]);
  if (isa<math::RsqrtOp>(op))
    return rsqrt(operands[0]);
  if (isa<arith::ExtFOp>(op) && computeType(from) == type)
    return operands[0];
  bool narrows = isa<arith::TruncFOp>(op) && (element.isBF16() || element.isF16());
  if (narrows)
    return widen(narrow(operands[0], element), element);
  if (isa<arith::BitcastOp>(op) && (computeType(from) != from || type != element))
    return fail(op, "of 16-bit floats has no generator for CPUs", element);
  placeAfter(operands);
  if (isa<arith::IndexCastOp>(op)) {
    if (computeType(from) == type)
      return operands[0];
    if (from.isIndex())
      return arith::TruncIOp::create(b, loc, result, operands[0]);
    return arith::ExtSIOp::create(b, loc, result, operands[0]);
  }
  // Lanes outside the mask hold zeros, which must not be divided by.
  if (mask && onLanes && isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    operands[1] = underMask(operands[1], constant(operands[1].getType(), 1));
  placeAfter(operands);
  OperationState state(op->getLoc(), op->getName(), operands, result, {});
  for (NamedAttribute attr : op->getAttrs())
    if (attr.getName() != "fastmath")
      state.addAttribute(attr.getName(), attr.getValue());
  return b.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

Value KernelEmitter::evalWhere(Value inside, Value tensor, Point point, Value otherwise) {
  if (typeOf(tensor).getNumElements() == 0)
    return otherwise;
  Value outer = mask;
  // Where all lanes agree nothing is masked, so the index itself must stay inside.
  for (auto [dim, index] : llvm::enumerate(point)) {
    if (!index.isUniform())
      continue;
    Value valid = isInside(index, 0, typeOf(tensor).getDimSize(dim));
    index.base = select(valid, index.base, constant(0));
  }
  mask = both(mask, inside);
  Value value = eval(tensor, point);
  mask = outer;
  return select(inside, value, otherwise);
}

Value KernelEmitter::evalConcat(tensor::ConcatOp op, Point point) {
  Type element = op.getResultType().getElementType();
  uint64_t dim = op.getDim();
  Value value = constant(computeType(element), 0.0);
  int64_t begin = 0;
  for (Value piece : op.getInputs()) {
    int64_t size = typeOf(piece).getDimSize(dim);
    if (size == 0)
      continue;
    Point at = point;
    at[dim] = plus(at[dim], -begin);
    value = evalWhere(isInside(point[dim], begin, size), piece, at, value);
    begin += size;
  }
  return value;
}

Value KernelEmitter::evalPad(tensor::PadOp op, Point point) {
  Type element = op.getResultType().getElementType();
  Value padding = op.getConstantPaddingValue();
  bool isStatic = llvm::none_of(op.getStaticLow(), ShapedType::isDynamic);
  if (!padding || !isStatic)
    return fail(op, "without a constant value and sizes has no generator for CPUs", element);
  Value inside;
  for (auto [dim, low] : llvm::enumerate(op.getStaticLow())) {
    int64_t size = op.getSourceType().getDimSize(dim);
    if (low != 0 || size != op.getResultType().getDimSize(dim))
      inside = both(inside, isInside(point[dim], low, size));
    point[dim] = plus(point[dim], -low);
  }
  if (!inside)
    return eval(op.getSource(), point);
  return evalWhere(inside, op.getSource(), point, evalScalar(padding));
}

Value KernelEmitter::evalInsertSlice(tensor::InsertSliceOp op, Point point) {
  RankedTensorType type = op.getResultType();
  if (llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic))
    return fail(op, "with dynamic offsets or strides has no generator for CPUs",
                type.getElementType());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Value inside;
  Point source;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t offset = op.getStaticOffsets()[dim], size = op.getStaticSizes()[dim];
    int64_t stride = op.getStaticStrides()[dim], reach = size ? (size - 1) * stride + 1 : 0;
    if (offset != 0 || reach != type.getDimSize(dim))
      inside = both(inside, isInside(point[dim], offset, reach));
    Index at = plus(point[dim], -offset);
    if (stride != 1) {
      auto [quotient, remainder] = divideAndRemainder(at, stride);
      inside = both(inside, isEqual(remainder, constant(0)));
      at = quotient;
    }
    if (!dropped.test(dim))
      source.push_back(at);
  }
  if (!inside)
    return eval(op.getSource(), source);
  return evalWhere(inside, op.getSource(), source, eval(op.getDest(), point));
}

//===----------------------------------------------------------------------===//
// Reductions outside rows
//===----------------------------------------------------------------------===//

std::optional<Combine> KernelEmitter::combinerOf(linalg::ReduceOp op) {
  Block &body = op.getCombiner().front();
  if (op.getNumDpsInputs() != 1 || body.getOperations().size() != 2)
    return std::nullopt;
  Operation &only = body.front();
  bool usesBoth = only.getNumOperands() == 2 && only.getOperand(0) != only.getOperand(1) &&
                  llvm::all_of(only.getOperands(), [&](Value v) { return v.getParentBlock() == &body; });
  if (!usesBoth || body.getTerminator()->getOperand(0) != only.getResult(0))
    return std::nullopt;
  if (isa<arith::AddFOp, arith::AddIOp>(only))
    return Combine::Add;
  if (isa<arith::MulFOp, arith::MulIOp>(only))
    return Combine::Mul;
  if (isa<arith::MaximumFOp>(only))
    return Combine::Maximum;
  if (isa<arith::MinimumFOp>(only))
    return Combine::Minimum;
  if (isa<arith::MaxNumFOp, arith::MaxSIOp>(only))
    return Combine::Max;
  if (isa<arith::MinNumFOp, arith::MinSIOp>(only))
    return Combine::Min;
  return std::nullopt;
}

Value KernelEmitter::evalReduce(linalg::ReduceOp op, Point point) {
  Type element = typeOf(op.getResult(0)).getElementType();
  std::optional<Combine> how = combinerOf(op);
  if (!how)
    return fail(op, "with this combiner has no generator for CPUs", element);
  Value input = op.getInputs().front();
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  SmallVector<int64_t> sizes;
  int64_t count = 1;
  for (int64_t dim : op.getDimensions()) {
    sizes.push_back(shape[dim]);
    count *= shape[dim];
  }
  Value init = eval(op.getInits().front(), point);
  bool onLanes = llvm::any_of(point, [](Index index) { return !index.isUniform(); });
  if (onLanes)
    init = splat(init);
  auto body = [&](Value iv, ValueRange carried) -> Values {
    Point reduced = delinearise(uniform(iv), sizes), source;
    unsigned next = 0;
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim) {
      auto it = llvm::find(op.getDimensions(), dim);
      source.push_back(it == op.getDimensions().end()
                           ? point[next++]
                           : reduced[it - op.getDimensions().begin()]);
    }
    Value value = eval(input, source);
    return {combine(*how, carried[0], onLanes ? splat(value) : value)};
  };
  return forLoop(constant(0), constant(count), 1, init, body)[0];
}

} // namespace zero
