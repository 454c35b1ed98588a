//===- Evaluate.cpp - The value of a tensor of the body at a point --------===//

#include "KernelEvaluator.h"

#include "dialects/NN/NNDialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

Value KernelEvaluator::fail(Operation *op, const Twine &message, Type element) {
  if (!failed)
    op->emitError() << "'" << op->getName() << "' " << message;
  failed = true;
  return constant(computeType(element), 0.0);
}

Value KernelEvaluator::eval(Value tensor, ArrayRef<Index> point) {
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
         op->getNumResults() == 1 &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

Value KernelEvaluator::evalInOrder(Value tensor, ArrayRef<Index> point) {
  constexpr size_t fewOperations = 256;
  if (kernel.getBlock().getOperations().size() <= fewOperations)
    return eval(tensor, point);
  ArrayRef<int64_t> shape = typeOf(tensor).getShape();
  DenseSet<Operation *> needed;
  SmallVector<Value> worklist{tensor};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !isElementwise(op) ||
        typeOf(op->getResult(0)).getShape() != shape ||
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

Value KernelEvaluator::evaluate(Value tensor, ArrayRef<Index> point) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return evalArgument(argument, point);
  Operation *op = tensor.getDefiningOp();
  bool onLanes = llvm::any_of(
      point, [](const Index &index) { return !index.isUniform(); });
  if (auto it = storedRows.find(tensor); it != storedRows.end() && onLanes)
    return load(
        operandPointer(it->second), typeOf(tensor).getElementType(),
        linearise(spread(point, typeOf(tensor)), typeOf(tensor).getShape()),
        false);
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
      operands.push_back(isa<RankedTensorType>(operand.getType())
                             ? eval(operand, point)
                             : evalScalar(operand));
    return evalElementwise(op, operands);
  }
  return fail(op, "has no generator", typeOf(tensor).getElementType());
}

Value KernelEvaluator::evalArgument(BlockArgument argument,
                                  ArrayRef<Index> point) {
  RankedTensorType type = typeOf(argument);
  Index at = int64_t(point.size()) == type.getRank()
                 ? linearise(point, type.getShape())
                 : point.front();
  // What is updated in place is read where it stands.
  bool mayMove = !usedOuts.contains(argument.getArgNumber());
  return load(operandPointer(argument.getArgNumber()), type.getElementType(),
              at, mayMove);
}

Value KernelEvaluator::evalScalar(Value scalar) {
  std::vector<uintptr_t> key{7, uintptr_t(scalar.getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    int64_t number =
        argument.getArgNumber() - kernel.getNumInputs() - kernel.getNumOuts();
    return remember(key, scalarOperand(number));
  }
  Operation *op = scalar.getDefiningOp();
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return remember(key, evalConstant(constantOp, {}));
  bool known = isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
               llvm::all_of(op->getOperandTypes(),
                            [](Type t) { return t.isIntOrIndexOrFloat(); });
  if (!known)
    return fail(op, "has no generator", scalar.getType());
  Values operands;
  for (Value operand : op->getOperands())
    operands.push_back(evalScalar(operand));
  return remember(key, evalElementwise(op, operands));
}

/// A float or integer attribute as a constant of the type that is computed
/// with.
static TypedAttr convertConstant(Attribute attr, Type type) {
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    return FloatAttr::get(type, value);
  }
  APInt value = cast<IntegerAttr>(attr).getValue();
  return IntegerAttr::get(type,
                          value.sextOrTrunc(type.getIntOrFloatBitWidth()));
}

Value KernelEvaluator::evalConstant(arith::ConstantOp op, ArrayRef<Index> point) {
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
Value KernelEvaluator::evalTable(arith::ConstantOp op, DenseElementsAttr elements,
                               ArrayRef<Index> point) {
  Type element = elements.getElementType();
  if (!element.isIntOrFloat() || element.isInteger(1))
    return fail(op, "has elements of a type that no generator takes",
                element);
  RankedTensorType type = typeOf(op.getResult());
  return load(tablePointer(elements), element,
              linearise(spread(point, type), type.getShape()), true);
}

Value KernelEvaluator::tablePointer(DenseElementsAttr elements) {
  std::vector<uintptr_t> key{8, uintptr_t(elements.getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  auto module = function->getParentOfType<ModuleOp>();
  OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
  auto flat =
      VectorType::get(elements.getNumElements(), elements.getElementType());
  std::string name = "table" + std::to_string(numTables++);
  auto global = LLVM::GlobalOp::create(
      atStart, loc,
      LLVM::LLVMArrayType::get(flat.getElementType(), flat.getNumElements()),
      /*isConstant=*/true, LLVM::Linkage::Private, name,
      elements.reshape(
          RankedTensorType::get(flat.getShape(), flat.getElementType())),
      /*alignment=*/64);
  placeAfter({});
  return remember(key, LLVM::AddressOfOp::create(b, loc, global).getResult());
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

Value KernelEvaluator::evalElementwise(Operation *op, ValueRange given) {
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
  if (isa<math::ErfOp>(op) && type.isF32()) {
    // The polynomial loses the sign of zero.
    placeAfter(operands);
    Value erf = math::ErfOp::create(b, loc, operands[0]);
    return math::CopySignOp::create(b, loc, erf, operands[0]);
  }
  if (isa<arith::ExtFOp>(op) && computeType(from) == type)
    return operands[0];
  bool narrows =
      isa<arith::TruncFOp>(op) && (element.isBF16() || element.isF16());
  if (narrows)
    return widen(narrow(operands[0], element), element);
  if (isa<arith::BitcastOp>(op) &&
      (computeType(from) != from || type != element))
    return fail(op, "of 16-bit floats has no generator", element);
  placeAfter(operands);
  if (isa<arith::IndexCastOp>(op)) {
    if (computeType(from) == type)
      return operands[0];
    if (from.isIndex())
      return arith::TruncIOp::create(b, loc, result, operands[0]);
    return arith::ExtSIOp::create(b, loc, result, operands[0]);
  }
  if (Value defined = evalDefined(op, operands, result))
    return defined;
  placeAfter(operands);
  OperationState state(op->getLoc(), op->getName(), operands, result, {});
  for (NamedAttribute attr : op->getAttrs())
    if (!llvm::is_contained({"fastmath", "overflowFlags", "isExact"},
                            attr.getName().getValue()))
      state.addAttribute(attr.getName(), attr.getValue());
  return b.create(state)->getResult(0);
}

} // namespace zero
