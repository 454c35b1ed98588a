//===- PackTiles.cpp - Rows and transposed panels in thread scratch -------===//

#include "TileEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

void TileEmitter::packRows(Value source, function_ref<Point(Value)> at,
                           Value first, Value last, Value to, double scale) {
  int64_t stride = layout.paddedChannels();
  int64_t whole = llvm::alignTo(layout.channels, kLanes);
  e.forLoop(first, last, 1, {}, [&](Value row, ValueRange) -> Values {
    Value place = e.add(to, e.mul(e.sub(row, first), stride));
    e.vectorLoop(
        c(0), c(layout.channels), {}, [&](Index channel, ValueRange) -> Values {
          Point point = at(row);
          point.push_back(channel);
          Value value =
              e.underMask(e.eval(source, point), e.constant(lanes, 0.0));
          value = e.splat(value);
          if (scale != 1.0)
            value = e.arith<arith::MulFOp>(value, e.constant(lanes, scale));
          storeLanes(e.add(place, channel.base), value);
          return {};
        });
    for (int64_t channel = whole; channel < stride; channel += kLanes)
      storeLanes(place, e.constant(lanes, 0.0), channel);
    return {};
  });
}

/// 16 rows of 16 lanes change places with their columns.
void TileEmitter::transposeLanes(Values &rows) {
  e.placeHere();
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      upper.push_back(lane & half ? kLanes + lane - half : lane);
      lower.push_back(lane & half ? kLanes + lane : lane + half);
    }
    for (int64_t row = 0; row < kLanes; ++row) {
      if (row & half)
        continue;
      Value a = rows[row], b = rows[row + half];
      rows[row] = vector::ShuffleOp::create(e.b, e.loc, a, b, upper);
      rows[row + half] = vector::ShuffleOp::create(e.b, e.loc, a, b, lower);
    }
  }
}

void TileEmitter::packTransposed(Value source, function_ref<Point(Value)> at,
                                 int64_t rows, Value to) {
  constexpr int64_t width = AttentionLayout::microColumns;
  int64_t whole = llvm::alignTo(layout.channels, kLanes);
  e.forLoop(c(0), c(rows), kLanes, {}, [&](Value first, ValueRange) -> Values {
    // Panel first / 32, columns from first mod 32 on.
    Value panel = e.mul(e.div(first, width), width * layout.paddedChannels());
    Value place = e.add(to, e.add(panel, e.rem(first, width)));
    e.vectorLoop(
        c(0), c(layout.channels), {}, [&](Index channel, ValueRange) -> Values {
          Values block;
          for (int64_t i = 0; i < kLanes; ++i) {
            // Past the end the last row stands in: what it gives is never used.
            Value row = e.add(first, c(i));
            Point point = at(rows % kLanes ? e.minimum(row, c(rows - 1)) : row);
            point.push_back(channel);
            Value value =
                e.underMask(e.eval(source, point), e.constant(lanes, 0.0));
            block.push_back(e.splat(value));
          }
          transposeLanes(block);
          Value start = e.add(place, e.mul(channel.base, width));
          for (int64_t i = 0; i < kLanes; ++i)
            storeLanes(start, block[i], i * width);
          return {};
        });
    for (int64_t channel = whole; channel < layout.paddedChannels(); ++channel)
      storeLanes(place, e.constant(lanes, 0.0), channel * width);
    return {};
  });
}

} // namespace zero
