//===- AttentionGrad.cpp - Gradients of attention by tiles ----------------===//
//
// Dao 2023 (FlashAttention-2), algorithm 2, for each (sample, key/value head).
// The query heads that share the keys follow one another, so that their
// gradients of keys and values add in order.
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"

using namespace mlir;

namespace zero {

class AttentionGradEmitter : TileEmitter {
public:
  AttentionGradEmitter(KernelEvaluator &e, nn::AttentionGradOp op)
      : TileEmitter(e, op, op.getQ(), op.getK(), op.getKeyLengths(),
                    op.getSegments(), op.getCausal(), /*isGrad=*/true),
        grad(op), scale(op.getScale().convertToDouble()) {}

  void emit() {
    e.forLoop(e.begin, e.end, 1, {}, [&](Value unit, ValueRange) -> Values {
      emitKeyHead(e.div(unit, layout.kvHeads), e.rem(unit, layout.kvHeads));
      return {};
    });
  }

private:
  void emitKeyHead(Value sample, Value kvHead);
  void emitHead(Value head);
  void packRowNumbers();
  void emitTile(Value firstQuery, Value firstKey);
  void differentiateRow(Value firstQuery, Value row, Value firstKey);
  void addKeyGradients(Value firstQuery, Value firstKey, int64_t left,
                       int64_t right, int64_t to);
  void addQueryGradients(Value firstQuery, Value firstKey);
  void storeRows(Value result, int64_t rows, int64_t from, double factor,
                 Value headOfRow);

  Point pointOf(Value position, Value inHead) {
    return {e.uniform(sample), e.uniform(position), e.uniform(inHead)};
  }

  nn::AttentionGradOp grad;
  double scale;
  Value sample, head, kvHead;
};

void AttentionGradEmitter::emitKeyHead(Value sampleNumber, Value kvHeadNumber) {
  sample = sampleNumber;
  kvHead = kvHeadNumber;
  readKeyLength(sample);
  auto rowOfKey = [&](Value key) { return pointOf(key, kvHead); };
  packTransposed(grad.getK(), rowOfKey, layout.keys,
                 c(layout.keysTransposed()));
  packTransposed(grad.getV(), rowOfKey, layout.keys, c(layout.values()));
  packRows(grad.getK(), rowOfKey, c(0), c(layout.keys), c(layout.keysByRow()),
           1.0);
  fill(c(layout.keyGradients()), layout.keyRows(), 0.0);
  fill(c(layout.valueGradients()), layout.keyRows(), 0.0);
  int64_t group = layout.heads / layout.kvHeads;
  e.forLoop(c(0), c(group), 1, {}, [&](Value number, ValueRange) -> Values {
    emitHead(e.add(e.mul(kvHead, group), number));
    return {};
  });
  storeRows(grad.getDk(), layout.keys, layout.keyGradients(), 1.0, kvHead);
  storeRows(grad.getDv(), layout.keys, layout.valueGradients(), 1.0, kvHead);
}

void AttentionGradEmitter::emitHead(Value headNumber) {
  head = headNumber;
  auto rowOfQuery = [&](Value query) { return pointOf(query, head); };
  Value all = c(layout.queries);
  // The scale goes into the queries, so that the gradient of the keys has it
  // too.
  packRows(grad.getQ(), rowOfQuery, c(0), all, c(layout.queriesByRow()), scale);
  packRows(grad.getDy(), rowOfQuery, c(0), all, c(layout.resultGradients()),
           1.0);
  packRowNumbers();
  fill(c(layout.queryGradients()), layout.queryRows(), 0.0);
  e.forLoop(c(0), keyLength, layout.tileKeys, {},
            [&](Value firstKey, ValueRange) -> Values {
              int64_t tile = layout.tileQueries;
              Value from = isCausal ? e.mul(e.div(firstKey, tile), tile) : c(0);
              e.forLoop(from, all, tile, {},
                        [&](Value firstQuery, ValueRange) -> Values {
                          emitTile(firstQuery, firstKey);
                          return {};
                        });
              return {};
            });
  storeRows(grad.getDq(), layout.queries, layout.queryGradients(), scale, head);
}

/// lse and the sum of dy * y of each query.
void AttentionGradEmitter::packRowNumbers() {
  e.forLoop(
      c(0), c(layout.queries), 1, {}, [&](Value query, ValueRange) -> Values {
        Values sum = e.vectorLoop(
            c(0), c(layout.channels), e.constant(lanes, 0.0),
            [&](Index channel, ValueRange carried) -> Values {
              Point point = pointOf(query, head);
              point.push_back(channel);
              Value product = e.arith<arith::MulFOp>(
                  e.eval(grad.getDy(), point), e.eval(grad.getY(), point));
              product = e.underMask(e.splat(product), e.constant(lanes, 0.0));
              return {e.arith<arith::AddFOp>(carried[0], product)};
            });
        storeScalar(e.add(c(layout.rowDelta()), query),
                    e.combineLanes(Combine::Add, sum[0]));
        storeScalar(e.add(c(layout.rowLse()), query),
                    e.eval(grad.getLse(), {e.uniform(sample), e.uniform(head),
                                           e.uniform(query)}));
        return {};
      });
}

void AttentionGradEmitter::emitTile(Value firstQuery, Value firstKey) {
  int64_t channels = layout.paddedChannels();
  auto product = [&](int64_t left, int64_t right, int64_t to) {
    multiplyTile(
        layout.tileQueries, layout.tileKeys, [&](Value row, Value column) {
          Value limit =
              limitOfBlock(e.add(firstQuery, row), AttentionLayout::microRows);
          Value key = e.add(firstKey, column);
          Value isSeen = e.compareInt(arith::CmpIPredicate::slt, key, limit);
          Value end = e.select(isSeen, c(channels), c(0));
          Left rows{e.add(c(left), e.mul(e.add(firstQuery, row), channels)),
                    channels, 1};
          multiply(rows, e.add(c(right), e.mul(key, channels)),
                   AttentionLayout::microColumns, c(0), end,
                   e.add(c(to), e.add(e.mul(row, layout.tileKeys), column)),
                   layout.tileKeys, false);
        });
  };
  product(layout.queriesByRow(), layout.keysTransposed(),
          layout.probabilities());
  product(layout.resultGradients(), layout.values(), layout.scoreGradients());
  e.forLoop(c(0), c(layout.tileQueries), 1, {},
            [&](Value row, ValueRange) -> Values {
              differentiateRow(firstQuery, row, firstKey);
              return {};
            });
  addKeyGradients(firstQuery, firstKey, layout.probabilities(),
                  layout.resultGradients(), layout.valueGradients());
  addKeyGradients(firstQuery, firstKey, layout.scoreGradients(),
                  layout.queriesByRow(), layout.keyGradients());
  addQueryGradients(firstQuery, firstKey);
}

/// Scores become weights, gradients of weights become gradients of scores.
void AttentionGradEmitter::differentiateRow(Value firstQuery, Value row,
                                            Value firstKey) {
  Value query = e.add(firstQuery, row), limit = limitOf(query);
  Value weightsAt =
      e.add(c(layout.probabilities()), e.mul(row, layout.tileKeys));
  Value gradientsAt =
      e.add(c(layout.scoreGradients()), e.mul(row, layout.tileKeys));
  Value lse = e.splat(loadScalar(e.add(c(layout.rowLse()), query)));
  Value delta = e.splat(loadScalar(e.add(c(layout.rowDelta()), query)));
  Value zero = e.constant(lanes, 0.0);
  double dropout = grad.getDropout().convertToDouble();
  e.forLoop(c(0), c(layout.tileKeys), kLanes, {},
            [&](Value column, ValueRange) -> Values {
              Value key = e.add(firstKey, column);
              Value mask = visible(sample, query, limit, key);
              Value at = e.add(weightsAt, column),
                    gradientAt = e.add(gradientsAt, column);
              Value weight =
                  e.exp(e.arith<arith::SubFOp>(loadLanes(at), lse), true);
              Value gradient = loadLanes(gradientAt), kept = weight;
              if (dropout > 0) {
                Value factor = attentionKeepFactor(grad, head, sample, query,
                                                   key, dropout);
                kept = e.arith<arith::MulFOp>(weight, factor);
                gradient = e.arith<arith::MulFOp>(gradient, factor);
              }
              gradient = e.arith<arith::MulFOp>(
                  weight, e.arith<arith::SubFOp>(gradient, delta));
              storeLanes(at, e.select(mask, kept, zero));
              storeLanes(gradientAt, e.select(mask, gradient, zero));
              return {};
            });
}

/// to[key, :] += sum over the tile's queries of left[query, key] * right[query,
/// :].
void AttentionGradEmitter::addKeyGradients(Value firstQuery, Value firstKey,
                                           int64_t left, int64_t right,
                                           int64_t to) {
  int64_t channels = layout.paddedChannels(), tile = layout.tileQueries;
  Value end = e.minimum(e.sub(c(layout.queries), firstQuery), c(tile));
  multiplyTile(layout.tileKeys, channels, [&](Value key, Value column) {
    // Queries before the keys don't see them.
    Value ahead = e.sub(e.add(firstKey, key), firstQuery);
    Value begin = isCausal ? e.binary<arith::MaxSIOp>(ahead, c(0)) : c(0);
    Left transposed{e.add(c(left), key), 1, layout.tileKeys};
    Value rows = e.add(c(right), e.add(e.mul(firstQuery, channels), column));
    Value place =
        e.add(c(to), e.add(e.mul(e.add(firstKey, key), channels), column));
    multiply(transposed, rows, channels, begin, end, place, channels, true);
  });
}

void AttentionGradEmitter::addQueryGradients(Value firstQuery, Value firstKey) {
  int64_t channels = layout.paddedChannels();
  multiplyTile(layout.tileQueries, channels, [&](Value row, Value column) {
    Value query = e.add(firstQuery, row);
    Value limit = limitOfBlock(query, AttentionLayout::microRows);
    Value end = e.minimum(e.sub(limit, firstKey), c(layout.tileKeys));
    Left scores{e.add(c(layout.scoreGradients()), e.mul(row, layout.tileKeys)),
                layout.tileKeys, 1};
    Value keys =
        e.add(c(layout.keysByRow()), e.add(e.mul(firstKey, channels), column));
    Value place = e.add(c(layout.queryGradients()),
                        e.add(e.mul(query, channels), column));
    multiply(scores, keys, channels, c(0), end, place, channels, true);
  });
}

void AttentionGradEmitter::storeRows(Value result, int64_t rows, int64_t from,
                                     double factor, Value headOfRow) {
  e.forLoop(c(0), c(rows), 1, {}, [&](Value row, ValueRange) -> Values {
    Value place = e.add(c(from), e.mul(row, layout.paddedChannels()));
    e.vectorLoop(
        c(0), c(layout.channels), {}, [&](Index channel, ValueRange) -> Values {
          Value value = loadLanes(e.add(place, channel.base));
          if (factor != 1.0)
            value = e.arith<arith::MulFOp>(value, e.constant(lanes, factor));
          Point point = pointOf(row, headOfRow);
          point.push_back(channel);
          e.storeEverywhere(result, point, value);
          return {};
        });
    return {};
  });
}

void emitAttentionGrad(KernelEvaluator &emitter, nn::AttentionGradOp op) {
  AttentionGradEmitter(emitter, op).emit();
}

} // namespace zero
