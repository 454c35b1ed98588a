//===- ExpandStructured.cpp - What importers write, as what has rules -----===//
//
//  linalg.generic, linalg.map, named elementwise ops  => arith and math on tensors, reduce,
//                                                        contract, nn.embedding
//  linalg.softmax                                     => nn.softmax, between transpositions
//  tensor.pad                                         => tensor.insert_slice
//
//===----------------------------------------------------------------------===//

#include "ExpandStructured/GenericExpander.h"

#include "zero/Transforms/Passes.h"

#include "dialects/NN/NNOps.h"
#include "dialects/Zero/ZeroOps.h"

#include "dialects/NN/NNDialect.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_EXPANDSTRUCTUREDPASS
#include "zero/Transforms/Passes.h.inc"

/// Structured operations that have rules of their own.
static bool hasRules(Operation *op) {
  return isa<linalg::FillOp, linalg::BroadcastOp, linalg::TransposeOp, linalg::ReduceOp,
             linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ContractOp, linalg::MatvecOp,
             linalg::VecmatOp, linalg::DotOp, linalg::BatchMatvecOp, linalg::BatchVecmatOp,
             linalg::BatchReduceMatmulOp>(op);
}

static LogicalResult expand(linalg::GenericOp op, OpBuilder &builder) {
  TensorBuilder b(builder);
  b.loc = op.getLoc();
  return GenericExpander(b, op).run();
}

/// Softmax over another dimension than the last one is between two transpositions.
static LogicalResult expand(linalg::SoftmaxOp op, OpBuilder &builder) {
  TensorBuilder b(builder);
  b.loc = op.getLoc();
  Value x = op.getInput();
  auto type = cast<RankedTensorType>(x.getType());
  if (!type.hasStaticShape() || !isa<FloatType>(type.getElementType()))
    return op.emitError() << "'linalg.softmax' is of type " << type
                          << "; want a static tensor of floats";
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  std::swap(order[op.getDimension()], order.back()); // its own inverse
  bool isLast = llvm::is_sorted(order);
  if (!isLast)
    x = b.transpose(x, order);
  Value y = b.create<nn::SoftmaxOp>(x.getType(), x);
  op->replaceAllUsesWith(ValueRange{isLast ? y : b.transpose(y, order)});
  op->erase();
  return success();
}

static LogicalResult expand(tensor::PadOp op, OpBuilder &builder) {
  TensorBuilder b(builder);
  b.loc = op.getLoc();
  RankedTensorType type = op.getResultType(), source = op.getSourceType();
  Value padding = op.getConstantPaddingValue();
  Attribute value;
  if (!padding || !matchPattern(padding, m_Constant(&value)))
    return op.emitError() << "'tensor.pad' pads with what is not one constant";
  if (!type.hasStaticShape() || !source.hasStaticShape() ||
      llvm::any_of(op.getStaticLow(), ShapedType::isDynamic))
    return op.emitError() << "'tensor.pad' pads by sizes that are not known";
  if (llvm::any_of(op.getStaticLow(), [](int64_t low) { return low < 0; }) ||
      llvm::any_of(op.getStaticHigh(), [](int64_t high) { return high < 0; }))
    return op.emitError() << "'tensor.pad' pads by a negative size";
  Value around = b.create<arith::ConstantOp>(DenseElementsAttr::get(type, value));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  Value padded = b.create<tensor::InsertSliceOp>(
      op.getSource(), around, op.getMixedLowPad(),
      getAsIndexOpFoldResult(op.getContext(), source.getShape()), strides);
  op->replaceAllUsesWith(ValueRange{padded});
  op->erase();
  return success();
}

/// Any other structured operation is a linalg.generic by another name.
static LogicalResult expandNamed(linalg::LinalgOp op, OpBuilder &builder) {
  IRRewriter rewriter(builder);
  FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
  if (failed(generic))
    return op.emitError() << "'" << op->getName() << "' has no form as 'linalg.generic'";
  builder.setInsertionPoint(*generic);
  return expand(*generic, builder);
}

static LogicalResult expandOperation(Operation *op, OpBuilder &builder) {
  builder.setInsertionPoint(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<linalg::GenericOp, linalg::SoftmaxOp, tensor::PadOp>(
          [&](auto o) { return expand(o, builder); })
      .Default([&](Operation *o) {
        auto structured = dyn_cast<linalg::LinalgOp>(o);
        return structured && !hasRules(o) ? expandNamed(structured, builder) : success();
      });
}

namespace {
struct ExpandStructuredPass : impl::ExpandStructuredPassBase<ExpandStructuredPass> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    for (auto step : getOperation().getOps<StepOp>())
      for (Operation &op : llvm::make_early_inc_range(step.getBody().front()))
        if (failed(expandOperation(&op, builder)))
          return signalPassFailure();
  }
};
} // namespace
} // namespace zero
