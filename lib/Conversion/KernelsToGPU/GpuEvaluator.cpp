//===- GpuEvaluator.cpp - Kernels on the threads of a GPU -----------------===//

#include "GpuEvaluator.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

constexpr int64_t kGpuLanes = 4;
constexpr unsigned kSharedMemory = 3; // address space

GpuEvaluator::GpuEvaluator(KernelOp kernel, LLVM::LLVMFuncOp function)
    : KernelEvaluator(kernel, function, kGpuLanes) {
  Block *entry = scopes.front().block;
  if (!kernel.getUpdate()) {
    begin = constant(0);
    end = constant(config("extent"));
    return;
  }
  begin = entry->getArgument(entry->getNumArguments() - 2);
  end = entry->getArgument(entry->getNumArguments() - 1);
  divisors[begin] = kGpuLanes;
}

Value GpuEvaluator::operandPointer(unsigned operand) {
  return scopes.front().block->getArgument(operand);
}

Value GpuEvaluator::scalarOperand(unsigned number) {
  unsigned operands = kernel.getNumInputs() + kernel.getNumOuts();
  return scopes.front().block->getArgument(operands + number);
}

unsigned GpuEvaluator::alignmentOf(Type element, Index at) {
  unsigned bytes = bytesOf(element);
  if (at.lanes || at.stride != 1)
    return bytes;
  return std::gcd<int64_t>(divisorOf(at.base) * bytes, 16);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

template <typename RegisterOp> Value GpuEvaluator::specialRegister() {
  std::vector<uintptr_t> key{
      20, uintptr_t(TypeID::get<RegisterOp>().getAsOpaquePointer())};
  if (Value known = recall(key))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scopes.front().block);
  Value value = RegisterOp::create(b, loc, b.getI32Type());
  return remember(key, arith::ExtUIOp::create(b, loc, b.getI64Type(), value).getResult());
}

Value GpuEvaluator::thread() { return specialRegister<NVVM::ThreadIdXOp>(); }

std::pair<Value, Value> GpuEvaluator::worker() {
  if (inRow)
    return {thread(), constant(kBlockThreads)};
  Value block = specialRegister<NVVM::BlockIdXOp>();
  Value blocks = specialRegister<NVVM::GridDimXOp>();
  return {add(mul(block, kBlockThreads), thread()), mul(blocks, kBlockThreads)};
}

GpuEvaluator::Values GpuEvaluator::vectorLoop(Value begin, Value end,
                                              ValueRange init, VectorBody body) {
  auto [number, count] = worker();
  Value tail = rem(sub(end, begin), laneCount);
  Value mainEnd = sub(end, tail);
  Value first = add(mul(number, laneCount), begin);
  Values carried = stridedLoop(
      first, mainEnd, mul(count, laneCount),
      std::gcd(divisorOf(begin), laneCount), init,
      [&](Value iv, ValueRange values) { return body({iv, 1, nullptr}, values); });
  IntegerAttr known;
  if (matchPattern(tail, m_Constant(&known)) && known.getInt() == 0)
    return carried;
  // One worker takes what is left: a loop of one or no iterations.
  Value mine = both(compareInt(arith::CmpIPredicate::eq, number, constant(0)),
                    compareInt(arith::CmpIPredicate::sgt, tail, constant(0)));
  placeAfter(mine);
  Value trips = arith::ExtUIOp::create(b, loc, b.getI64Type(), mine);
  return forLoop(constant(0), trips, 1, carried, [&](Value iv, ValueRange values) {
    divisors[iv] = int64_t(1) << 40; // always 0
    return emitTail(add(mainEnd, iv), tail, values, body);
  });
}

void GpuEvaluator::rowLoop(function_ref<void(Index row)> body) {
  Value block = specialRegister<NVVM::BlockIdXOp>();
  Value blocks = specialRegister<NVVM::GridDimXOp>();
  inRow = true;
  stridedLoop(add(begin, block), end, blocks, 1, {}, [&](Value iv, ValueRange) -> Values {
    body(uniform(iv));
    return {};
  });
  inRow = false;
}

void GpuEvaluator::storeOnce(function_ref<void()> body) {
  if (!inRow)
    return body();
  ifThen(compareInt(arith::CmpIPredicate::eq, thread(), constant(0)), body);
}

//===----------------------------------------------------------------------===//
// What the threads of a block have found
//===----------------------------------------------------------------------===//

void GpuEvaluator::barrier() {
  placeHere();
  NVVM::Barrier0Op::create(b, loc);
}

/// The value of the thread whose number in the warp differs in the bit `distance`; 64 bits
/// go in two halves.
Value GpuEvaluator::shuffle(Value value, int64_t distance) {
  Type type = value.getType(), i32 = b.getI32Type();
  placeHere();
  auto number = [&](int64_t n) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(n));
  };
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(b, loc, i32, number(-1), word, number(distance),
                                number(kWarpThreads - 1), NVVM::ShflKind::bfly, UnitAttr());
  };
  if (type.getIntOrFloatBitWidth() == 32) {
    if (type.isInteger(32))
      return exchange(value);
    Value word = exchange(arith::BitcastOp::create(b, loc, i32, value));
    return arith::BitcastOp::create(b, loc, type, word);
  }
  Type i64 = b.getI64Type();
  Value bits = type.isInteger(64) ? value : arith::BitcastOp::create(b, loc, i64, value).getResult();
  Value half = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
  Value low = exchange(arith::TruncIOp::create(b, loc, i32, bits));
  Value high = exchange(arith::TruncIOp::create(
      b, loc, i32, arith::ShRUIOp::create(b, loc, bits, half)));
  Value joined = arith::OrIOp::create(
      b, loc, arith::ExtUIOp::create(b, loc, i64, low),
      arith::ShLIOp::create(b, loc, arith::ExtUIOp::create(b, loc, i64, high), half));
  return type.isInteger(64) ? joined : arith::BitcastOp::create(b, loc, type, joined).getResult();
}

/// The place in shared memory for a warp's part; one of 8 bytes for each warp.
Value GpuEvaluator::sharedSlot(Type type, Value index) {
  auto module = function->getParentOfType<ModuleOp>();
  constexpr StringLiteral name = "warp_parts";
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto array = LLVM::LLVMArrayType::get(b.getI64Type(), kBlockThreads / kWarpThreads);
    global = LLVM::GlobalOp::create(atStart, loc, array, /*isConstant=*/false,
                                    LLVM::Linkage::Internal, name, Attribute(),
                                    /*alignment=*/16, kSharedMemory);
  }
  Value base = LLVM::AddressOfOp::create(b, loc, global);
  return LLVM::GEPOp::create(b, loc, base.getType(), b.getI64Type(), base,
                             ArrayRef<LLVM::GEPArg>{index});
}

/// In a warp by a butterfly of shuffles, then the warps' parts by a tree in shared memory:
/// the same tree whatever runs when.
Value GpuEvaluator::combineWorkers(Combine how, Value value) {
  if (!inRow)
    return value;
  for (int64_t distance = kWarpThreads / 2; distance > 0; distance /= 2) {
    Value other = shuffle(value, distance);
    value = combine(how, value, other);
  }
  Type type = value.getType();
  Value warp = div(thread(), kWarpThreads), lane = rem(thread(), kWarpThreads);
  ifThen(compareInt(arith::CmpIPredicate::eq, lane, constant(0)), [&] {
    placeHere();
    LLVM::StoreOp::create(b, loc, value, sharedSlot(type, warp));
  });
  barrier();
  Values parts;
  for (int64_t i = 0; i < kBlockThreads / kWarpThreads; ++i) {
    Value index = constant(i);
    placeHere();
    parts.push_back(LLVM::LoadOp::create(b, loc, type, sharedSlot(type, index)));
  }
  // Before the next reduction writes there.
  barrier();
  for (; parts.size() > 1; parts.truncate(parts.size() / 2))
    for (size_t i = 0; i < parts.size() / 2; ++i)
      parts[i] = combine(how, parts[2 * i], parts[2 * i + 1]);
  return parts.front();
}

} // namespace zero
