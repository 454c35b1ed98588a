//===- TileEmitter.cpp - Products of tiles in thread scratch --------------===//

#include "TileEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

TileEmitter::TileEmitter(KernelEvaluator &e, Operation *op, Value q, Value k,
                         Value keyLengths, Value segments, bool isCausal,
                         bool isGrad)
    : e(e), op(op), layout{shapeOf(q)[0],
                           shapeOf(q)[1],
                           shapeOf(k)[1],
                           shapeOf(q)[2],
                           shapeOf(k)[2],
                           shapeOf(q)[3],
                           e.config("tile_queries"),
                           e.config("tile_keys"),
                           isGrad},
      type(e.computeType(getElementTypeOrSelf(q))), lanes(e.lanesOf(type)),
      keyLengths(keyLengths), segments(segments), isCausal(isCausal) {}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

// Loads and stores of scratch stay where they are written: they depend on each
// other.

Value TileEmitter::pointer(Value at, int64_t offset) {
  Value start = e.address(e.scratch, type, at);
  if (offset == 0)
    return start;
  e.placeAfter(start);
  return LLVM::GEPOp::create(e.b, e.loc, start.getType(), type, start,
                             ArrayRef<LLVM::GEPArg>{int32_t(offset)});
}

Value TileEmitter::loadLanes(Value at, int64_t offset) {
  Value where = pointer(at, offset);
  e.placeHere();
  return LLVM::LoadOp::create(e.b, e.loc, lanes, where,
                              type.getIntOrFloatBitWidth() / 8);
}

Value TileEmitter::loadScalar(Value at) {
  Value where = pointer(at);
  e.placeHere();
  return LLVM::LoadOp::create(e.b, e.loc, type, where);
}

void TileEmitter::storeLanes(Value at, Value value, int64_t offset) {
  Value where = pointer(at, offset), all = e.splat(value);
  e.placeHere();
  LLVM::StoreOp::create(e.b, e.loc, all, where,
                        type.getIntOrFloatBitWidth() / 8);
}

void TileEmitter::storeScalar(Value at, Value value) {
  Value where = pointer(at);
  e.placeHere();
  LLVM::StoreOp::create(e.b, e.loc, value, where);
}

void TileEmitter::fill(Value at, int64_t elements, double value) {
  Value number = e.constant(lanes, value);
  e.forLoop(c(0), c(elements), kLanes, {}, [&](Value i, ValueRange) -> Values {
    storeLanes(e.add(at, i), number);
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void TileEmitter::multiply(Left a, Value b, int64_t bStride, Value kBegin,
                           Value kEnd, Value to, int64_t toStride,
                           bool accumulates) {
  constexpr int64_t rows = AttentionLayout::microRows, vectors = 2;
  Values sums;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t v = 0; v < vectors; ++v)
      sums.push_back(accumulates ? loadLanes(to, row * toStride + v * kLanes)
                                 : e.constant(lanes, 0.0));
  auto step = [&](Value k, ValueRange carried) {
    Value left = e.add(a.base, e.mul(k, a.kStride)),
          right = e.add(b, e.mul(k, bStride));
    Value columns[] = {loadLanes(right), loadLanes(right, kLanes)};
    Values next(carried);
    Value rowStart = pointer(left);
    for (int64_t row = 0; row < rows; ++row) {
      e.placeHere();
      Value where = LLVM::GEPOp::create(
          e.b, e.loc, rowStart.getType(), type, rowStart,
          ArrayRef<LLVM::GEPArg>{int32_t(row * a.rowStride)});
      Value number = LLVM::LoadOp::create(e.b, e.loc, type, where);
      Value all = vector::BroadcastOp::create(e.b, e.loc, lanes, number);
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = next[row * vectors + v];
        sum = math::FmaOp::create(e.b, e.loc, all, columns[v], sum);
      }
    }
    return next;
  };
  sums = e.forLoop(kBegin, kEnd, 1, sums, step);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t v = 0; v < vectors; ++v)
      storeLanes(to, sums[row * vectors + v], row * toStride + v * kLanes);
}

void TileEmitter::multiplyTile(int64_t rows, int64_t columns,
                               function_ref<void(Value, Value)> body) {
  e.forLoop(c(0), c(columns), AttentionLayout::microColumns, {},
            [&](Value column, ValueRange) -> Values {
              e.forLoop(c(0), c(rows), AttentionLayout::microRows, {},
                        [&](Value row, ValueRange) -> Values {
                          body(row, column);
                          return {};
                        });
              return {};
            });
}

//===----------------------------------------------------------------------===//
// Who sees whom
//===----------------------------------------------------------------------===//

void TileEmitter::readKeyLength(Value sample) {
  keyLength = c(layout.keys);
  if (!keyLengths)
    return;
  Value length = e.toIndex(e.eval(keyLengths, {e.uniform(sample)}));
  length = e.binary<arith::MaxSIOp>(length, c(0));
  keyLength = e.minimum(length, c(layout.keys));
}

Value TileEmitter::limitOf(Value query) {
  Value limit = isCausal ? e.minimum(e.add(query, c(1)), keyLength) : keyLength;
  if (layout.queries % layout.tileQueries == 0)
    return limit;
  Value exists =
      e.compareInt(arith::CmpIPredicate::slt, query, c(layout.queries));
  return e.select(exists, limit, c(0));
}

Value TileEmitter::limitOfBlock(Value query, int64_t count) {
  return isCausal ? e.minimum(e.add(query, c(count)), keyLength) : keyLength;
}

Value TileEmitter::visible(Value sample, Value query, Value limit, Value key) {
  Index steps{c(0), 1, nullptr};
  Value mask = e.compareInt(arith::CmpIPredicate::slt, e.asLanes(steps),
                            e.sub(limit, key));
  if (!segments)
    return mask;
  Index keys{key, 1, nullptr};
  Value own =
      e.eval(segments, {e.uniform(sample),
                        e.uniform(e.minimum(query, c(layout.queries - 1)))});
  Value outer = e.mask;
  e.mask = mask;
  Value theirs = e.eval(segments, {e.uniform(sample), keys});
  e.mask = outer;
  return e.both(mask, e.compareInt(arith::CmpIPredicate::eq, theirs, own));
}

} // namespace zero
