//===- Memory.cpp - Loads and stores --------------------------------------===//

#include "KernelEvaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

Type KernelEvaluator::computeType(Type element) {
  if (isa<IndexType>(element))
    return b.getI64Type();
  if (element.isBF16() || element.isF16())
    return b.getF32Type();
  return element;
}

/// i1 is a byte in memory.
static Type memoryType(Type element) {
  MLIRContext *context = element.getContext();
  if (isa<IndexType>(element))
    return IntegerType::get(context, 64);
  return element.isInteger(1) ? IntegerType::get(context, 8) : element;
}

unsigned KernelEvaluator::bytesOf(Type element) {
  return memoryType(element).getIntOrFloatBitWidth() / 8;
}

Value KernelEvaluator::widen(Value value, Type element) {
  placeAfter(value);
  if (element.isBF16() || element.isF16()) {
    Type wide = isVector(value) ? lanesOf(b.getF32Type()) : b.getF32Type();
    return arith::ExtFOp::create(b, loc, wide, value);
  }
  if (element.isInteger(1)) {
    Value zero = constant(value.getType(), 0.0);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
  }
  return value;
}

/// Rounds toward zero, and sets the last bit where that lost something (Boldo and
/// Melquiond 2008): f32 has more than two bits more than either 16-bit float.
Value KernelEvaluator::roundToOdd(Value value) {
  auto like = [&](Type element) -> Type {
    return isVector(value) ? lanesOf(element) : element;
  };
  placeAfter(value);
  Type narrow = like(b.getF32Type()), integer = like(b.getI32Type());
  Value nearest = arith::TruncFOp::create(b, loc, narrow, value);
  Value back = arith::ExtFOp::create(b, loc, value.getType(), nearest);
  Value isInexact = compareFloat(arith::CmpFPredicate::ONE, back, value);
  Value isAbove = compareFloat(arith::CmpFPredicate::OGT, abs(back), abs(value));
  placeAfter({nearest, isInexact, isAbove});
  Value bits = arith::BitcastOp::create(b, loc, integer, nearest);
  bits = arith::SubIOp::create(b, loc, bits, arith::ExtUIOp::create(b, loc, integer, isAbove));
  bits = arith::OrIOp::create(b, loc, bits, arith::ExtUIOp::create(b, loc, integer, isInexact));
  return arith::BitcastOp::create(b, loc, narrow, bits);
}

/// Written out: without an instruction for it LLVM calls a function that is in no library
/// of this process, and the instruction that there is flushes denormals.
Value KernelEvaluator::roundToBF16(Value value) {
  auto like = [&](Type element) -> Type {
    return isVector(value) ? lanesOf(element) : element;
  };
  Type i32 = like(b.getI32Type()), i16 = like(b.getI16Type());
  auto integer = [&](int64_t n) { return constant(i32, double(n)); };
  placeAfter(value);
  Value bits = arith::BitcastOp::create(b, loc, i32, value);
  Value last = arith::AndIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, integer(16)), integer(1));
  Value half = arith::AddIOp::create(b, loc, last, integer(0x7FFF));
  Value rounded = arith::AddIOp::create(b, loc, bits, half);
  Value quiet = arith::OrIOp::create(b, loc, bits, integer(0x400000));
  Value isNan = compareFloat(arith::CmpFPredicate::UNO, value, value);
  Value chosen = select(isNan, quiet, rounded);
  placeAfter(chosen);
  Value high = arith::ShRUIOp::create(b, loc, chosen, integer(16));
  high = arith::TruncIOp::create(b, loc, i16, high);
  return arith::BitcastOp::create(b, loc, like(b.getBF16Type()), high);
}

Value KernelEvaluator::narrow(Value value, Type element) {
  bool isHalf = element.isBF16() || element.isF16();
  if (isHalf && getElementTypeOrSelf(value).isF64())
    value = roundToOdd(value);
  if (element.isBF16())
    return roundToBF16(value);
  placeAfter(value);
  Type memory = memoryType(element);
  Type type = isVector(value) ? lanesOf(memory) : memory;
  if (element.isF16())
    return arith::TruncFOp::create(b, loc, type, value);
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, loc, type, value);
  return value;
}

Value KernelEvaluator::address(Value pointer, Type element, Value at) {
  placeAfter({pointer, at});
  return LLVM::GEPOp::create(b, loc, pointer.getType(), memoryType(element),
                             pointer, ArrayRef<LLVM::GEPArg>{at});
}

static Value lanePointers(OpBuilder &b, Location loc, Value pointer,
                          Type element, Value at) {
  int64_t lanes = cast<VectorType>(at.getType()).getNumElements();
  Type type = LLVM::getVectorType(pointer.getType(), lanes);
  return LLVM::GEPOp::create(b, loc, type, memoryType(element), pointer,
                             ArrayRef<LLVM::GEPArg>{at});
}

Value KernelEvaluator::load(Value pointer, Type element, Index at, bool mayMove) {
  Type memory = memoryType(element);
  unsigned bytes = alignmentOf(element, at);
  if (at.isUniform()) {
    Value where = address(pointer, element, at.base);
    if (!mayMove)
      placeHere();
    return widen(LLVM::LoadOp::create(b, loc, memory, where, bytes), element);
  }
  Type type = lanesOf(memory);
  Value zero = constant(type, 0.0);
  if (!at.lanes && at.stride == 1) {
    Value where = address(pointer, element, at.base);
    // Before the load is placed: spreading the mask places operations itself.
    Value enabled = mask ? splat(mask) : Value();
    placeAfter({where, enabled, zero});
    if (!mayMove)
      placeHere();
    if (!enabled)
      return widen(LLVM::LoadOp::create(b, loc, type, where, bytes), element);
    return widen(
        LLVM::MaskedLoadOp::create(b, loc, type, where, enabled, zero, bytes),
        element);
  }
  Value lanes = asLanes(at);
  Value enabled = mask ? splat(mask) : constant(lanesOf(b.getI1Type()), 1);
  placeAfter({pointer, lanes, enabled});
  if (!mayMove)
    placeHere();
  Value where = lanePointers(b, loc, pointer, element, lanes);
  return widen(
      LLVM::masked_gather::create(b, loc, type, where, enabled, zero, bytes),
      element);
}

void KernelEvaluator::store(Value pointer, Type element, Index at, Value value) {
  unsigned bytes = alignmentOf(element, at);
  value = narrow(value, element);
  if (at.isUniform()) {
    if (isVector(value))
      value = vector::ExtractOp::create(b, loc, value, ArrayRef<int64_t>{0});
    Value where = address(pointer, element, at.base);
    placeHere();
    storeOnce([&] { LLVM::StoreOp::create(b, loc, value, where, bytes); });
    return;
  }
  value = splat(value);
  if (!at.lanes && at.stride == 1) {
    Value where = address(pointer, element, at.base);
    Value enabled = mask ? splat(mask) : Value();
    placeHere();
    if (enabled)
      LLVM::MaskedStoreOp::create(b, loc, value, where, enabled, bytes);
    else
      LLVM::StoreOp::create(b, loc, value, where, bytes);
    return;
  }
  Value lanes = asLanes(at);
  Value enabled = mask ? splat(mask) : constant(lanesOf(b.getI1Type()), 1);
  placeHere();
  Value where = lanePointers(b, loc, pointer, element, lanes);
  LLVM::masked_scatter::create(b, loc, value, where, enabled, bytes);
}

} // namespace zero
