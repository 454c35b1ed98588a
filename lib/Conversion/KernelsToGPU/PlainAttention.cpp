//===- PlainAttention.cpp - Attention by one thread per row ---------------===//
//
// Memory is linear in the sequence: a thread takes a query and goes over the keys that it
// sees with a running maximum and sum (Milakov and Gimelshein 2018), or, for gradients, takes a
// query (dq) or a key (dk, dv) and recomputes the weights from the log-sum-exp. Channels go
// in chunks that stay in registers. Nothing is added by atomics.
//
//===----------------------------------------------------------------------===//

#include "GpuEvaluator.h"

using namespace mlir;

namespace zero {
namespace {

/// Vectors of channels of a result that a thread sums at once: forward, gradients.
constexpr int64_t kForwardChunk = 16, kGradientChunk = 4;

template <typename Op> class PlainAttention {
protected:
  using Values = KernelEvaluator::Values;

  PlainAttention(GpuEvaluator &e, Op op)
      : e(e), op(op), q(op.getQ()), k(op.getK()), v(op.getV()), batch(typeOf(q).getDimSize(0)),
        queries(typeOf(q).getDimSize(1)), keys(typeOf(k).getDimSize(1)),
        heads(typeOf(q).getDimSize(2)), kvHeads(typeOf(k).getDimSize(2)),
        channels(typeOf(q).getDimSize(3)), group(heads / kvHeads),
        vectors(llvm::divideCeil(channels, e.laneCount)),
        type(e.computeType(getElementTypeOrSelf(q))) {}

  Value c(int64_t value) { return e.constant(value); }
  Value add(Value a, Value b) { return e.arith<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return e.arith<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return e.arith<arith::MulFOp>(a, b); }
  Value number(double value) { return e.constant(type, value); }

  /// `body` for each point of `shape`, cut over all threads.
  void forEachPoint(ArrayRef<int64_t> shape, function_ref<void(ArrayRef<Value>)> body);
  /// `body` for chunks of vectors of channels [first, first + count).
  void forEachChunk(int64_t size, function_ref<void(int64_t first, int64_t count)> body) {
    for (int64_t first = 0; first < vectors; first += size)
      body(first, std::min(size, vectors - first));
  }
  /// `body` for a vector of channels, under a mask where it is cut short.
  void onVector(int64_t vector, function_ref<void(Index channel)> body);
  Values row(Value tensor, Value sample, Value position, Value head, int64_t first, int64_t count);
  Values row(Value tensor, Value sample, Value position, Value head) {
    return row(tensor, sample, position, head, 0, vectors);
  }
  Value dot(const Values &a, const Values &b);
  Values zeros(int64_t count) { return Values(count, e.constant(e.lanesOf(type), 0.0)); }
  void store(Value result, Value sample, Value position, Value head, int64_t first,
             ValueRange sums, Value factor);

  Value keyLength(Value sample) {
    if (!op.getKeyLengths())
      return c(keys);
    return e.minimum(e.toIndex(e.eval(op.getKeyLengths(), {e.uniform(sample)})), c(keys));
  }
  Value limit(Value sample, Value query) {
    Value length = keyLength(sample);
    return op.getCausal() ? e.minimum(e.add(query, c(1)), length) : length;
  }
  Value score(Value sample, Value query, Value key, Value head) {
    Value kvHead = e.div(head, group);
    Value product = dot(row(q, sample, query, head), row(k, sample, key, kvHead));
    return mul(product, number(op.getScale().convertToDouble()));
  }
  /// `value` where the query and the key are of one segment, else `otherwise`.
  Value inSegment(Value sample, Value query, Value key, Value value, Value otherwise);
  Value keepFactor(Value sample, Value query, Value key, Value head);

  GpuEvaluator &e;
  Op op;
  Value q, k, v;
  int64_t batch, queries, keys, heads, kvHeads, channels, group, vectors;
  Type type;
};

class Forward : PlainAttention<nn::AttentionOp> {
public:
  Forward(GpuEvaluator &e, nn::AttentionOp op) : PlainAttention(e, op) {}
  void emit();

private:
  void emitChunk(ArrayRef<Value> point, int64_t first, int64_t count);
};

class Gradient : PlainAttention<nn::AttentionGradOp> {
public:
  Gradient(GpuEvaluator &e, nn::AttentionGradOp op) : PlainAttention(e, op) {}
  void emit();

private:
  /// The weight of a pair, and the gradient of its score.
  struct Pair {
    Value weight, dscore;
  };
  Pair pair(Value sample, Value query, Value key, Value head);
  void emitQueries();
  void emitKeys(Value result, bool isValue);
};
} // namespace

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

template <typename Op>
void PlainAttention<Op>::forEachPoint(ArrayRef<int64_t> shape,
                                      function_ref<void(ArrayRef<Value>)> body) {
  int64_t points = 1;
  for (int64_t size : shape)
    points *= size;
  auto [number, count] = e.worker();
  e.stridedLoop(number, c(points), count, 1, {}, [&](Value iv, ValueRange) -> Values {
    Values point;
    for (const Index &index : e.delinearise(e.uniform(iv), shape))
      point.push_back(index.base);
    body(point);
    return {};
  });
}

template <typename Op>
void PlainAttention<Op>::onVector(int64_t vector, function_ref<void(Index channel)> body) {
  int64_t rest = channels - vector * e.laneCount;
  Value outer = e.mask;
  if (rest < e.laneCount)
    e.mask = e.compareInt(arith::CmpIPredicate::ult, e.asLanes({c(0), 1, nullptr}), c(rest));
  body({c(vector * e.laneCount), 1, nullptr});
  e.mask = outer;
}

template <typename Op>
KernelEvaluator::Values PlainAttention<Op>::row(Value tensor, Value sample, Value position,
                                                Value head, int64_t first, int64_t count) {
  Values result;
  for (int64_t vector = first; vector < first + count; ++vector)
    onVector(vector, [&](Index channel) {
      Value value = e.eval(tensor, {e.uniform(sample), e.uniform(position), e.uniform(head),
                                    channel});
      result.push_back(e.splat(e.underMask(value, number(0.0))));
    });
  return result;
}

template <typename Op> Value PlainAttention<Op>::dot(const Values &a, const Values &b) {
  Value sum = mul(a[0], b[0]);
  for (size_t i = 1; i < a.size(); ++i)
    sum = e.fma(a[i], b[i], sum);
  return e.combineLanes(Combine::Add, sum);
}

template <typename Op>
void PlainAttention<Op>::store(Value result, Value sample, Value position, Value head,
                               int64_t first, ValueRange sums, Value factor) {
  for (auto [i, sum] : llvm::enumerate(sums))
    onVector(first + i, [&](Index channel) {
      e.storeEverywhere(result,
                        {e.uniform(sample), e.uniform(position), e.uniform(head), channel},
                        factor ? mul(sum, factor) : sum);
    });
}

template <typename Op>
Value PlainAttention<Op>::inSegment(Value sample, Value query, Value key, Value value,
                                    Value otherwise) {
  Value segments = op.getSegments();
  if (!segments)
    return value;
  Value own = e.eval(segments, {e.uniform(sample), e.uniform(query)});
  Value theirs = e.eval(segments, {e.uniform(sample), e.uniform(key)});
  return e.select(e.compareInt(arith::CmpIPredicate::eq, own, theirs), value, otherwise);
}

template <typename Op>
Value PlainAttention<Op>::keepFactor(Value sample, Value query, Value key, Value head) {
  double probability = op.getDropout().convertToDouble();
  if (probability == 0.0)
    return nullptr;
  Value place = e.add(e.mul(e.add(e.mul(head, queries), query), keys), key);
  return e.keepFactor(op.getSite(), op.getRandom(), sample, e.uniform(place), probability, type,
                      op);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void Forward::emitChunk(ArrayRef<Value> point, int64_t first, int64_t count) {
  Value sample = point[0], head = point[1], query = point[2];
  Value kvHead = e.div(head, group), zero = number(0.0);
  Value lowest = number(-std::numeric_limits<double>::infinity());
  Values carried{lowest, zero};
  carried.append(zeros(count));
  carried = e.forLoop(c(0), limit(sample, query), 1, carried, [&](Value key, ValueRange so) {
    Value s = inSegment(sample, query, key, score(sample, query, key, head), lowest);
    Value largest = e.combine(Combine::Max, so[0], s);
    Value isLowest = e.compareFloat(arith::CmpFPredicate::OEQ, largest, lowest);
    Value base = e.select(isLowest, zero, largest);
    Value factor = e.exp(sub(so[0], base), true);
    Value weight = inSegment(sample, query, key, e.exp(sub(s, base), true), zero);
    Values next{largest, add(mul(so[1], factor), weight)};
    if (Value keep = keepFactor(sample, query, key, head))
      weight = mul(weight, keep);
    for (auto [sum, value] :
         llvm::zip_equal(so.drop_front(2), row(v, sample, key, kvHead, first, count)))
      next.push_back(add(mul(sum, factor), mul(value, weight)));
    return next;
  });
  Value sawSome = e.compareFloat(arith::CmpFPredicate::UNE, carried[1], zero);
  Value inverse = e.arith<arith::DivFOp>(number(1.0), carried[1]);
  store(op.getResult(), sample, query, head, first, ValueRange(carried).drop_front(2),
        e.select(sawSome, inverse, zero));
  if (first == 0)
    e.storeEverywhere(op.getLse(), {e.uniform(sample), e.uniform(head), e.uniform(query)},
                      e.select(sawSome, add(carried[0], e.log(carried[1])), zero));
}

void Forward::emit() {
  forEachPoint({batch, heads, queries}, [&](ArrayRef<Value> point) {
    forEachChunk(kForwardChunk,
                 [&](int64_t first, int64_t count) { emitChunk(point, first, count); });
  });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

Gradient::Pair Gradient::pair(Value sample, Value query, Value key, Value head) {
  Value lse = e.eval(op.getLse(), {e.uniform(sample), e.uniform(head), e.uniform(query)});
  Value weight = e.exp(sub(score(sample, query, key, head), lse), true);
  weight = inSegment(sample, query, key, weight, number(0.0));
  Values dy = row(op.getDy(), sample, query, head);
  Value dweight = dot(dy, row(v, sample, key, e.div(head, group)));
  Value along = dot(dy, row(op.getY(), sample, query, head));
  Value kept = weight;
  if (Value keep = keepFactor(sample, query, key, head)) {
    dweight = mul(dweight, keep);
    kept = mul(weight, keep);
  }
  Value scale = number(op.getScale().convertToDouble());
  return {kept, mul(mul(weight, sub(dweight, along)), scale)};
}

void Gradient::emitQueries() {
  forEachPoint({batch, heads, queries}, [&](ArrayRef<Value> point) {
    Value sample = point[0], head = point[1], query = point[2];
    forEachChunk(kGradientChunk, [&](int64_t first, int64_t count) {
      Values sums = e.forLoop(
          c(0), limit(sample, query), 1, zeros(count), [&](Value key, ValueRange so) {
            Value dscore = pair(sample, query, key, head).dscore;
            Values next, other = row(k, sample, key, e.div(head, group), first, count);
            for (auto [sum, value] : llvm::zip_equal(so, other))
              next.push_back(add(sum, mul(value, dscore)));
            return next;
          });
      store(op.getDq(), sample, query, head, first, sums, nullptr);
    });
  });
}

/// dv (`isValue`) or dk: over the queries of all heads that share the key's, in order.
void Gradient::emitKeys(Value result, bool isValue) {
  forEachPoint({batch, kvHeads, keys}, [&](ArrayRef<Value> point) {
    Value sample = point[0], kvHead = point[1], key = point[2];
    Value isSeen = e.compareInt(arith::CmpIPredicate::slt, key, keyLength(sample));
    Value end = e.select(isSeen, c(queries), c(0));
    Value begin = op.getCausal() ? key : c(0);
    forEachChunk(kGradientChunk, [&](int64_t first, int64_t count) {
      auto addHead = [&](Value member, ValueRange sumsSoFar) {
        Value head = e.add(e.mul(kvHead, group), member);
        return e.forLoop(begin, end, 1, sumsSoFar, [&](Value query, ValueRange so) {
          Pair both = pair(sample, query, key, head);
          Values next, other = row(isValue ? op.getDy() : q, sample, query, head, first, count);
          for (auto [sum, value] : llvm::zip_equal(so, other))
            next.push_back(add(sum, mul(value, isValue ? both.weight : both.dscore)));
          return next;
        });
      };
      Values sums = e.forLoop(c(0), c(group), 1, zeros(count), addHead);
      store(result, sample, key, kvHead, first, sums, nullptr);
    });
  });
}

void Gradient::emit() {
  emitQueries();
  emitKeys(op.getDk(), false);
  emitKeys(op.getDv(), true);
}

/// The one attention of a kernel that holds it and views of its operands and results.
template <typename Op> static Op onlyOf(KernelOp kernel) {
  SmallVector<Op> ops(kernel.getBlock().getOps<Op>());
  return ops.size() == 1 ? ops.front() : Op();
}

LogicalResult GpuEvaluator::emitOwn(StringRef strategy) {
  if (auto op = onlyOf<nn::AttentionOp>(kernel); op && strategy == "attention")
    Forward(*this, op).emit();
  else if (auto op = onlyOf<nn::AttentionGradOp>(kernel); op && strategy == "attention_grad")
    Gradient(*this, op).emit();
  else
    return failure();
  return success();
}

} // namespace zero
