//===- ExpandLosses.cpp - Losses as row-wise operations and products ------===//

#include "FormKernels.h"

#include "dialects/NN/NNOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace zero {
namespace {

/// Builds the tensor operations of the expansions at one place.
struct LossBuilder {
  OpBuilder builder;
  Location loc;

  LossBuilder(Operation *op) : builder(op), loc(op->getLoc()) {}

  Value zeroFilled(RankedTensorType type) {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  }

  /// Rows [begin, begin + count) of `x`.
  Value rows(Value x, int64_t begin, int64_t count) {
    auto type = cast<RankedTensorType>(x.getType());
    if (begin == 0 && count == type.getDimSize(0))
      return x;
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      offsets.push_back(builder.getIndexAttr(dim ? 0 : begin));
      sizes.push_back(builder.getIndexAttr(dim ? type.getDimSize(dim) : count));
      strides.push_back(builder.getIndexAttr(1));
    }
    return tensor::ExtractSliceOp::create(builder, loc, x, offsets, sizes, strides);
  }

  Value joinRows(ArrayRef<Value> tiles) {
    if (tiles.size() == 1)
      return tiles.front();
    return tensor::ConcatOp::create(builder, loc, /*dim=*/0, tiles);
  }

  /// Sum of all elements of a vector.
  Value sum(Value x) {
    auto type = cast<RankedTensorType>(x.getType());
    auto scalar = RankedTensorType::get({}, type.getElementType());
    return linalg::ReduceOp::create(
               builder, loc, x, zeroFilled(scalar), SmallVector<int64_t>{0},
               [](OpBuilder &b, Location l, ValueRange args) {
                 Value add = arith::AddFOp::create(b, l, args[0], args[1]);
                 linalg::YieldOp::create(b, l, add);
               })
        .getResult(0);
  }

  /// Sum over rows of an N x C tensor, added to `init`.
  Value sumRows(Value x, Value init) {
    return linalg::ReduceOp::create(
               builder, loc, x, init, SmallVector<int64_t>{0},
               [](OpBuilder &b, Location l, ValueRange args) {
                 Value add = arith::AddFOp::create(b, l, args[0], args[1]);
                 linalg::YieldOp::create(b, l, add);
               })
        .getResult(0);
  }

  /// `init + A x B`, where `maps` say which of (m, n, k) index A and B.
  Value product(Value a, Value b, Value init, ArrayRef<int> aDims,
                ArrayRef<int> bDims) {
    MLIRContext *context = builder.getContext();
    auto map = [&](ArrayRef<int> dims) {
      SmallVector<AffineExpr> exprs;
      for (int dim : dims)
        exprs.push_back(getAffineDimExpr(dim, context));
      return AffineMapAttr::get(AffineMap::get(3, 0, exprs, context));
    };
    Attribute maps[] = {map(aDims), map(bDims), map({0, 1})};
    auto op = linalg::MatmulOp::create(builder, loc, ValueRange{a, b}, init);
    op.setIndexingMapsAttr(builder.getArrayAttr(maps));
    return op.getResult(0);
  }
};

enum : int { M = 0, N = 1, K = 2 };

/// What a sweep over row tiles of the head gives.
struct HeadResults {
  Value sum, weight, dx, dw, dbias;
};

/// One head: the operands of nn.linear_cross_entropy(_grad); dsum is null where
/// no gradient is wanted.
struct Head {
  Value dsum, x, w, bias, labels;
  int64_t ignoreIndex;
};
} // namespace

static Value makeLogits(LossBuilder &b, const Head &head, Value x) {
  auto xType = cast<RankedTensorType>(x.getType());
  auto wType = cast<RankedTensorType>(head.w.getType());
  auto type = RankedTensorType::get({xType.getDimSize(0), wType.getDimSize(0)},
                                    xType.getElementType());
  Value logits = b.product(x, head.w, b.zeroFilled(type), {M, K}, {N, K});
  if (!head.bias)
    return logits;
  Value empty = tensor::EmptyOp::create(b.builder, b.loc, type.getShape(),
                                        type.getElementType());
  Value bias = linalg::BroadcastOp::create(b.builder, b.loc, head.bias, empty,
                                           SmallVector<int64_t>{0})
                   .getResult()[0];
  return arith::AddFOp::create(b.builder, b.loc, logits, bias);
}

/// Sweeps tiles of rows. A tile has at most as many rows as the head has channels,
/// so that its logits are never larger than the head's weight.
static HeadResults sweepHead(LossBuilder &b, const Head &head) {
  auto xType = cast<RankedTensorType>(head.x.getType());
  auto wType = cast<RankedTensorType>(head.w.getType());
  int64_t rows = xType.getDimSize(0);
  int64_t most = std::max<int64_t>(1, xType.getDimSize(1));
  int64_t tiles = std::max<int64_t>(1, llvm::divideCeil(rows, most));
  int64_t tileRows = llvm::divideCeil(rows, tiles);

  HeadResults results;
  SmallVector<Value> losses, weights, dxs;
  if (head.dsum) {
    results.dw = b.zeroFilled(wType);
    if (head.bias)
      results.dbias = b.zeroFilled(cast<RankedTensorType>(head.bias.getType()));
  }
  for (int64_t begin = 0; begin == 0 || begin < rows; begin += tileRows) {
    int64_t count = std::min(tileRows, rows - begin);
    Value x = b.rows(head.x, begin, count);
    Value labels = b.rows(head.labels, begin, count);
    Value logits = makeLogits(b, head, x);
    auto rowType = RankedTensorType::get({count}, xType.getElementType());
    auto loss = nn::CrossEntropyRowsOp::create(b.builder, b.loc, rowType, rowType,
                                               rowType, logits, labels,
                                               head.ignoreIndex);
    losses.push_back(loss.getResult(0));
    weights.push_back(loss.getResult(1));
    if (head.dsum) {
      Value dlogits = nn::CrossEntropyGradOp::create(
          b.builder, b.loc, logits.getType(), head.dsum, logits, labels,
          loss.getResult(2), head.ignoreIndex);
      Value dx = b.zeroFilled(cast<RankedTensorType>(x.getType()));
      dxs.push_back(b.product(dlogits, head.w, dx, {M, K}, {K, N}));
      results.dw = b.product(dlogits, x, results.dw, {K, M}, {K, N});
      if (head.bias)
        results.dbias = b.sumRows(dlogits, results.dbias);
    }
    if (tileRows == 0)
      break;
  }
  results.sum = b.sum(b.joinRows(losses));
  results.weight = b.sum(b.joinRows(weights));
  if (head.dsum)
    results.dx = b.joinRows(dxs);
  return results;
}

static void expand(nn::LinearCrossEntropyOp op) {
  LossBuilder b(op);
  HeadResults r = sweepHead(b, {nullptr, op.getX(), op.getW(), op.getBias(),
                                op.getLabels(), int64_t(op.getIgnoreIndex())});
  op->replaceAllUsesWith(ValueRange{r.sum, r.weight});
  op->erase();
}

static void expand(nn::LinearCrossEntropyGradOp op) {
  LossBuilder b(op);
  HeadResults r = sweepHead(b, {op.getDsum(), op.getX(), op.getW(), op.getBias(),
                                op.getLabels(), int64_t(op.getIgnoreIndex())});
  SmallVector<Value> values{r.sum, r.weight, r.dx, r.dw};
  if (op.getBias())
    values.push_back(r.dbias);
  op->replaceAllUsesWith(values);
  op->erase();
}

static void expand(nn::CrossEntropyOp op) {
  LossBuilder b(op);
  Type rowType = op.getLse().getType();
  auto rows = nn::CrossEntropyRowsOp::create(b.builder, b.loc, rowType, rowType,
                                             rowType, op.getLogits(), op.getLabels(),
                                             op.getIgnoreIndex());
  op->replaceAllUsesWith(
      ValueRange{b.sum(rows.getResult(0)), b.sum(rows.getResult(1)), rows.getResult(2)});
  op->erase();
}

/// dx is made row by row, the gradients of gamma and beta column by column: two
/// operations, each with the other's results unused.
static void splitNormGradient(Operation *op) {
  ResultRange results = op->getResults();
  bool wantsRows = !results[0].use_empty();
  bool wantsColumns = llvm::any_of(results.drop_front(),
                                   [](Value v) { return !v.use_empty(); });
  if (!wantsRows || !wantsColumns)
    return;
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Operation *columns = builder.clone(*op);
  for (auto [old, fresh] : llvm::zip_equal(results.drop_front(),
                                           columns->getResults().drop_front()))
    old.replaceAllUsesWith(fresh);
}

void expandLosses(StepOp step) {
  for (Operation &op : llvm::make_early_inc_range(step.getBody().front())) {
    if (auto loss = dyn_cast<nn::LinearCrossEntropyOp>(op))
      expand(loss);
    else if (auto loss = dyn_cast<nn::LinearCrossEntropyGradOp>(op))
      expand(loss);
    else if (auto loss = dyn_cast<nn::CrossEntropyOp>(op))
      expand(loss);
    else if (isa<nn::LayerNormGradOp, nn::RmsNormGradOp>(op))
      splitNormGradient(&op);
    else if (auto boundary = dyn_cast<BlockBoundaryOp>(op)) {
      boundary.getResult().replaceAllUsesWith(boundary.getX());
      boundary.erase();
    }
  }
}

} // namespace zero
