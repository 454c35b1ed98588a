//===- DefinedIntegers.cpp - Integer operations without undefined cases ---===//
//
// What the machine traps on, or LLVM leaves undefined, has a value here, the same on all
// lanes and targets:
//   x / 0          all bits set (-1)      x rem 0        x
//   lowest / -1    lowest                 lowest rem -1  0
//   shifts past the width                 0, or the sign for an arithmetic one
//   float to int   saturates; NaN is 0
//
//===----------------------------------------------------------------------===//

#include "KernelEvaluator.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace zero {

/// `op` on `operands`, which are of `type`, without its attributes: flags that allow what
/// is undefined are dropped.
static Value create(OpBuilder &b, Operation *op, ValueRange operands, Type type) {
  OperationState state(op->getLoc(), op->getName(), operands, type, {});
  return b.create(state)->getResult(0);
}

Value KernelEvaluator::divideDefined(Operation *op, Value a, Value c) {
  Type type = a.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value one = constant(type, 1), ones = constant(type, -1);
  Value isZero = compareInt(arith::CmpIPredicate::eq, c, constant(type, 0.0));
  Value isUnsafe = isZero;
  bool isSigned =
      isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
  if (isSigned) {
    Value isLowest = compareInt(arith::CmpIPredicate::eq, a,
                                integerConstant(type, APInt::getSignedMinValue(width)));
    Value isMinusOne = compareInt(arith::CmpIPredicate::eq, c, ones);
    isUnsafe = arith<arith::OrIOp>(isZero, both(isLowest, isMinusOne));
  }
  // Divided by 1 instead, `lowest` has the right quotient and rest already.
  Value safe = select(isUnsafe, one, c);
  placeAfter({a, safe});
  Value result = create(b, op, {a, safe}, type);
  bool isRest = isa<arith::RemSIOp, arith::RemUIOp>(op);
  return select(isZero, isRest ? a : ones, result);
}

Value KernelEvaluator::shiftDefined(Operation *op, Value a, Value amount) {
  Type type = a.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value last = constant(type, width - 1);
  Value isPast = compareInt(arith::CmpIPredicate::ugt, amount, last);
  Value safe = select(isPast, last, amount);
  placeAfter({a, safe});
  Value result = create(b, op, {a, safe}, type);
  return isa<arith::ShRSIOp>(op) ? result
                                 : select(isPast, constant(type, 0.0), result);
}

Value KernelEvaluator::convertDefined(Operation *op, Value x, Type type) {
  placeAfter(x);
  StringRef name =
      isa<arith::FPToSIOp>(op) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  return LLVM::CallIntrinsicOp::create(b, op->getLoc(), type,
                                       b.getStringAttr(name), ValueRange{x})
      .getResult(0);
}

Value KernelEvaluator::evalDefined(Operation *op, ValueRange operands, Type type) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
          [&](Operation *o) { return divideDefined(o, operands[0], operands[1]); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](Operation *o) { return shiftDefined(o, operands[0], operands[1]); })
      .Case<arith::FPToSIOp, arith::FPToUIOp>(
          [&](Operation *o) { return convertDefined(o, operands[0], type); })
      .Default(Value());
}

} // namespace zero
