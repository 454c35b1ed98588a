//===- MathRules.cpp - Rules of the math dialect --------------------------===//

#include "RuleRegistration.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace zero {

using B = TensorBuilder;
using arith::CmpFPredicate;

static Value one(B &b, Value like) { return b.splat(like.getType(), 1.0); }
static Value square(B &b, Value x) { return b.mul(x, x); }

/// dy * sign(x), with sign(0) = 0.
static Value timesSign(B &b, Value x, Value dy) {
  Value zero = b.splat(x.getType(), 0.0);
  Value isPositive = b.compare(CmpFPredicate::OGT, x, zero);
  Value isNegative = b.compare(CmpFPredicate::OLT, x, zero);
  return b.select(isPositive, dy, b.select(isNegative, b.neg(dy), zero));
}

/// d erf(x) / dx = 2 / sqrt(pi) * exp(-x^2).
static Value erfSlope(B &b, Value x) {
  Value e = b.create<math::ExpOp>(b.neg(square(b, x)));
  return b.scale(e, 2.0 * std::numbers::inv_sqrtpi);
}

/// d x^p / dx = p * x^(p - 1).
static Value powBase(B &b, Value x, Value p, Value, Value dy) {
  Value lower = b.create<math::PowFOp>(x, b.sub(p, one(b, p)));
  return b.mul(dy, b.mul(p, lower));
}

/// d x^p / dp = y * log(x), and 0 where x is 0.
static Value powExponent(B &b, Value x, Value, Value y, Value dy) {
  Value zero = b.splat(x.getType(), 0.0);
  Value isZero = b.compare(CmpFPredicate::OEQ, x, zero);
  Value safe = b.select(isZero, one(b, x), x);
  Value slope = b.mul(y, b.create<math::LogOp>(safe));
  return b.mul(dy, b.select(isZero, zero, slope));
}

static LogicalResult vjpFma(math::FmaOp op, GradientMap &g) {
  Value dy = g.of(op.getResult());
  Value x = op->getOperand(0), z = op->getOperand(1);
  if (g.wants(x))
    g.add(x, g.build().mul(dy, z));
  if (g.wants(z))
    g.add(z, g.build().mul(dy, x));
  g.add(op->getOperand(2), dy);
  return success();
}

static void addExponentials(MLIRContext *context) {
  addUnaryRule<math::ExpOp, [](B &b, Value, Value y, Value dy) { return b.mul(dy, y); }>(context);
  addUnaryRule<math::Exp2Op, [](B &b, Value, Value y, Value dy) {
    return b.mul(dy, b.scale(y, std::numbers::ln2));
  }>(context);
  addUnaryRule<math::ExpM1Op, [](B &b, Value, Value y, Value dy) {
    return b.mul(dy, b.add(y, one(b, y)));
  }>(context);
  addUnaryRule<math::LogOp, [](B &b, Value x, Value, Value dy) { return b.div(dy, x); }>(context);
  addUnaryRule<math::Log2Op, [](B &b, Value x, Value, Value dy) {
    return b.div(dy, b.scale(x, std::numbers::ln2));
  }>(context);
  addUnaryRule<math::Log10Op, [](B &b, Value x, Value, Value dy) {
    return b.div(dy, b.scale(x, std::numbers::ln10));
  }>(context);
  addUnaryRule<math::Log1pOp, [](B &b, Value x, Value, Value dy) {
    return b.div(dy, b.add(x, one(b, x)));
  }>(context);
  addBinaryRule<math::PowFOp, powBase, powExponent>(context);
}

static void addTrigonometry(MLIRContext *context) {
  addUnaryRule<math::SinOp, [](B &b, Value x, Value, Value dy) {
    return b.mul(dy, b.create<math::CosOp>(x));
  }>(context);
  addUnaryRule<math::CosOp, [](B &b, Value x, Value, Value dy) {
    return b.neg(b.mul(dy, b.create<math::SinOp>(x)));
  }>(context);
  // atan2(a, b): (b da - a db) / (a^2 + b^2).
  addBinaryRule<math::Atan2Op,
                [](B &b, Value x, Value y, Value, Value dy) {
                  return b.mul(dy, b.div(y, b.add(b.mul(x, x), b.mul(y, y))));
                },
                [](B &b, Value x, Value y, Value, Value dy) {
                  return b.neg(b.mul(dy, b.div(x, b.add(b.mul(x, x), b.mul(y, y)))));
                }>(context);
  addUnaryRule<math::TanOp, [](B &b, Value, Value y, Value dy) {
    return b.mul(dy, b.add(one(b, y), square(b, y)));
  }>(context);
  addUnaryRule<math::AtanOp, [](B &b, Value x, Value, Value dy) {
    return b.div(dy, b.add(one(b, x), square(b, x)));
  }>(context);
  addUnaryRule<math::SinhOp, [](B &b, Value x, Value, Value dy) {
    return b.mul(dy, b.create<math::CoshOp>(x));
  }>(context);
  addUnaryRule<math::CoshOp, [](B &b, Value x, Value, Value dy) {
    return b.mul(dy, b.create<math::SinhOp>(x));
  }>(context);
  addUnaryRule<math::TanhOp, [](B &b, Value, Value y, Value dy) {
    return b.mul(dy, b.sub(one(b, y), square(b, y)));
  }>(context);
}

static void addOthers(MLIRContext *context) {
  addUnaryRule<math::SqrtOp, [](B &b, Value, Value y, Value dy) {
    return b.div(b.scale(dy, 0.5), y);
  }>(context);
  // d x^(-1/2) / dx = -y^3 / 2.
  addUnaryRule<math::RsqrtOp, [](B &b, Value, Value y, Value dy) {
    return b.mul(b.scale(dy, -0.5), b.mul(y, square(b, y)));
  }>(context);
  addUnaryRule<math::ErfOp, [](B &b, Value x, Value, Value dy) {
    return b.mul(dy, erfSlope(b, x));
  }>(context);
  addUnaryRule<math::AbsFOp, [](B &b, Value x, Value, Value dy) {
    return timesSign(b, x, dy);
  }>(context);
  addRule<math::FmaOp, vjpFma>(context);
}

void registerMathRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    addExponentials(context);
    addTrigonometry(context);
    addOthers(context);
  });
}

} // namespace zero
