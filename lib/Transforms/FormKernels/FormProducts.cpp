//===- FormProducts.cpp - Matrix products in the library's form -----------===//

#include "FormKernels.h"
#include "ProductDims.h"
#include "StridedOperand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {
namespace {

/// Merged loop: its size, and the stride in one operand (which must be linear).
struct MergedDim {
  int64_t size = 1, stride = 0;
};
} // namespace

static bool usesDim(AffineMap map, unsigned dim) {
  return map.isFunctionOfDim(dim);
}

ProductDims classifyDims(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  ProductDims dims;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    bool a = usesDim(maps[0], dim), b = usesDim(maps[1], dim), c = usesDim(maps[2], dim);
    (a && b && c ? dims.batch : c && !b ? dims.m : c ? dims.n : dims.k).push_back(dim);
  }
  return dims;
}

/// Stride of each loop in an operand addressed by `map` over `strides`.
static SmallVector<int64_t> loopStrides(AffineMap map, ArrayRef<int64_t> strides,
                                        unsigned loops) {
  SmallVector<int64_t> result(loops, 0);
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
    result[cast<AffineDimExpr>(expr).getPosition()] += stride;
  return result;
}

/// Merges loops, outer first, if each outer stride spans the inner loops exactly.
static FailureOr<MergedDim> merge(ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes,
                                  ArrayRef<int64_t> strides) {
  MergedDim merged;
  bool first = true;
  // Over nothing there is nothing to address.
  if (llvm::any_of(dims, [&](unsigned dim) { return sizes[dim] == 0; }))
    return MergedDim{0, 0};
  for (unsigned dim : llvm::reverse(dims)) {
    if (sizes[dim] == 1)
      continue;
    if (!first && strides[dim] != merged.stride * merged.size)
      return failure();
    if (first)
      merged.stride = strides[dim];
    merged.size *= sizes[dim];
    first = false;
  }
  return merged;
}

bool isZeroFill(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.value(), m_AnyZeroFloat()) ||
                  matchPattern(fill.value(), m_PosZeroFloat()));
}

namespace {
/// The add of a bias that every row of a product gets; null where there is none.
struct BiasAdd {
  arith::AddFOp add;
  Value bias;
  int64_t offset = 0;
};
} // namespace

static BiasAdd findBias(Value result, int64_t n) {
  if (!result.hasOneUse())
    return {};
  auto add = dyn_cast<arith::AddFOp>(*result.user_begin());
  if (!add)
    return {};
  Value other = add.getLhs() == result ? add.getRhs() : add.getLhs();
  if (!other.getDefiningOp<linalg::BroadcastOp>())
    return {};
  StridedOperand strided = resolveStrides(other);
  // Only the last dimension, which is n, may move the bias.
  auto type = cast<RankedTensorType>(result.getType());
  if (type.getRank() == 0 || type.getShape().back() != n)
    return {};
  for (int64_t stride : ArrayRef(strided.strides).drop_back())
    if (stride != 0)
      return {};
  if (strided.strides.back() != 1 && n != 1)
    return {};
  return {add, strided.base, strided.offset};
}

namespace {
/// A contraction as a product of (batch, m, n, k): loops by their part in it, and the
/// stride of every loop in each operand.
struct ProductForm {
  ProductDims dims;
  SmallVector<int64_t> sizes, aStrides, bStrides, cStrides;

  bool merges(ArrayRef<unsigned> loops, ArrayRef<ArrayRef<int64_t>> operands) const {
    return llvm::all_of(operands, [&](ArrayRef<int64_t> strides) {
      return succeeded(merge(loops, sizes, strides));
    });
  }
  MergedDim merged(ArrayRef<unsigned> loops, ArrayRef<int64_t> strides) const {
    return *merge(loops, sizes, strides);
  }
};
} // namespace

/// Moves loops to the batch, where the operand without them has a stride of 0, and
/// sums to `outer`, which is run as a chain of products, until each part merges.
static bool splitLoops(ProductForm &f, SmallVectorImpl<unsigned> &outer) {
  auto moveWhile = [](SmallVectorImpl<unsigned> &from, SmallVectorImpl<unsigned> &to,
                      function_ref<bool()> merges) {
    while (!merges() && from.size() > 1) {
      to.push_back(from.front());
      from.erase(from.begin());
    }
  };
  moveWhile(f.dims.k, outer, [&] { return f.merges(f.dims.k, {f.aStrides, f.bStrides}); });
  moveWhile(f.dims.m, f.dims.batch, [&] { return f.merges(f.dims.m, {f.aStrides, f.cStrides}); });
  moveWhile(f.dims.n, f.dims.batch, [&] { return f.merges(f.dims.n, {f.bStrides, f.cStrides}); });
  return f.merges(f.dims.batch, {f.aStrides, f.bStrides, f.cStrides});
}

/// Failure for a contraction that strides alone don't bring into that form.
static FailureOr<ProductForm> productFormOf(linalg::LinalgOp op, ArrayRef<int64_t> aStrides,
                                            ArrayRef<int64_t> bStrides,
                                            SmallVectorImpl<unsigned> &outer) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned loops = op.getNumLoops();
  auto cType = cast<RankedTensorType>(op->getResult(0).getType());
  ProductForm form{classifyDims(op), op.getStaticLoopRanges(),
                   loopStrides(maps[0], aStrides, loops), loopStrides(maps[1], bStrides, loops),
                   loopStrides(maps[2], rowMajorStrides(cType), loops)};
  if (!splitLoops(form, outer))
    return failure();
  MergedDim n = form.merged(form.dims.n, form.cStrides);
  if (n.size != 1 && n.stride != 1)
    return failure();
  return form;
}

/// Operands, strides and sizes of the product that `op` is; the last one of a chain.
static FailureOr<ProductOp> buildProduct(OpBuilder &builder, linalg::LinalgOp op) {
  StridedOperand a = resolveStrides(op->getOperand(0));
  StridedOperand b = resolveStrides(op->getOperand(1));
  SmallVector<unsigned> outer;
  FailureOr<ProductForm> form = productFormOf(op, a.strides, b.strides, outer);
  if (failed(form))
    return failure();
  const ProductForm &f = *form;
  MergedDim aBatch = f.merged(f.dims.batch, f.aStrides), aM = f.merged(f.dims.m, f.aStrides),
            aK = f.merged(f.dims.k, f.aStrides), bBatch = f.merged(f.dims.batch, f.bStrides),
            bK = f.merged(f.dims.k, f.bStrides), bN = f.merged(f.dims.n, f.bStrides),
            cBatch = f.merged(f.dims.batch, f.cStrides), cM = f.merged(f.dims.m, f.cStrides),
            cN = f.merged(f.dims.n, f.cStrides);

  Value init = op->getOperand(2);
  BiasAdd bias;
  if (isZeroFill(init)) {
    init = nullptr;
    if (outer.empty())
      bias = findBias(op->getResult(0), cN.size);
  }
  builder.setInsertionPoint(bias.add ? bias.add.getOperation() : op.getOperation());
  auto i64s = [&](ArrayRef<int64_t> values) { return builder.getDenseI64ArrayAttr(values); };
  auto i64 = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  int64_t steps = 1;
  for (unsigned loop : outer)
    steps *= f.sizes[loop];
  ProductOp product;
  for (int64_t step = 0; step < steps; ++step) {
    int64_t rest = step, aOffset = a.offset, bOffset = b.offset;
    for (unsigned loop : llvm::reverse(outer)) {
      aOffset += rest % f.sizes[loop] * f.aStrides[loop];
      bOffset += rest % f.sizes[loop] * f.bStrides[loop];
      rest /= f.sizes[loop];
    }
    product = ProductOp::create(
        builder, op.getLoc(), op->getResult(0).getType(), a.base, b.base, bias.bias, init,
        i64s({cBatch.size, cM.size, cN.size, aK.size}),
        i64s({aBatch.stride, aM.stride, aK.stride}), i64s({bBatch.stride, bK.stride, bN.stride}),
        i64s({cBatch.stride, cM.stride}), i64(aOffset), i64(bOffset), i64(bias.offset));
    init = product.getResult();
  }
  return product;
}

/// Both operands may be swapped where C is contiguous in the first one's dimension:
/// (A B)^T = B^T A^T.
static bool wantsSwap(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps[2].getNumResults() == 0)
    return false;
  auto last = dyn_cast<AffineDimExpr>(maps[2].getResults().back());
  return last && usesDim(maps[0], last.getPosition()) &&
         !usesDim(maps[1], last.getPosition());
}

/// Rewrites `op` as linalg.contract with its operands swapped.
static linalg::LinalgOp swapOperands(OpBuilder &builder, linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  std::swap(maps[0], maps[1]);
  builder.setInsertionPoint(op);
  auto contract = linalg::ContractOp::create(
      builder, op.getLoc(), op->getResultTypes(),
      ValueRange{op->getOperand(1), op->getOperand(0)}, op->getOperand(2),
      builder.getAffineMapArrayAttr(maps));
  op->replaceAllUsesWith(contract->getResults());
  op->erase();
  return cast<linalg::LinalgOp>(contract.getOperation());
}

static bool isProduct(Operation &op) {
  return isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ContractOp, linalg::MatvecOp,
             linalg::VecmatOp, linalg::DotOp, linalg::BatchMatvecOp, linalg::BatchVecmatOp,
             linalg::BatchReduceMatmulOp>(op);
}

LogicalResult formProducts(StepOp step) {
  OpBuilder builder(step.getContext());
  SmallVector<linalg::LinalgOp> products;
  for (Operation &op : step.getBody().front())
    if (isProduct(op))
      products.push_back(cast<linalg::LinalgOp>(op));
  for (linalg::LinalgOp op : products) {
    if (wantsSwap(op))
      op = swapOperands(builder, op);
    FailureOr<ProductOp> product = buildProduct(builder, op);
    if (failed(product)) {
      op = standardiseProduct(builder, op);
      product = buildProduct(builder, op);
    }
    if (failed(product))
      return op.emitError() << "'" << op->getName() << "' has no form as a product";
    Operation *last = op;
    if (product->getBias())
      last = *op->getResult(0).user_begin();
    last->replaceAllUsesWith(product->getOperation());
    if (last != op)
      last->erase();
    op->erase();
  }
  return success();
}

} // namespace zero
