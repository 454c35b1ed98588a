//===- Memory.cpp - Loads and stores --------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

Type KernelEmitter::computeType(Type element) {
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

static unsigned bytesOf(Type element) {
  return memoryType(element).getIntOrFloatBitWidth() / 8;
}

Value KernelEmitter::widen(Value value, Type element) {
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

Value KernelEmitter::narrow(Value value, Type element) {
  placeAfter(value);
  Type memory = memoryType(element);
  Type type = isVector(value) ? lanesOf(memory) : memory;
  if (element.isBF16() || element.isF16())
    return arith::TruncFOp::create(b, loc, type, value);
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, loc, type, value);
  return value;
}

Value KernelEmitter::operandPointer(unsigned operand) {
  std::vector<uintptr_t> key{5, operand};
  if (Value known = recall(key))
    return known;
  OpBuilder::InsertionGuard guard(b);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Block *entry = scopes.front().block;
  if (scopes.size() > 1)
    b.setInsertionPoint(scopes[1].owner);
  else
    b.setInsertionPointToEnd(entry);
  Value slot =
      LLVM::GEPOp::create(b, loc, pointer, pointer, entry->getArgument(0),
                          ArrayRef<LLVM::GEPArg>{int32_t(operand)});
  return remember(key, LLVM::LoadOp::create(b, loc, pointer, slot).getResult());
}

Value KernelEmitter::address(Value pointer, Type element, Value at) {
  placeAfter({pointer, at});
  return LLVM::GEPOp::create(b, loc, pointer.getType(), memoryType(element),
                             pointer, ArrayRef<LLVM::GEPArg>{at});
}

static Value lanePointers(OpBuilder &b, Location loc, Value pointer,
                          Type element, Value at) {
  Type type = LLVM::getVectorType(pointer.getType(), kLanes);
  return LLVM::GEPOp::create(b, loc, type, memoryType(element), pointer,
                             ArrayRef<LLVM::GEPArg>{at});
}

Value KernelEmitter::load(Value pointer, Type element, Index at, bool mayMove) {
  Type memory = memoryType(element);
  unsigned bytes = bytesOf(element);
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

void KernelEmitter::store(Value pointer, Type element, Index at, Value value) {
  unsigned bytes = bytesOf(element);
  value = narrow(value, element);
  if (at.isUniform()) {
    if (isVector(value))
      value = vector::ExtractOp::create(b, loc, value, ArrayRef<int64_t>{0});
    Value where = address(pointer, element, at.base);
    placeHere();
    LLVM::StoreOp::create(b, loc, value, where, bytes);
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
