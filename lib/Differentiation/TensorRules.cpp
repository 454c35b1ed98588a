//===- TensorRules.cpp - Rules of the tensor dialect ----------------------===//

#include "RuleRegistration.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {

static LogicalResult vjpExpand(tensor::ExpandShapeOp op, GradientMap &g) {
  if (g.wants(op.getSrc()))
    g.add(op.getSrc(), g.build().create<tensor::CollapseShapeOp>(
                           op.getSrcType(), g.of(op.getResult()), op.getReassociationIndices()));
  return success();
}

static LogicalResult vjpCollapse(tensor::CollapseShapeOp op, GradientMap &g) {
  if (g.wants(op.getSrc()))
    g.add(op.getSrc(), g.build().create<tensor::ExpandShapeOp>(
                           op.getSrcType(), g.of(op.getResult()), op.getReassociationIndices()));
  return success();
}

/// A slice's gradient stands at its place in zeros.
static LogicalResult vjpExtractSlice(tensor::ExtractSliceOp op, GradientMap &g) {
  if (!g.wants(op.getSource()))
    return success();
  Value zeros = g.build().zeros(op.getSourceType());
  g.add(op.getSource(), g.build().create<tensor::InsertSliceOp>(
                            g.of(op.getResult()), zeros, op.getMixedOffsets(),
                            op.getMixedSizes(), op.getMixedStrides()));
  return success();
}

static LogicalResult vjpInsertSlice(tensor::InsertSliceOp op, GradientMap &g) {
  Value dy = g.of(op.getResult());
  if (g.wants(op.getSource()))
    g.add(op.getSource(), g.build().create<tensor::ExtractSliceOp>(
                              op.getSourceType(), dy, op.getMixedOffsets(),
                              op.getMixedSizes(), op.getMixedStrides()));
  if (g.wants(op.getDest())) {
    Value zeros = g.build().zeros(op.getSourceType());
    g.add(op.getDest(), g.build().create<tensor::InsertSliceOp>(
                            zeros, dy, op.getMixedOffsets(), op.getMixedSizes(),
                            op.getMixedStrides()));
  }
  return success();
}

static LogicalResult vjpConcat(tensor::ConcatOp op, GradientMap &g) {
  Value dy = g.of(op.getResult());
  OpBuilder &builder = g.build().builder;
  int64_t begin = 0;
  for (Value input : op.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
    offsets[op.getDim()] = builder.getIndexAttr(begin);
    if (g.wants(input))
      g.add(input, g.build().create<tensor::ExtractSliceOp>(type, dy, offsets, sizes, strides));
    begin += type.getDimSize(op.getDim());
  }
  return success();
}

void registerTensorRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    addRule<tensor::ExpandShapeOp, vjpExpand>(context);
    addRule<tensor::CollapseShapeOp, vjpCollapse>(context);
    addRule<tensor::ExtractSliceOp, vjpExtractSlice>(context);
    addRule<tensor::InsertSliceOp, vjpInsertSlice>(context);
    addRule<tensor::ConcatOp, vjpConcat>(context);
  });
}

} // namespace zero
