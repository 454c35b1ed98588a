//===- Dropout.cpp - Random numbers by counter ----------------------------===//

#include "KernelEvaluator.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace zero {

/// The 64-bit product of 32-bit numbers: its high and low half.
std::pair<Value, Value> KernelEvaluator::multiplyWide(Value x, int64_t factor) {
  Type i64 = isVector(x) ? lanesOf(b.getI64Type()) : b.getI64Type();
  placeAfter(x);
  Value wide = arith::ExtUIOp::create(b, loc, i64, x);
  Value product = arith::MulIOp::create(b, loc, wide, constant(i64, factor));
  Value high = arith::ShRUIOp::create(b, loc, product, constant(i64, 32));
  Value low = arith::TruncIOp::create(b, loc, x.getType(), product);
  return {arith::TruncIOp::create(b, loc, x.getType(), high), low};
}

/// Philox4x32-10 (Salmon et al. 2011).
std::array<Value, 4> KernelEvaluator::philox(std::array<Value, 4> counter,
                                           std::array<Value, 2> key) {
  auto next = [&](Value word, uint32_t weyl) {
    return arith<arith::AddIOp>(word, constant(word.getType(), int32_t(weyl)));
  };
  for (unsigned round = 0; round < 10; ++round) {
    auto [high0, low0] = multiplyWide(counter[0], 0xD2511F53);
    auto [high1, low1] = multiplyWide(counter[2], 0xCD9E8D57);
    counter = {
        arith<arith::XOrIOp>(arith<arith::XOrIOp>(high1, counter[1]), key[0]),
        low1,
        arith<arith::XOrIOp>(arith<arith::XOrIOp>(high0, counter[3]), key[1]),
        low0};
    if (round < 9)
      key = {next(key[0], 0x9E3779B9), next(key[1], 0xBB67AE85)};
  }
  return counter;
}

Value KernelEvaluator::low32(Value value) {
  placeAfter(value);
  Type i32 = isVector(value) ? lanesOf(b.getI32Type()) : b.getI32Type();
  return b.createOrFold<arith::TruncIOp>(loc, i32, value);
}

/// The random numbers of the blocks whose numbers are `block`, made once.
std::array<Value, 4> KernelEvaluator::randomWords(Value site, Value random,
                                                Value sample, Value block) {
  auto field = [&](int64_t number) {
    return eval(random, {uniform(constant(number))});
  };
  std::array<Value, 4> words;
  std::vector<uintptr_t> key{10, 0, uintptr_t(site.getAsOpaquePointer()),
                             uintptr_t(sample.getAsOpaquePointer()),
                             uintptr_t(block.getAsOpaquePointer())};
  bool known = true;
  for (unsigned i = 0; i < 4; ++i) {
    key[1] = i;
    words[i] = recall(key);
    known &= bool(words[i]);
  }
  if (known)
    return words;
  Value seed = field(0);
  Value seedHigh = arith<arith::ShRUIOp>(seed, constant(32));
  Value stream = add(evalScalar(site), mul(field(2), 1 << 20));
  Value sampleNumber = arith<arith::AddIOp>(field(3), sample);
  words = philox(
      {low32(block), low32(sampleNumber), low32(stream), low32(field(1))},
      {low32(seed), low32(seedHigh)});
  for (unsigned i = 0; i < 4; ++i) {
    key[1] = i;
    remember(key, words[i]);
  }
  return words;
}

/// Random words of one kind that lie together.
static constexpr int64_t kGroup = 16;

/// Elements go in groups of 64, which share 16 blocks of random numbers:
/// element e takes word (e / 16) mod 4 of the block that has the key `seed` and
/// the counter (e / 64 * 16 + e mod 16, global sample, site + micro-step *
/// 2^20, step). So 16 lanes give the numbers of 64 elements.
Value KernelEvaluator::keepFactor(Value site, Value random, Value sample,
                                Index element, double probability, Type type,
                                Operation *op) {
  if (!random) {
    fail(op, "draws random numbers but has no 'random' operand", type);
    return constant(type, 1.0);
  }
  Value block, number; // the block and the word of each lane
  bool isAligned = !element.lanes && element.stride == 1 &&
                   divisorOf(element.base) % laneCount == 0;
  if (isAligned) {
    block = asLanes({add(mul(div(element.base, 64), kGroup),
                         rem(element.base, kGroup)),
                     1, nullptr});
    number = rem(div(element.base, kGroup), 4);
  } else {
    Value position = element.isUniform() ? element.base : asLanes(element);
    Value group = arith<arith::ShRUIOp>(position, constant(6));
    Value lane = arith<arith::AndIOp>(position, constant(15));
    block = arith<arith::AddIOp>(arith<arith::MulIOp>(group, constant(kGroup)),
                                 lane);
    number = arith<arith::AndIOp>(arith<arith::ShRUIOp>(position, constant(4)),
                                  constant(3));
  }
  std::array<Value, 4> words = randomWords(site, random, sample, block);
  Value bits = words[0];
  if (APInt known; matchPattern(number, m_ConstantInt(&known)))
    bits = words[known.getZExtValue()];
  else
    for (int64_t i = 1; i < 4; ++i)
      bits = select(compareInt(arith::CmpIPredicate::eq, number, constant(i)),
                    words[i], bits);
  auto threshold = int64_t(probability * 4294967296.0);
  Value keep =
      compareInt(arith::CmpIPredicate::uge, bits,
                 constant(b.getI32Type(), int32_t(uint32_t(threshold))));
  return select(keep, constant(type, 1.0 / (1.0 - probability)),
                constant(type, 0.0));
}

Value KernelEvaluator::evalDropout(nn::DropoutOp op, Point point) {
  Value x = eval(op.getX(), point);
  double probability = op.getProbability().convertToDouble();
  if (probability == 0.0)
    return x;
  RankedTensorType type = typeOf(op.getResult());
  int64_t rows = op.getRowsPerSample();
  auto [sample, row] = divideAndRemainder(point[0], rows);
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = rows;
  Point inSample = point;
  inSample[0] = row;
  Index element = linearise(inSample, shape);
  Value factor =
      keepFactor(op.getSite(), op.getRandom(),
                 sample.isUniform() ? sample.base : asLanes(sample), element,
                 probability, computeType(type.getElementType()), op);
  return arith<arith::MulFOp>(x, factor);
}

} // namespace zero
