//===- GenericExpander.cpp - One linalg.generic as whole tensors ----------===//

#include "GenericExpander.h"

#include "../ScalarLifting.h"

#include "dialects/NN/NNOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Loops, each at most once, and zeros where the operand has one element.
static bool isProjection(AffineMap map) {
  llvm::SmallDenseSet<unsigned> seen;
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue() == 0;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && seen.insert(dim.getPosition()).second;
  });
}

bool GenericExpander::isReduction(unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

LogicalResult GenericExpander::checkMaps() {
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return op.emitError() << "'linalg.generic' has a loop of a size that is not known";
  for (auto [number, map] : llvm::enumerate(maps)) {
    if (!isProjection(map))
      return op.emitError() << "'linalg.generic' reads operand " << number << " through the map "
                            << AffineMapAttr::get(map) << ", which is no choice and order of loops";
    if (number < op.getNumDpsInputs())
      continue;
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && isReduction(dim.getPosition()))
        return op.emitError() << "'linalg.generic' writes output " << number
                              << " along a loop over which it reduces";
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (!isReduction(loop) && !map.isFunctionOfDim(loop))
        return op.emitError() << "'linalg.generic' has the parallel loop " << loop
                              << ", along which output " << number << " is not written";
  }
  return success();
}

/// Dimensions of size 1 that a map reads at 0 go; what is left is named by loops.
static Value dropConstantDims(TensorBuilder &b, Value x, AffineMap map,
                              SmallVectorImpl<unsigned> &loops) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape, offsets(type.getRank(), 0), strides(type.getRank(), 1);
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      loops.push_back(loop.getPosition());
      shape.push_back(type.getDimSize(dim));
    }
  if (int64_t(shape.size()) == type.getRank())
    return x;
  SmallVector<int64_t> slice(type.getShape());
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (isa<AffineConstantExpr>(expr))
      slice[dim] = 1;
  auto attrs = [&](ArrayRef<int64_t> values) {
    return llvm::map_to_vector(values, [&](int64_t v) -> OpFoldResult {
      return b.builder.getIndexAttr(v);
    });
  };
  return b.create<tensor::ExtractSliceOp>(
      RankedTensorType::get(shape, type.getElementType()), x, attrs(offsets), attrs(slice),
      attrs(strides));
}

Value GenericExpander::spread(Value x, AffineMap map) {
  SmallVector<unsigned> loops;
  x = dropConstantDims(b, x, map, loops);
  SmallVector<int64_t> order, missing;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    auto *found = llvm::find(loops, loop);
    if (found == loops.end())
      missing.push_back(loop);
    else
      order.push_back(found - loops.begin());
  }
  if (!llvm::is_sorted(order))
    x = b.transpose(x, order);
  return b.broadcast(x, loopType(getElementTypeOrSelf(x)), missing);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

FailureOr<Value> GenericExpander::spreadScalar(Operation *user, Value scalar) {
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)) && isa<FloatAttr, IntegerAttr>(constant))
    return Value(b.create<arith::ConstantOp>(
        DenseElementsAttr::get(loopType(scalar.getType()), constant)));
  FailureOr<Value> lifted = liftScalar(b.builder, scalar);
  if (failed(lifted))
    return user->emitError() << "'" << user->getName()
                             << "' in 'linalg.generic' reads a number of type "
                             << scalar.getType() << " that is not made of tensors";
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(sizes.size()));
  return b.broadcast(*lifted, loopType(scalar.getType()), all);
}

FailureOr<Value> GenericExpander::valueOf(Operation *user, Value scalar) {
  if (Value known = values.lookupOrNull(scalar))
    return known;
  FailureOr<Value> made = spreadScalar(user, scalar);
  if (succeeded(made))
    values.map(scalar, *made);
  return made;
}

/// The number of the iteration along a loop.
Value GenericExpander::indexOf(unsigned loop) {
  Type i64 = b.builder.getI64Type();
  SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(sizes[loop]));
  Value line = b.create<arith::ConstantOp>(
      DenseElementsAttr::get(RankedTensorType::get({sizes[loop]}, i64), ArrayRef(numbers)));
  SmallVector<int64_t> others;
  for (unsigned other = 0; other < sizes.size(); ++other)
    if (other != loop)
      others.push_back(other);
  Value all = b.broadcast(line, loopType(i64), others);
  return b.create<arith::IndexCastOp>(loopType(b.builder.getIndexType()), all);
}

/// True for table[id, last loop], with all of a row read: rows are gathered whole.
bool GenericExpander::readsWholeRows(tensor::ExtractOp extract) {
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  if (type.getRank() != 2 || sizes.size() < 2 || type.getDimSize(1) != sizes.back())
    return false;
  auto last = extract.getIndices()[1].getDefiningOp<linalg::IndexOp>();
  if (!last || last.getDim() != sizes.size() - 1)
    return false;
  // The row must be the same along the last loop: nothing that it is made of moves along it.
  SmallVector<Value> worklist{extract.getIndices()[0]};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &body &&
        maps[argument.getArgNumber()].isFunctionOfDim(sizes.size() - 1))
      return false;
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != &body)
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(def); index && index.getDim() == sizes.size() - 1)
      return false;
    llvm::append_range(worklist, def->getOperands());
  }
  return true;
}

/// Rows of tables are numbered in i32.
Value GenericExpander::narrowIds(Value ids) {
  return b.create<arith::TruncIOp>(loopType(b.builder.getI32Type()), ids);
}

FailureOr<Value> GenericExpander::indexOperand(tensor::ExtractOp extract, unsigned dim) {
  FailureOr<Value> value = valueOf(extract, extract.getIndices()[dim]);
  if (failed(value))
    return failure();
  return Value(b.create<arith::IndexCastOp>(loopType(b.builder.getI64Type()), *value));
}

/// table[ids, :] as an embedding of whole rows.
FailureOr<Value> GenericExpander::gatherRows(tensor::ExtractOp extract) {
  FailureOr<Value> row = indexOperand(extract, 0);
  if (failed(row))
    return failure();
  SmallVector<AffineExpr> exprs;
  for (unsigned loop = 0; loop + 1 < sizes.size(); ++loop)
    exprs.push_back(b.builder.getAffineDimExpr(loop));
  exprs.push_back(b.builder.getAffineConstantExpr(0));
  SmallVector<unsigned> loops;
  Value ids = dropConstantDims(b, narrowIds(*row),
                               AffineMap::get(sizes.size(), 0, exprs, op.getContext()), loops);
  return Value(b.create<nn::EmbeddingOp>(
      loopType(getElementTypeOrSelf(extract.getTensor())), extract.getTensor(), ids));
}

/// The position of the element in row-major order; -1 where an index is outside.
FailureOr<Value> GenericExpander::flatIndex(tensor::ExtractOp extract) {
  Type i64 = b.builder.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return b.create<arith::ConstantOp>(DenseElementsAttr::get(
        loopType(i64), Attribute(b.builder.getI64IntegerAttr(value))));
  };
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  Value place = number(0), outside = number(-1);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    FailureOr<Value> at = indexOperand(extract, dim);
    if (failed(at))
      return failure();
    Value size = number(type.getDimSize(dim));
    Value next = b.create<arith::AddIOp>(b.create<arith::MulIOp>(place, size), *at);
    Value inside = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, *at, size);
    Value known = b.create<arith::CmpIOp>(arith::CmpIPredicate::sge, place, number(0));
    place = b.select(b.create<arith::AndIOp>(inside, known), next, outside);
  }
  return place;
}

/// The table as rows of one element each.
Value GenericExpander::asColumn(Value table) {
  auto type = cast<RankedTensorType>(table.getType());
  int64_t elements = type.getNumElements();
  SmallVector<ReassociationIndices> whole(1), column{{0, 1}};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    whole[0].push_back(dim);
  if (type.getRank() > 1)
    table = b.create<tensor::CollapseShapeOp>(
        RankedTensorType::get({elements}, type.getElementType()), table, whole);
  if (type.getRank() == 0)
    column.clear();
  return b.create<tensor::ExpandShapeOp>(
      RankedTensorType::get({elements, 1}, type.getElementType()), table, column);
}

/// Elements of a table as rows of an embedding. An index that is outside reads NaN.
FailureOr<Value> GenericExpander::gather(tensor::ExtractOp extract) {
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  if (!isa<FloatType>(type.getElementType()) || !type.hasStaticShape())
    return extract.emitError() << "'tensor.extract' in 'linalg.generic' reads a " << type
                               << "; want a static tensor of floats";
  if (readsWholeRows(extract))
    return gatherRows(extract);
  FailureOr<Value> place = flatIndex(extract);
  if (failed(place))
    return failure();
  SmallVector<int64_t> shape(sizes);
  shape.push_back(1);
  Value rows = b.create<nn::EmbeddingOp>(RankedTensorType::get(shape, type.getElementType()),
                                         asColumn(extract.getTensor()), narrowIds(*place));
  SmallVector<ReassociationIndices> joined;
  for (int64_t dim = 0, rank = sizes.size(); dim < rank; ++dim)
    joined.push_back(dim + 1 == rank ? ReassociationIndices{dim, dim + 1}
                                     : ReassociationIndices{dim});
  return Value(b.create<tensor::CollapseShapeOp>(loopType(type.getElementType()), rows, joined));
}

LogicalResult GenericExpander::expandOperation(Operation *inner) {
  b.loc = inner->getLoc();
  FailureOr<Value> made = failure();
  if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
    made = indexOf(index.getDim());
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
    made = gather(extract);
  } else if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
    made = spreadScalar(inner, constant);
  } else if (isa<arith::ArithDialect, math::MathDialect>(inner->getDialect()) &&
             inner->getNumResults() == 1 && inner->getNumRegions() == 0) {
    SmallVector<Value> operands;
    for (Value operand : inner->getOperands()) {
      FailureOr<Value> value = valueOf(inner, operand);
      if (failed(value))
        return failure();
      operands.push_back(*value);
    }
    OperationState state(inner->getLoc(), inner->getName(), operands,
                         loopType(inner->getResult(0).getType()), inner->getAttrs());
    made = b.builder.create(state)->getResult(0);
  } else {
    return inner->emitError() << "'" << inner->getName()
                              << "' in the body of 'linalg.generic' has no form on tensors";
  }
  if (failed(made))
    return failure();
  values.map(inner->getResult(0), *made);
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The element that the accumulator is combined with; null unless `yielded` is one of the
/// combinations that a linalg.reduce has rules and kernels for.
static Value combinedElement(Value yielded, BlockArgument accumulator) {
  Operation *combiner = yielded.getDefiningOp();
  bool known = isa_and_nonnull<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
                               arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
                               arith::MaxSIOp, arith::MinSIOp>(combiner);
  if (!known || !accumulator.hasOneUse() || !yielded.hasOneUse())
    return nullptr;
  if (combiner->getOperand(0) == accumulator)
    return combiner->getOperand(1);
  return combiner->getOperand(1) == accumulator ? combiner->getOperand(0) : nullptr;
}

FailureOr<Value> GenericExpander::reduced(unsigned number) {
  Value yielded = body.getTerminator()->getOperand(number);
  BlockArgument accumulator = body.getArgument(op.getNumDpsInputs() + number);
  Value element = combinedElement(yielded, accumulator);
  FailureOr<Value> x = valueOf(body.getTerminator(), element);
  if (failed(x))
    return failure();
  SmallVector<int64_t> dims;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (isReduction(loop))
      dims.push_back(loop);
  // The init in the order of the loops that stay.
  AffineMap map = maps[op.getNumDpsInputs() + number];
  SmallVector<unsigned> loops;
  Value init = dropConstantDims(b, op.getDpsInits()[number], map, loops);
  SmallVector<int64_t> order(loops.size());
  for (auto [position, loop] : llvm::enumerate(loops))
    order[llvm::count_if(loops, [&](unsigned other) { return other < loop; })] = position;
  if (!llvm::is_sorted(order))
    init = b.transpose(init, order);
  Operation *combiner = yielded.getDefiningOp();
  auto reduce = b.create<linalg::ReduceOp>(
      ValueRange{*x}, ValueRange{init}, dims,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        OperationState state(loc, combiner->getName(), {arguments[0], arguments[1]},
                             {arguments[0].getType()}, {});
        linalg::YieldOp::create(nested, loc, nested.create(state)->getResults());
      });
  return reduce.getResult(0);
}

/// Result `number`, in the order of its output's dimensions.
FailureOr<Value> GenericExpander::result(unsigned number) {
  bool reduces = llvm::is_contained(op.getIteratorTypesArray(), utils::IteratorType::reduction);
  FailureOr<Value> made =
      reduces ? reduced(number)
              : valueOf(body.getTerminator(), body.getTerminator()->getOperand(number));
  if (failed(made))
    return failure();
  auto type = cast<RankedTensorType>(op.getResult(number).getType());
  SmallVector<unsigned> loops;
  for (AffineExpr expr : maps[op.getNumDpsInputs() + number].getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops.push_back(dim.getPosition());
  SmallVector<int64_t> order;
  for (unsigned loop : loops)
    order.push_back(llvm::count_if(loops, [&](unsigned other) { return other < loop; }));
  Value value = llvm::is_sorted(order) ? *made : b.transpose(*made, order);
  if (cast<RankedTensorType>(value.getType()).getRank() == type.getRank())
    return value;
  // Dimensions of size 1 that no loop writes.
  std::optional<SmallVector<ReassociationIndices>> groups =
      getReassociationIndicesForReshape(cast<ShapedType>(value.getType()), type);
  if (!groups)
    return op.emitError() << "'linalg.generic' writes result " << number
                          << " through a map with constants that has no form on tensors";
  return Value(b.create<tensor::ExpandShapeOp>(type, value, *groups));
}

/// Σ a * b of two inputs is a product, whatever the order of its loops.
bool GenericExpander::expandContraction() {
  if (op.getNumDpsInputs() != 2 || op.getNumResults() != 1 || !llvm::hasNItems(body, 3))
    return false;
  auto isPlain = [](AffineMap map) { return map.isProjectedPermutation(); };
  auto multiply = dyn_cast<arith::MulFOp>(body.front());
  auto add = multiply ? dyn_cast<arith::AddFOp>(*multiply->getNextNode()) : arith::AddFOp();
  if (!add || !llvm::all_of(maps, isPlain) || body.getTerminator()->getOperand(0) != add ||
      combinedElement(add, body.getArgument(2)) != multiply.getResult())
    return false;
  bool usesBoth = llvm::is_contained(multiply->getOperands(), body.getArgument(0)) &&
                  llvm::is_contained(multiply->getOperands(), body.getArgument(1));
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (isReduction(loop) && !(maps[0].isFunctionOfDim(loop) && maps[1].isFunctionOfDim(loop)))
      return false;
  bool sums = llvm::is_contained(op.getIteratorTypesArray(), utils::IteratorType::reduction);
  if (!usesBoth || !sums)
    return false;
  auto contract = b.create<linalg::ContractOp>(op.getResultTypes(), op.getDpsInputs(),
                                               op.getDpsInits()[0],
                                               b.builder.getAffineMapArrayAttr(maps));
  op.replaceAllUsesWith(contract);
  op.erase();
  return true;
}

LogicalResult GenericExpander::run() {
  if (failed(checkMaps()))
    return failure();
  if (expandContraction())
    return success();
  bool reduces = llvm::is_contained(op.getIteratorTypesArray(), utils::IteratorType::reduction);
  unsigned inputs = op.getNumDpsInputs();
  for (auto [number, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    if (!reduces)
      continue;
    if (!combinedElement(yielded, body.getArgument(inputs + number)))
      return op.emitError() << "'linalg.generic' reduces by a body that is not one add, mul, max "
                               "or min of the accumulator and an element";
    combiners.insert(yielded.getDefiningOp());
  }
  for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
    Value operand = op->getOperand(number);
    if (argument.use_empty() || (reduces && number >= inputs))
      continue;
    if (!isa<RankedTensorType>(operand.getType())) {
      FailureOr<Value> scalar = spreadScalar(op, operand);
      if (failed(scalar))
        return failure();
      values.map(argument, *scalar);
      continue;
    }
    values.map(argument, spread(operand, maps[number]));
  }
  for (Operation &inner : body.without_terminator())
    if (!combiners.contains(&inner) && failed(expandOperation(&inner)))
      return failure();
  b.loc = op.getLoc();
  SmallVector<Value> results;
  for (unsigned number = 0; number < op.getNumResults(); ++number) {
    FailureOr<Value> made = result(number);
    if (failed(made))
      return failure();
    results.push_back(*made);
  }
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}

} // namespace zero
