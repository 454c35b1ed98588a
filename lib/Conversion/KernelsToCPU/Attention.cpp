//===- Attention.cpp - Attention by tiles of queries and keys -------------===//
//
// Dao 2023 (FlashAttention-2), algorithm 1, for each (sample, head): keys and
// values are packed once, then for each tile of queries the tiles of keys go
// by, with a running maximum and running sums of each row.
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace zero {

class AttentionEmitter : TileEmitter {
public:
  AttentionEmitter(KernelEvaluator &e, nn::AttentionOp op)
      : TileEmitter(e, op, op.getQ(), op.getK(), op.getKeyLengths(),
                    op.getSegments(), op.getCausal(), /*isGrad=*/false),
        attention(op) {}

  void emit() {
    e.forLoop(e.begin, e.end, 1, {}, [&](Value unit, ValueRange) -> Values {
      emitHead(e.div(unit, layout.heads), e.rem(unit, layout.heads));
      return {};
    });
  }

private:
  void emitHead(Value sample, Value head);
  void emitTile(Value firstQuery);
  void scoreTile(Value firstQuery, Value firstKey);
  void softmaxRow(Value firstQuery, Value row, Value firstKey);
  void weighTile(Value firstQuery, Value firstKey);
  void storeRow(Value firstQuery, Value row);

  nn::AttentionOp attention;
  Value sample, head, kvHead;
};

void AttentionEmitter::emitHead(Value sampleNumber, Value headNumber) {
  sample = sampleNumber;
  head = headNumber;
  kvHead = e.div(head, layout.heads / layout.kvHeads);
  readKeyLength(sample);
  auto rowOfKey = [&](Value key) {
    return Point{e.uniform(sample), e.uniform(key), e.uniform(kvHead)};
  };
  packTransposed(attention.getK(), rowOfKey, layout.keys,
                 c(layout.keysTransposed()));
  packRows(attention.getV(), rowOfKey, c(0), c(layout.keys), c(layout.values()),
           1.0);
  e.forLoop(c(0), c(layout.queries), layout.tileQueries, {},
            [&](Value query, ValueRange) -> Values {
              emitTile(query);
              return {};
            });
}

void AttentionEmitter::emitTile(Value firstQuery) {
  Value lastQuery =
      e.minimum(e.add(firstQuery, c(layout.tileQueries)), c(layout.queries));
  packRows(
      attention.getQ(),
      [&](Value query) {
        return Point{e.uniform(sample), e.uniform(query), e.uniform(head)};
      },
      firstQuery, lastQuery, c(layout.queryTile()),
      attention.getScale().convertToDouble());
  fill(c(layout.resultTile()), layout.tileRows(), 0.0);
  fill(c(layout.rowMaximum()), layout.tileQueries * kLanes,
       -std::numeric_limits<double>::infinity());
  fill(c(layout.rowSums()), layout.tileQueries * kLanes, 0.0);
  Value limit = limitOfBlock(firstQuery, layout.tileQueries);
  e.forLoop(c(0), limit, layout.tileKeys, {},
            [&](Value firstKey, ValueRange) -> Values {
              scoreTile(firstQuery, firstKey);
              e.forLoop(c(0), c(layout.tileQueries), 1, {},
                        [&](Value row, ValueRange) -> Values {
                          softmaxRow(firstQuery, row, firstKey);
                          return {};
                        });
              weighTile(firstQuery, firstKey);
              return {};
            });
  e.forLoop(c(0), e.sub(lastQuery, firstQuery), 1, {},
            [&](Value row, ValueRange) -> Values {
              storeRow(firstQuery, row);
              return {};
            });
}

/// Scores of the tile; register tiles that no query of theirs sees are not
/// computed.
void AttentionEmitter::scoreTile(Value firstQuery, Value firstKey) {
  int64_t channels = layout.paddedChannels();
  multiplyTile(
      layout.tileQueries, layout.tileKeys, [&](Value row, Value column) {
        Value limit =
            limitOfBlock(e.add(firstQuery, row), AttentionLayout::microRows);
        Value key = e.add(firstKey, column);
        Value isSeen = e.compareInt(arith::CmpIPredicate::slt, key, limit);
        Value end = e.select(isSeen, c(channels), c(0));
        Left queries{e.add(c(layout.queryTile()), e.mul(row, channels)),
                     channels, 1};
        Value keys = e.add(c(layout.keysTransposed()), e.mul(key, channels));
        Value to = e.add(c(layout.probabilities()),
                         e.add(e.mul(row, layout.tileKeys), column));
        multiply(queries, keys, AttentionLayout::microColumns, c(0), end, to,
                 layout.tileKeys, false);
      });
}

/// Turns a row of scores into weights and rescales the row's result so far.
void AttentionEmitter::softmaxRow(Value firstQuery, Value row, Value firstKey) {
  Value query = e.add(firstQuery, row), limit = limitOf(query);
  Value place = e.add(c(layout.probabilities()), e.mul(row, layout.tileKeys));
  Value maximumAt = e.add(c(layout.rowMaximum()), e.mul(row, kLanes));
  Value sumsAt = e.add(c(layout.rowSums()), e.mul(row, kLanes));
  Value lowest = e.constant(lanes, -std::numeric_limits<double>::infinity());
  Value before = loadLanes(maximumAt), largest = lowest;
  int64_t vectors = layout.tileKeys / kLanes;
  Values scores, masks;
  for (int64_t v = 0; v < vectors; ++v) {
    masks.push_back(
        visible(sample, query, limit, e.add(firstKey, c(v * kLanes))));
    scores.push_back(e.select(masks[v], loadLanes(place, v * kLanes), lowest));
    largest = e.combine(Combine::Max, largest, scores[v]);
  }
  largest = e.combine(Combine::Max, before,
                      e.splat(e.combineLanes(Combine::Max, largest)));
  // A row that has seen nothing yet has no maximum to subtract.
  Value seenNothing =
      e.compareFloat(arith::CmpFPredicate::OEQ, largest, lowest);
  Value base = e.select(seenNothing, e.constant(lanes, 0.0), largest);
  Value factor = e.exp(e.arith<arith::SubFOp>(before, base), true);
  Value sums = e.arith<arith::MulFOp>(loadLanes(sumsAt), factor);
  double dropout = attention.getDropout().convertToDouble();
  for (int64_t v = 0; v < vectors; ++v) {
    Value weight = e.exp(e.arith<arith::SubFOp>(scores[v], base), true);
    weight = e.select(masks[v], weight, e.constant(lanes, 0.0));
    sums = e.arith<arith::AddFOp>(sums, weight);
    if (dropout > 0)
      weight = e.arith<arith::MulFOp>(
          weight, attentionKeepFactor(attention, head, sample, query,
                                      e.add(firstKey, c(v * kLanes)), dropout));
    storeLanes(place, weight, v * kLanes);
  }
  storeLanes(maximumAt, largest);
  storeLanes(sumsAt, sums);
  Value result =
      e.add(c(layout.resultTile()), e.mul(row, layout.paddedChannels()));
  e.forLoop(c(0), c(layout.paddedChannels()), kLanes, {},
            [&](Value channel, ValueRange) -> Values {
              Value at = e.add(result, channel);
              storeLanes(at, e.arith<arith::MulFOp>(loadLanes(at), factor));
              return {};
            });
}

/// Adds the weighted values of the tile's keys to the result.
void AttentionEmitter::weighTile(Value firstQuery, Value firstKey) {
  int64_t channels = layout.paddedChannels();
  multiplyTile(layout.tileQueries, channels, [&](Value row, Value column) {
    Value limit =
        limitOfBlock(e.add(firstQuery, row), AttentionLayout::microRows);
    Value end = e.minimum(e.sub(limit, firstKey), c(layout.tileKeys));
    Left weights{e.add(c(layout.probabilities()), e.mul(row, layout.tileKeys)),
                 layout.tileKeys, 1};
    Value values =
        e.add(c(layout.values()), e.add(e.mul(firstKey, channels), column));
    Value to =
        e.add(c(layout.resultTile()), e.add(e.mul(row, channels), column));
    multiply(weights, values, channels, c(0), end, to, channels, true);
  });
}

void AttentionEmitter::storeRow(Value firstQuery, Value row) {
  Value query = e.add(firstQuery, row);
  Value zero = e.constant(type, 0.0);
  Value sum = e.combineLanes(
      Combine::Add, loadLanes(e.add(c(layout.rowSums()), e.mul(row, kLanes))));
  Value maximum = loadScalar(e.add(c(layout.rowMaximum()), e.mul(row, kLanes)));
  // True for a sum of NaN, which has to be seen in the result.
  Value sawSome = e.compareFloat(arith::CmpFPredicate::UNE, sum, zero);
  Value inverse = e.select(
      sawSome, e.arith<arith::DivFOp>(e.constant(type, 1.0), sum), zero);
  Value lse =
      e.select(sawSome, e.arith<arith::AddFOp>(maximum, e.log(sum)), zero);
  Value result =
      e.add(c(layout.resultTile()), e.mul(row, layout.paddedChannels()));
  e.vectorLoop(c(0), c(layout.channels), {},
               [&](Index channel, ValueRange) -> Values {
                 Value value = e.arith<arith::MulFOp>(
                     loadLanes(e.add(result, channel.base)), inverse);
                 e.storeEverywhere(attention.getResult(),
                                   {e.uniform(sample), e.uniform(query),
                                    e.uniform(head), channel},
                                   value);
                 return {};
               });
  e.storeEverywhere(attention.getLse(),
                    {e.uniform(sample), e.uniform(head), e.uniform(query)},
                    lse);
}

void emitAttention(KernelEvaluator &emitter, nn::AttentionOp op) {
  AttentionEmitter(emitter, op).emit();
}

} // namespace zero
