//===- GradientMap.cpp - Gradients of values while they are made ----------===//

#include "zero/Differentiation/GradientMap.h"

#include "dialects/NN/NNOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

#include "zero/Differentiation/DifferentiableInterface.cpp.inc"

namespace zero {

void GradientMap::add(Value operand, Value gradient) {
  if (!wants(operand))
    return;
  assert(operand.getType() == gradient.getType() && "gradient of another type");
  contributions[operand].push_back(gradient);
  hold(gradient);
}

void GradientMap::retire(Operation *op) {
  for (Value result : op->getResults()) {
    auto it = contributions.find(result);
    if (it == contributions.end())
      continue;
    for (Value gradient : it->second)
      release(gradient);
    it->second.clear();
  }
}

Value GradientMap::of(Value result) {
  auto it = contributions.find(result);
  if (it == contributions.end())
    return nullptr;
  Parts &parts = it->second;
  if (parts.size() > 1) {
    parts = {combine(parts)};
    hold(parts.front());
  }
  return parts.front();
}

Value GradientMap::ofOrZero(Value result) {
  Value gradient = of(result);
  return gradient ? gradient : tensors.zeros(result.getType());
}

static bool isZeros(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.value(), m_AnyZeroFloat());
}

/// The operand that `gradient`'s operation adds to, if that is zeros and may be another
/// value: nothing else knows the gradient. Else null.
OpOperand *GradientMap::accumulator(Value gradient) const {
  Operation *op = gradient.getDefiningOp();
  OpOperand *init = nullptr;
  if (isa_and_nonnull<linalg::ContractOp>(op))
    init = &op->getOpOperand(2);
  else if (auto embedding = dyn_cast_or_null<nn::EmbeddingGradOp>(op))
    init = &embedding.getInitMutable();
  return init && isOwned(gradient) && isZeros(init->get()) ? init : nullptr;
}

/// The slice of zeros that `gradient` fills, if nothing else knows it; or null.
tensor::InsertSliceOp GradientMap::sliceOfZeros(Value gradient) const {
  auto insert = gradient.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !isOwned(gradient) || !isZeros(insert.getDest()) ||
      insert.getSourceType().getRank() != insert.getDestType().getRank() ||
      !llvm::all_of(insert.getStaticStrides(), [](int64_t s) { return s == 1; }))
    return nullptr;
  return insert;
}

/// The one dimension in which `slice` is not whole; -1 if there are none or several.
static int64_t cutDimension(tensor::InsertSliceOp slice) {
  int64_t cut = -1;
  for (int64_t dim = 0; dim < slice.getDestType().getRank(); ++dim) {
    if (slice.getStaticSizes()[dim] == slice.getDestType().getDimSize(dim))
      continue;
    if (cut >= 0)
      return -1;
    cut = dim;
  }
  return cut;
}

/// Slices that make up the whole along one dimension, as one concatenation; they
/// leave `parts`. Null where they don't.
Value GradientMap::joinSlices(Parts &parts) {
  SmallVector<tensor::InsertSliceOp> slices;
  for (Value part : parts)
    if (tensor::InsertSliceOp slice = sliceOfZeros(part))
      slices.push_back(slice);
  if (slices.size() < 2)
    return nullptr;
  int64_t dim = cutDimension(slices.front());
  if (dim < 0 || !llvm::all_of(slices, [&](auto s) { return cutDimension(s) == dim; }))
    return nullptr;
  llvm::sort(slices, [&](tensor::InsertSliceOp x, tensor::InsertSliceOp y) {
    return x.getStaticOffsets()[dim] < y.getStaticOffsets()[dim];
  });
  int64_t end = 0;
  SmallVector<Value> sources;
  for (tensor::InsertSliceOp slice : slices) {
    if (slice.getStaticOffsets()[dim] != end)
      return nullptr;
    end += slice.getStaticSizes()[dim];
    sources.push_back(slice.getSource());
  }
  if (end != slices.front().getDestType().getDimSize(dim))
    return nullptr;
  llvm::erase_if(parts, [&](Value part) { return bool(sliceOfZeros(part)); });
  for (tensor::InsertSliceOp slice : slices) {
    release(slice.getResult());
    slice.erase();
  }
  return tensors.create<tensor::ConcatOp>(dim, sources);
}

Value GradientMap::combine(Parts parts) {
  Value total = joinSlices(parts);
  Parts products;
  for (Value part : parts) {
    if (accumulator(part))
      products.push_back(part);
    else
      total = total ? tensors.add(total, part) : part;
  }
  for (Value part : products) {
    if (total) {
      accumulator(part)->set(total);
      part.getDefiningOp()->moveBefore(tensors.builder.getInsertionBlock(),
                                       tensors.builder.getInsertionPoint());
    }
    total = part;
  }
  for (Value part : parts)
    release(part);
  return total;
}

} // namespace zero
