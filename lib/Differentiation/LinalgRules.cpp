//===- LinalgRules.cpp - Rules of the linalg dialect ----------------------===//

#include "RuleRegistration.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// `x`, indexed by `xMap`, as a tensor of `type`, indexed by `map`: transposed to the
/// order of the result's dimensions, then repeated along those that it lacks.
static Value spread(TensorBuilder &b, Value x, AffineMap xMap, Type type, AffineMap map) {
  SmallVector<int64_t> permutation, missing;
  for (auto [index, result] : llvm::enumerate(map.getResults())) {
    auto *found = llvm::find(xMap.getResults(), result);
    if (found == xMap.getResults().end())
      missing.push_back(index);
    else
      permutation.push_back(found - xMap.getResults().begin());
  }
  if (!llvm::is_sorted(permutation))
    x = b.transpose(x, permutation);
  return b.broadcast(x, type, missing);
}

/// `Σ x * z` into zeros of `type`, each indexed by its map.
static Value contract(TensorBuilder &b, Value x, AffineMap xMap, Value z, AffineMap zMap,
                      Type type, AffineMap map) {
  bool sums = llvm::any_of(xMap.getResults(), [&](AffineExpr dim) {
    return !llvm::is_contained(map.getResults(), dim);
  });
  if (!sums)
    return b.mul(spread(b, x, xMap, type, map), spread(b, z, zMap, type, map));
  ArrayAttr maps = b.builder.getAffineMapArrayAttr({xMap, zMap, map});
  return b.create<linalg::ContractOp>(TypeRange(type), ValueRange{x, z}, b.zeros(type), maps)
      .getResult(0);
}

/// C = init + A B, in any of the forms that indexing maps give:
/// dA = dC B^T, dB = A^T dC, dinit = dC.
static LogicalResult vjpProduct(linalg::LinalgOp op, GradientMap &g) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Value a = op->getOperand(0), b = op->getOperand(1), dc = g.of(op->getResult(0));
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!maps[2].isFunctionOfDim(loop) &&
        !(maps[0].isFunctionOfDim(loop) && maps[1].isFunctionOfDim(loop)))
      return op.emitError() << "'" << op->getName()
                            << "' sums over a dimension of one operand only, which has no rule";
  if (g.wants(a))
    g.add(a, contract(g.build(), dc, maps[2], b, maps[1], a.getType(), maps[0]));
  if (g.wants(b))
    g.add(b, contract(g.build(), a, maps[0], dc, maps[2], b.getType(), maps[1]));
  g.add(op->getOperand(2), dc);
  return success();
}

template <typename OpT> static void addProductRule(MLIRContext *context) {
  addRule<OpT, [](OpT op, GradientMap &g) {
    return vjpProduct(cast<linalg::LinalgOp>(op.getOperation()), g);
  }>(context);
}

//===----------------------------------------------------------------------===//
// Broadcasts, transpositions, reductions
//===----------------------------------------------------------------------===//

static LogicalResult vjpBroadcast(linalg::BroadcastOp op, GradientMap &g) {
  if (g.wants(op.getInput()))
    g.add(op.getInput(), g.build().sum(g.of(op->getResult(0)), op.getDimensions()));
  return success();
}

static LogicalResult vjpTranspose(linalg::TransposeOp op, GradientMap &g) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [index, dim] : llvm::enumerate(op.getPermutation()))
    inverse[dim] = index;
  if (g.wants(op.getInput()))
    g.add(op.getInput(), g.build().transpose(g.of(op->getResult(0)), inverse));
  return success();
}

/// Σ x: every element gets dy.
static Value gradientOfSum(TensorBuilder &b, linalg::ReduceOp op, Value dy) {
  return b.broadcast(dy, op.getInputs().front().getType(), op.getDimensions());
}

/// 1 where `x` is equal to `y`, else 0.
static Value isEqual(TensorBuilder &b, Value x, Value y) {
  return b.select(b.compare(arith::CmpFPredicate::OEQ, x, y), b.splat(x.getType(), 1.0),
                  b.splat(x.getType(), 0.0));
}

/// max or min: dy goes to the elements that are it, in equal parts; an init that is not
/// neutral is one of them.
static void addExtreme(GradientMap &g, linalg::ReduceOp op, bool hasInit, Value dy) {
  TensorBuilder &b = g.build();
  Value x = op.getInputs().front(), init = op.getInits().front(), y = op->getResult(0);
  auto dims = op.getDimensions();
  Value ones = isEqual(b, x, b.broadcast(y, x.getType(), dims));
  Value count = b.sum(ones, dims);
  Value initIsIt = hasInit ? isEqual(b, init, y) : Value();
  if (hasInit)
    count = b.add(count, initIsIt);
  Value share = b.div(dy, count);
  if (g.wants(x))
    g.add(x, b.mul(ones, b.broadcast(share, x.getType(), dims)));
  if (hasInit && g.wants(init))
    g.add(init, b.mul(initIsIt, share));
}

/// Π x: dy times the product of the other elements, exact where some are zero.
static Value gradientOfProduct(TensorBuilder &b, linalg::ReduceOp op, Value dy) {
  Value x = op.getInputs().front();
  Type full = x.getType(), reduced = dy.getType();
  auto dims = op.getDimensions();
  Value isZero = b.compare(arith::CmpFPredicate::OEQ, x, b.splat(full, 0.0));
  Value nonZero = b.select(isZero, b.splat(full, 1.0), x);
  Value product = b.product(nonZero, dims);
  Value zeros = b.sum(b.select(isZero, b.splat(full, 1.0), b.splat(full, 0.0)), dims);
  auto where = [&](double count) { // `product` where there are `count` zeros
    Value is = b.compare(arith::CmpFPredicate::OEQ, zeros, b.splat(reduced, count));
    return b.broadcast(b.mul(dy, b.select(is, product, b.splat(reduced, 0.0))), full, dims);
  };
  Value none = where(0.0), single = where(1.0);
  return b.select(isZero, single, b.div(none, nonZero));
}

/// The one number that all elements of `tensor` are, if that is known.
static std::optional<double> splatValue(Value tensor) {
  FloatAttr value;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    tensor = fill.value();
  DenseFPElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&value)))
    return value.getValueAsDouble();
  if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<FloatAttr>().getValueAsDouble();
  return std::nullopt;
}

static bool isNeutral(Operation *combiner, Value init) {
  std::optional<double> known = splatValue(init);
  if (!known)
    return false;
  double neutral = *known;
  if (isa<arith::MulFOp>(combiner))
    return neutral == 1.0;
  bool isMax = isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner);
  const auto &semantics = cast<FloatType>(getElementTypeOrSelf(init)).getFloatSemantics();
  double lowest = APFloat::getLargest(semantics, true).convertToDouble();
  return isMax ? neutral <= lowest : neutral >= -lowest;
}

static LogicalResult vjpReduce(linalg::ReduceOp op, GradientMap &g) {
  Block &body = op.getCombiner().front();
  if (op.getInputs().size() != 1 || !llvm::hasNItems(body, 2))
    return op.emitError() << "'linalg.reduce' has a rule for add, mul, max and min only";
  Operation *combiner = &body.front();
  Value x = op.getInputs().front(), init = op.getInits().front(), dy = g.of(op->getResult(0));
  TensorBuilder &b = g.build();
  if (isa<arith::AddFOp>(combiner)) {
    if (g.wants(x))
      g.add(x, gradientOfSum(b, op, dy));
    g.add(init, dy);
    return success();
  }
  bool isExtreme = isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
      combiner);
  if (!isExtreme && !isa<arith::MulFOp>(combiner))
    return op.emitError() << "'linalg.reduce' has a rule for add, mul, max and min only";
  bool hasInit = !isNeutral(combiner, init);
  if (isExtreme) {
    addExtreme(g, op, hasInit, dy);
    return success();
  }
  // Π x * init: the gradient of each factor has the other in it.
  if (g.wants(x))
    g.add(x, gradientOfProduct(b, op, hasInit ? b.mul(dy, init) : dy));
  if (hasInit && g.wants(init))
    g.add(init, b.mul(dy, b.product(x, op.getDimensions())));
  return success();
}

void registerLinalgRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    addProductRule<linalg::MatmulOp>(context);
    addProductRule<linalg::BatchMatmulOp>(context);
    addProductRule<linalg::ContractOp>(context);
    addProductRule<linalg::MatvecOp>(context);
    addProductRule<linalg::VecmatOp>(context);
    addProductRule<linalg::DotOp>(context);
    addProductRule<linalg::BatchMatvecOp>(context);
    addProductRule<linalg::BatchVecmatOp>(context);
    addProductRule<linalg::BatchReduceMatmulOp>(context);
    addRule<linalg::BroadcastOp, vjpBroadcast>(context);
    addRule<linalg::TransposeOp, vjpTranspose>(context);
    addRule<linalg::ReduceOp, vjpReduce>(context);
  });
}

} // namespace zero
