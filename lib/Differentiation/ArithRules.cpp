//===- ArithRules.cpp - Rules of the arith dialect ------------------------===//

#include "RuleRegistration.h"

using namespace mlir;

namespace zero {

using B = TensorBuilder;
using arith::CmpFPredicate;

static Value half(B &b, Value dy) { return b.scale(dy, 0.5); }

/// The part of `dy` that goes to `a` where y is one of `a` and `b`; halves where they
/// are equal.
static Value chosen(B &b, Value a, Value other, Value y, Value dy) {
  Value zero = b.zeros(dy.getType());
  Value isChosen = b.compare(CmpFPredicate::OEQ, a, y);
  Value isTie = b.compare(CmpFPredicate::OEQ, a, other);
  return b.select(isTie, half(b, dy), b.select(isChosen, dy, zero));
}

template <typename OpT> static void addChoiceRule(MLIRContext *context) {
  addBinaryRule<OpT, [](B &b, Value x, Value z, Value y, Value dy) { return chosen(b, x, z, y, dy); },
                [](B &b, Value x, Value z, Value y, Value dy) { return chosen(b, z, x, y, dy); }>(
      context);
}

static LogicalResult vjpSelect(arith::SelectOp op, GradientMap &g) {
  Value dy = g.of(op.getResult());
  Value condition = op.getCondition();
  Value zero = g.build().zeros(dy.getType());
  g.add(op.getTrueValue(), g.build().select(condition, dy, zero));
  g.add(op.getFalseValue(), g.build().select(condition, zero, dy));
  return success();
}

/// Converts `dy` back to the float type of `x`.
static Value convertBack(B &b, Value x, Value dy) {
  auto from = cast<RankedTensorType>(dy.getType()), to = cast<RankedTensorType>(x.getType());
  if (from.getElementTypeBitWidth() > to.getElementTypeBitWidth())
    return b.create<arith::TruncFOp>(to, dy);
  return b.create<arith::ExtFOp>(to, dy);
}

void registerArithRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    auto pass = [](B &, Value, Value, Value, Value dy) { return dy; };
    addBinaryRule<arith::AddFOp, pass, pass>(context);
    addBinaryRule<arith::SubFOp, pass,
                  [](B &b, Value, Value, Value, Value dy) { return b.neg(dy); }>(context);
    addBinaryRule<arith::MulFOp,
                  [](B &b, Value, Value z, Value, Value dy) { return b.mul(dy, z); },
                  [](B &b, Value x, Value, Value, Value dy) { return b.mul(dy, x); }>(context);
    addBinaryRule<arith::DivFOp,
                  [](B &b, Value, Value z, Value, Value dy) { return b.div(dy, z); },
                  [](B &b, Value, Value z, Value y, Value dy) {
                    return b.neg(b.div(b.mul(dy, y), z));
                  }>(context);
    addUnaryRule<arith::NegFOp, [](B &b, Value, Value, Value dy) { return b.neg(dy); }>(context);
    addChoiceRule<arith::MaximumFOp>(context);
    addChoiceRule<arith::MinimumFOp>(context);
    addChoiceRule<arith::MaxNumFOp>(context);
    addChoiceRule<arith::MinNumFOp>(context);
    auto back = [](B &b, Value x, Value, Value dy) { return convertBack(b, x, dy); };
    addUnaryRule<arith::ExtFOp, back>(context);
    addUnaryRule<arith::TruncFOp, back>(context);
    addRule<arith::SelectOp, vjpSelect>(context);
  });
}

} // namespace zero
