//===- NNOps.cpp - Verifiers of the nn dialect ----------------------------===//

#include "dialects/NN/NNOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/NN/NNOps.cpp.inc"

namespace zero::nn {

using Shape = ArrayRef<int64_t>;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
static Shape shapeOf(Value value) { return typeOf(value).getShape(); }

static std::string toString(Shape shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleave(shape, stream, "x");
  stream << ']';
  return text;
}

/// `value`, called `name` in messages, must have shape `want`.
static LogicalResult checkShape(Operation *op, StringRef name, Value value, Shape want) {
  if (!value || shapeOf(value) == want)
    return success();
  return op->emitOpError() << name << " has shape " << toString(shapeOf(value)) << "; want "
                           << toString(want);
}

static LogicalResult checkType(Operation *op, StringRef name, Value value, Type want) {
  if (!value || value.getType() == want)
    return success();
  return op->emitOpError() << name << " is of type " << value.getType() << "; want " << want;
}

static LogicalResult checkRank(Operation *op, StringRef name, Value value, int64_t rank) {
  if (typeOf(value).getRank() == rank)
    return success();
  return op->emitOpError() << name << " has shape " << toString(shapeOf(value)) << "; want "
                           << rank << " dimensions";
}

static LogicalResult checkHasDimension(Operation *op, StringRef name, Value value) {
  if (typeOf(value).getRank() > 0)
    return success();
  return op->emitOpError() << name << " is of rank 0; want at least one dimension";
}

/// All floating-point operands and results have one element type.
static LogicalResult checkOneElementType(Operation *op) {
  Type first;
  auto check = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      return true;
    first = first ? first : type.getElementType();
    return first == type.getElementType();
  };
  if (llvm::all_of(op->getOperands(), check) && llvm::all_of(op->getResults(), check))
    return success();
  return op->emitOpError() << "mixes floating-point element types";
}

static LogicalResult checkPositive(Operation *op, StringRef name, const APFloat &value) {
  if (value.isFinite() && !value.isNegative() && !value.isZero())
    return success();
  return op->emitOpError() << name << " is " << value.convertToDouble()
                           << "; want a positive number";
}

static LogicalResult checkNotNegative(Operation *op, StringRef name, const APFloat &value) {
  if (value.isFinite() && (!value.isNegative() || value.isZero()))
    return success();
  return op->emitOpError() << name << " is " << value.convertToDouble() << "; want 0 or more";
}

static LogicalResult checkProbability(Operation *op, StringRef name, const APFloat &value) {
  double p = value.convertToDouble();
  if (p >= 0 && p < 1)
    return success();
  return op->emitOpError() << name << " is " << p << "; want at least 0 and less than 1";
}

static SmallVector<int64_t> followedBy(Shape shape, int64_t last) {
  SmallVector<int64_t> result(shape);
  result.push_back(last);
  return result;
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

LogicalResult EmbeddingOp::verify() {
  // (C1)
  if (failed(checkOneElementType(*this)) || failed(checkRank(*this, "table", getTable(), 2)))
    return failure();
  // (C2)
  return checkShape(*this, "result", getResult(),
                    followedBy(shapeOf(getIds()), shapeOf(getTable())[1]));
}

LogicalResult EmbeddingGradOp::verify() {
  // (C1)
  if (failed(checkOneElementType(*this)) || failed(checkRank(*this, "init", getInit(), 2)) ||
      failed(checkType(*this, "result", getResult(), getInit().getType())))
    return failure();
  // (C2)
  return checkShape(*this, "dy", getDy(),
                    followedBy(shapeOf(getIds()), shapeOf(getInit())[1]));
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

/// The constraints that norms and their gradients share.
static LogicalResult checkNorm(Operation *op, Value x, ArrayRef<std::pair<StringRef, Value>> full,
                               ArrayRef<std::pair<StringRef, Value>> perChannel,
                               ArrayRef<std::pair<StringRef, Value>> perRow) {
  // (C1)
  if (failed(checkOneElementType(op)) || failed(checkHasDimension(op, "x", x)))
    return failure();
  for (auto [name, value] : full)
    if (failed(checkType(op, name, value, x.getType())))
      return failure();
  for (auto [name, value] : perChannel)
    if (failed(checkShape(op, name, value, shapeOf(x).take_back())))
      return failure();
  // (C2)
  for (auto [name, value] : perRow)
    if (failed(checkShape(op, name, value, shapeOf(x).drop_back())))
      return failure();
  return success();
}

LogicalResult LayerNormOp::verify() {
  if (failed(checkNorm(*this, getX(), {{"result", getResult()}},
                       {{"gamma", getGamma()}, {"beta", getBeta()}},
                       {{"mean", getMean()}, {"rstd", getRstd()}})))
    return failure();
  return checkNotNegative(*this, "epsilon", getEpsilon()); // (C3)
}

LogicalResult LayerNormGradOp::verify() {
  return checkNorm(*this, getX(), {{"dy", getDy()}, {"dx", getDx()}},
                   {{"gamma", getGamma()}, {"dgamma", getDgamma()}, {"dbeta", getDbeta()}},
                   {{"mean", getMean()}, {"rstd", getRstd()}});
}

LogicalResult RmsNormOp::verify() {
  if (failed(checkNorm(*this, getX(), {{"result", getResult()}}, {{"gamma", getGamma()}},
                       {{"rstd", getRstd()}})))
    return failure();
  return checkNotNegative(*this, "epsilon", getEpsilon()); // (C3)
}

LogicalResult RmsNormGradOp::verify() {
  return checkNorm(*this, getX(), {{"dy", getDy()}, {"dx", getDx()}},
                   {{"gamma", getGamma()}, {"dgamma", getDgamma()}}, {{"rstd", getRstd()}});
}

//===----------------------------------------------------------------------===//
// Softmax and losses
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxOp::verify() {
  // (C1)
  if (failed(checkHasDimension(*this, "x", getX())))
    return failure();
  return checkType(*this, "result", getResult(), getX().getType());
}

LogicalResult SoftmaxGradOp::verify() {
  // (C1)
  if (failed(checkHasDimension(*this, "y", getY())) ||
      failed(checkType(*this, "dy", getDy(), getY().getType())))
    return failure();
  return checkType(*this, "dx", getDx(), getY().getType());
}

/// logits N x V; the others N.
static LogicalResult checkRows(Operation *op, Value logits,
                               ArrayRef<std::pair<StringRef, Value>> perRow) {
  if (failed(checkOneElementType(op)) || failed(checkRank(op, "logits", logits, 2)))
    return failure();
  for (auto [name, value] : perRow)
    if (failed(checkShape(op, name, value, shapeOf(logits).take_front())))
      return failure();
  return success();
}

LogicalResult CrossEntropyOp::verify() {
  // (C1)
  if (failed(checkRows(*this, getLogits(), {{"labels", getLabels()}, {"lse", getLse()}})))
    return failure();
  // (C2)
  if (failed(checkShape(*this, "sum", getSum(), {})))
    return failure();
  return checkShape(*this, "weight", getWeight(), {});
}

LogicalResult CrossEntropyRowsOp::verify() {
  // (C1)
  return checkRows(*this, getLogits(),
                   {{"labels", getLabels()}, {"loss", getLoss()}, {"weight", getWeight()},
                    {"lse", getLse()}});
}

LogicalResult CrossEntropyGradOp::verify() {
  // (C1)
  if (failed(checkRows(*this, getLogits(), {{"labels", getLabels()}, {"lse", getLse()}})) ||
      failed(checkShape(*this, "dsum", getDsum(), {})))
    return failure();
  return checkType(*this, "dlogits", getDlogits(), getLogits().getType());
}

/// x N x C, w V x C, labels N, bias V, sum and weight of rank 0.
static LogicalResult checkHead(Operation *op, Value x, Value w, Value labels, Value bias,
                               Value sum, Value weight) {
  // (C1)
  if (failed(checkOneElementType(op)) || failed(checkRank(op, "x", x, 2)) ||
      failed(checkRank(op, "w", w, 2)) ||
      failed(checkShape(op, "w", w, {shapeOf(w)[0], shapeOf(x)[1]})) ||
      failed(checkShape(op, "labels", labels, shapeOf(x).take_front())) ||
      failed(checkShape(op, "bias", bias, shapeOf(w).take_front())))
    return failure();
  if (failed(checkShape(op, "sum", sum, {})))
    return failure();
  return checkShape(op, "weight", weight, {});
}

LogicalResult LinearCrossEntropyOp::verify() {
  return checkHead(*this, getX(), getW(), getLabels(), getBias(), getSum(), getWeight());
}

LogicalResult LinearCrossEntropyGradOp::verify() {
  if (failed(checkHead(*this, getX(), getW(), getLabels(), getBias(), getSum(), getWeight())) ||
      failed(checkShape(*this, "dsum", getDsum(), {})))
    return failure();
  // (C2)
  if (failed(checkType(*this, "dx", getDx(), getX().getType())) ||
      failed(checkType(*this, "dw", getDw(), getW().getType())))
    return failure();
  if (bool(getBias()) != bool(getDbias()))
    return emitOpError() << "has a bias or a dbias; want both or neither";
  return getBias() ? checkType(*this, "dbias", getDbias(), getBias().getType()) : success();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult checkAttention(OpT op) {
  // (C1)
  if (failed(checkOneElementType(op)) || failed(checkRank(op, "q", op.getQ(), 4)) ||
      failed(checkRank(op, "k", op.getK(), 4)))
    return failure();
  Shape q = shapeOf(op.getQ()), k = shapeOf(op.getK());
  if (failed(checkShape(op, "k", op.getK(), {q[0], k[1], k[2], q[3]})) ||
      failed(checkShape(op, "v", op.getV(), k)))
    return failure();
  if (k[2] == 0 || q[2] % k[2] != 0)
    return op.emitOpError() << "has " << q[2] << " heads and " << k[2]
                            << " key/value heads; want a multiple";
  // (C2)
  if (failed(checkShape(op, "lse", op.getLse(), {q[0], q[2], q[1]})))
    return failure();
  // (C3)
  if (failed(checkShape(op, "key_lengths", op.getKeyLengths(), {q[0]})) ||
      failed(checkShape(op, "segments", op.getSegments(), {q[0], q[1]})))
    return failure();
  // (C3), (C4)
  if ((op.getCausal() || op.getSegments()) && q[1] != k[1])
    return op.emitOpError() << "is " << (op.getCausal() ? "causal" : "cut in segments")
                            << " and has " << q[1] << " queries and " << k[1] << " keys";
  // (C5)
  if (failed(checkProbability(op, "dropout", op.getDropout())))
    return failure();
  if (!op.getDropout().isZero() && !op.getSite())
    return op.emitOpError() << "drops out and has no site";
  // (C6)
  return checkShape(op, "random", op.getRandom(), {4});
}

LogicalResult AttentionOp::verify() {
  if (failed(checkAttention(*this)))
    return failure();
  return checkType(*this, "result", getResult(), getQ().getType());
}

LogicalResult AttentionGradOp::verify() {
  if (failed(checkAttention(*this)))
    return failure();
  for (auto [name, value, like] :
       {std::tuple<StringRef, Value, Value>{"dy", getDy(), getQ()}, {"y", getY(), getQ()},
        {"dq", getDq(), getQ()}, {"dk", getDk(), getK()}, {"dv", getDv(), getV()}})
    if (failed(checkType(*this, name, value, like.getType())))
      return failure();
  return success();
}

LogicalResult RopeOp::verify() {
  // (C1)
  if (failed(checkRank(*this, "x", getX(), 4)) ||
      failed(checkType(*this, "result", getResult(), getX().getType())))
    return failure();
  if (shapeOf(getX())[3] % 2 != 0)
    return emitOpError() << "has heads of width " << shapeOf(getX())[3] << "; want an even one";
  return checkPositive(*this, "base", getBase()); // (C2)
}

LogicalResult DropoutOp::verify() {
  // (C1)
  if (failed(checkHasDimension(*this, "x", getX())) ||
      failed(checkType(*this, "result", getResult(), getX().getType())))
    return failure();
  // (C2)
  if (failed(checkProbability(*this, "probability", getProbability())))
    return failure();
  // (C3)
  int64_t rows = getRowsPerSample();
  if (rows < 1 || shapeOf(getX())[0] % rows != 0)
    return emitOpError() << "has " << rows << " rows per sample; want a divisor of "
                         << shapeOf(getX())[0];
  return checkShape(*this, "random", getRandom(), {4}); // (C4)
}

} // namespace zero::nn
