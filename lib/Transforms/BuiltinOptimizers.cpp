//===- BuiltinOptimizers.cpp - Optimizer attributes as regions ------------===//

#include "BuiltinOptimizers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace zero {
namespace {

/// Writes the body of one optimizer: scalars of one float type.
class OptimizerBuilder {
public:
  OptimizerBuilder(StringRef name, ArrayRef<StringRef> states, const APFloat &weightDecay,
                   FloatType type, Location loc)
      : builder(loc.getContext()), loc(loc), type(type) {
    op = OptimizerOp::create(builder, loc, builder.getStringAttr(name),
                             builder.getStrArrayAttr(states),
                             builder.getF64FloatAttr(weightDecay.convertToDouble()));
    Block &block = op.getBody().emplaceBlock();
    for (size_t i = 0; i < 5 + states.size(); ++i)
      block.addArgument(type, loc);
    builder.setInsertionPointToEnd(&block);
  }

  Value parameter() { return argument(0); }
  Value gradient() { return argument(1); }
  Value state(unsigned i) { return argument(2 + i); }
  Value rate() { return argument(2 + op.getStates().size()); }
  Value step() { return argument(3 + op.getStates().size()); }
  Value decay() { return argument(4 + op.getStates().size()); }

  Value constant(double value, Type of) {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(of, value));
  }
  Value constant(double value) { return constant(value, type); }
  template <typename OpT> Value make(Value a, Value b) { return OpT::create(builder, loc, a, b); }
  Value add(Value a, Value b) { return make<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return make<arith::DivFOp>(a, b); }
  /// a / b, and 0 where b is: an element that was never moved by, with an epsilon of 0.
  Value divOrZero(Value a, Value b) {
    Value zero = constant(0.0);
    Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, b, zero);
    return arith::SelectOp::create(builder, loc, isZero, zero, div(a, b));
  }
  Value sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }

  /// 1 - beta^step in f64: in f32 the first steps of beta = 0.999 would be off by 5e-5.
  Value biasCorrection(double beta) {
    Type f64 = builder.getF64Type();
    Value t = type == f64 ? step() : arith::ExtFOp::create(builder, loc, f64, step());
    Value power = math::PowFOp::create(builder, loc, constant(beta, f64), t);
    return sub(constant(1.0, f64), power);
  }
  /// An f64 as the optimizer's type.
  Value narrow(Value wide) {
    return wide.getType() == type ? wide : arith::TruncFOp::create(builder, loc, type, wide);
  }

  OptimizerOp finish(ValueRange results) {
    YieldOp::create(builder, loc, results);
    return op;
  }

private:
  Value argument(unsigned i) { return op.getBody().getArgument(i); }

  OpBuilder builder;
  Location loc;
  FloatType type;
  OptimizerOp op;
};
} // namespace

static OptimizerOp buildSgd(SgdAttr attr, FloatType type, Location loc) {
  OptimizerBuilder b("sgd", {}, attr.getWeightDecay(), type, loc);
  Value g = b.add(b.gradient(), b.mul(b.decay(), b.parameter()));
  return b.finish(b.sub(b.parameter(), b.mul(b.rate(), g)));
}

static OptimizerOp buildMomentum(MomentumAttr attr, FloatType type, Location loc) {
  OptimizerBuilder b("momentum", {"m"}, attr.getWeightDecay(), type, loc);
  Value g = b.add(b.gradient(), b.mul(b.decay(), b.parameter()));
  Value m = b.add(b.mul(b.constant(attr.getMomentum().convertToDouble()), b.state(0)), g);
  return b.finish({b.sub(b.parameter(), b.mul(b.rate(), m)), m});
}

/// beta * old + (1 - beta) * fresh.
static Value movingAverage(OptimizerBuilder &b, double beta, Value old, Value fresh) {
  return b.add(b.mul(b.constant(beta), old), b.mul(b.constant(1.0 - beta), fresh));
}

/// Adam on gradient `g` from parameter `p` (decayed already, if it is to be).
template <typename AttrT>
static OptimizerOp finishAdam(OptimizerBuilder &b, AttrT attr, Value p, Value g) {
  double beta1 = attr.getBeta1().convertToDouble(), beta2 = attr.getBeta2().convertToDouble();
  Value m = movingAverage(b, beta1, b.state(0), g);
  Value v = movingAverage(b, beta2, b.state(1), b.mul(g, g));
  Value rate = b.div(b.rate(), b.narrow(b.biasCorrection(beta1)));
  Value root = b.narrow(b.sqrt(b.biasCorrection(beta2)));
  Value scale = b.div(b.constant(1.0), root);
  Value denominator =
      b.add(b.mul(b.sqrt(v), scale), b.constant(attr.getEpsilon().convertToDouble()));
  return b.finish({b.sub(p, b.mul(rate, b.divOrZero(m, denominator))), m, v});
}

static OptimizerOp buildAdam(AdamAttr attr, FloatType type, Location loc) {
  OptimizerBuilder b("adam", {"m", "v"}, attr.getWeightDecay(), type, loc);
  Value g = b.add(b.gradient(), b.mul(b.decay(), b.parameter()));
  return finishAdam(b, attr, b.parameter(), g);
}

static OptimizerOp buildAdamW(AdamWAttr attr, FloatType type, Location loc) {
  OptimizerBuilder b("adamw", {"m", "v"}, attr.getWeightDecay(), type, loc);
  Value p = b.sub(b.parameter(), b.mul(b.mul(b.rate(), b.decay()), b.parameter()));
  return finishAdam(b, attr, p, b.gradient());
}

OptimizerOp buildOptimizer(Attribute attribute, FloatType type, Location loc) {
  return llvm::TypeSwitch<Attribute, OptimizerOp>(attribute)
      .Case([&](SgdAttr attr) { return buildSgd(attr, type, loc); })
      .Case([&](MomentumAttr attr) { return buildMomentum(attr, type, loc); })
      .Case([&](AdamAttr attr) { return buildAdam(attr, type, loc); })
      .Case([&](AdamWAttr attr) { return buildAdamW(attr, type, loc); })
      .Default(OptimizerOp());
}

} // namespace zero
