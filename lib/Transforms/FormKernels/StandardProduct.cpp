//===- StandardProduct.cpp - Any contraction as one batched product -------===//
//
//  C[perm(b, m, n)] = init + Σ_k A[perm(b, m, k)] B[perm(b, k, n)]
//
// where b, m, n and k stand for any number of loops, becomes
//
//  A' [b, m, k] = collapse(transpose(A))      B' and init' likewise
//  C' = batch_matmul(A', B')                  C  = transpose(expand(C'))
//
// for contractions whose operands no strides can bring into that form.
//
//===----------------------------------------------------------------------===//

#include "FormKernels.h"
#include "ProductDims.h"

#include "zero/Differentiation/TensorBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {
namespace {

/// Loops in three groups, each of which becomes one dimension.
using Groups = std::array<ArrayRef<unsigned>, 3>;

class Standardiser {
public:
  Standardiser(TensorBuilder &b, linalg::LinalgOp op)
      : b(b), op(op), maps(op.getIndexingMapsArray()), sizes(op.getStaticLoopRanges()),
        element(getElementTypeOrSelf(op->getResult(0))) {}

  linalg::LinalgOp run();

private:
  RankedTensorType typeOf(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, element);
  }
  SmallVector<int64_t> sizesOf(ArrayRef<unsigned> loops) {
    return llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
  }
  static SmallVector<unsigned> ordered(const Groups &groups) {
    SmallVector<unsigned> loops;
    for (ArrayRef<unsigned> group : groups)
      llvm::append_range(loops, group);
    return loops;
  }
  Value collapse(Value x, const Groups &groups);
  Value expand(Value x, const Groups &groups);
  Value collapsedOperand(unsigned operand, const Groups &groups);

  TensorBuilder &b;
  linalg::LinalgOp op;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> sizes;
  Type element;
};
} // namespace

/// Dimensions of `groups`, in which an empty group is a dimension of size 1.
static SmallVector<ReassociationIndices> reassociationOf(const Groups &groups, bool &hasEmpty) {
  SmallVector<ReassociationIndices> result;
  int64_t next = 0;
  hasEmpty = false;
  for (ArrayRef<unsigned> group : groups) {
    hasEmpty |= group.empty();
    ReassociationIndices dims;
    for (size_t i = 0; i < group.size(); ++i)
      dims.push_back(next++);
    if (!dims.empty())
      result.push_back(dims);
  }
  return result;
}

/// Where sizes of 1 stand for empty groups among `count` dimensions: each dimension with
/// what it joins.
static SmallVector<ReassociationIndices> unitDimensions(const Groups &groups) {
  SmallVector<ReassociationIndices> result;
  for (int64_t dim = 0; dim < 3; ++dim) {
    if (!groups[dim].empty())
      result.push_back({});
    if (result.empty())
      continue;
    result.back().push_back(dim);
  }
  // Empty groups at the front join the first that is not.
  if (!result.empty())
    for (int64_t dim = result.front().front(); dim-- > 0;)
      result.front().insert(result.front().begin(), dim);
  return result;
}

static SmallVector<int64_t> groupSizes(const Groups &groups, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> shape;
  for (ArrayRef<unsigned> group : groups) {
    shape.push_back(1);
    for (unsigned loop : group)
      shape.back() *= sizes[loop];
  }
  return shape;
}

Value Standardiser::collapse(Value x, const Groups &groups) {
  bool hasEmpty;
  SmallVector<ReassociationIndices> merged = reassociationOf(groups, hasEmpty);
  SmallVector<int64_t> shape = groupSizes(groups, sizes), dense;
  for (auto [group, size] : llvm::zip_equal(groups, shape))
    if (!group.empty())
      dense.push_back(size);
  if (int64_t(dense.size()) != cast<RankedTensorType>(x.getType()).getRank())
    x = b.create<tensor::CollapseShapeOp>(typeOf(dense), x, merged);
  if (!hasEmpty)
    return x;
  return b.create<tensor::ExpandShapeOp>(typeOf(shape), x, unitDimensions(groups));
}

Value Standardiser::expand(Value x, const Groups &groups) {
  bool hasEmpty;
  SmallVector<ReassociationIndices> merged = reassociationOf(groups, hasEmpty);
  SmallVector<int64_t> dense, full = sizesOf(ordered(groups));
  for (auto [group, size] : llvm::zip_equal(groups, groupSizes(groups, sizes)))
    if (!group.empty())
      dense.push_back(size);
  if (hasEmpty)
    x = b.create<tensor::CollapseShapeOp>(typeOf(dense), x, unitDimensions(groups));
  if (dense.size() == full.size())
    return x;
  return b.create<tensor::ExpandShapeOp>(typeOf(full), x, merged);
}

/// The operand with its loops in the order of `groups`, each group one dimension; repeated
/// along loops that it lacks.
Value Standardiser::collapsedOperand(unsigned operand, const Groups &groups) {
  SmallVector<unsigned> loops = ordered(groups);
  SmallVector<int64_t> permutation, missing;
  for (auto [index, loop] : llvm::enumerate(loops)) {
    std::optional<unsigned> position =
        maps[operand].getResultPosition(getAffineDimExpr(loop, op->getContext()));
    if (position)
      permutation.push_back(*position);
    else
      missing.push_back(index);
  }
  Value x = op->getOperand(operand);
  if (!llvm::is_sorted(permutation))
    x = b.transpose(x, permutation);
  return collapse(b.broadcast(x, typeOf(sizesOf(loops)), missing), groups);
}

linalg::LinalgOp Standardiser::run() {
  ProductDims dims = classifyDims(op);
  Groups a{dims.batch, dims.m, dims.k}, c{dims.batch, dims.m, dims.n};
  Groups bGroups{dims.batch, dims.k, dims.n};
  Value init = isZeroFill(op->getOperand(2)) ? b.zeros(typeOf(groupSizes(c, sizes)))
                                             : collapsedOperand(2, c);
  Value left = collapsedOperand(0, a), right = collapsedOperand(1, bGroups);
  auto product = linalg::BatchMatmulOp::create(b.builder, b.loc, ValueRange{left, right}, init);
  // Loop `ordered(c)[i]` is dimension i here; the result wants its own order.
  SmallVector<unsigned> loops = ordered(c);
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : maps[2].getResults())
    permutation.push_back(
        llvm::find(loops, cast<AffineDimExpr>(expr).getPosition()) - loops.begin());
  Value result = expand(product.getResult(0), c);
  if (!llvm::is_sorted(permutation))
    result = b.transpose(result, permutation);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return cast<linalg::LinalgOp>(product.getOperation());
}

linalg::LinalgOp standardiseProduct(OpBuilder &builder, linalg::LinalgOp op) {
  builder.setInsertionPoint(op);
  TensorBuilder tensors(builder);
  tensors.loc = op->getLoc();
  return Standardiser(tensors, op).run();
}

} // namespace zero
