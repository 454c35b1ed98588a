//===- KernelsAttentionTest.cpp - Attention, its gradient and dropout -----===//

#include "KernelHarness.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace zero::test;

namespace {

template <typename T> struct KernelsAttention : testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(KernelsAttention, Types);

struct Case {
  int64_t batch, queries, keys, heads, kvHeads, channels;
  bool causal = false, keyLengths = false, segments = false;
  double dropout = 0;

  int64_t q(int64_t b, int64_t i, int64_t h, int64_t d) const {
    return ((b * queries + i) * heads + h) * channels + d;
  }
  int64_t k(int64_t b, int64_t j, int64_t g, int64_t d) const {
    return ((b * keys + j) * kvHeads + g) * channels + d;
  }
  int64_t qSize() const { return batch * queries * heads * channels; }
  int64_t kSize() const { return batch * keys * kvHeads * channels; }
};

const int64_t kRandom[] = {0x123456789abcdef, 7, 2, 40}; // seed, step, micro-step, sample
constexpr int64_t kSite = 5;

/// The generator as Salmon et al. 2011 give it.
uint32_t randomWord(int64_t sample, int64_t element) {
  uint32_t c[4] = {uint32_t(element / 64 * 16 + element % 16), uint32_t(kRandom[3] + sample),
                   uint32_t(kSite + (kRandom[2] << 20)), uint32_t(kRandom[1])};
  uint32_t key[2] = {uint32_t(kRandom[0]), uint32_t(kRandom[0] >> 32)};
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = uint64_t(c[0]) * 0xD2511F53u, p1 = uint64_t(c[2]) * 0xCD9E8D57u;
    uint32_t next[4] = {uint32_t(p1 >> 32) ^ c[1] ^ key[0], uint32_t(p1),
                        uint32_t(p0 >> 32) ^ c[3] ^ key[1], uint32_t(p0)};
    std::memcpy(c, next, sizeof c);
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return c[element / 16 % 4];
}

double keepFactor(int64_t sample, int64_t element, double probability) {
  return randomWord(sample, element) >= uint32_t(probability * 4294967296.0) ? 1 / (1 - probability) : 0;
}

template <typename T> struct Data {
  Case c;
  Buffer<T> q, k, v, dy;
  Buffer<int32_t> lengths, segments;
  Buffer<int64_t> random;
  double scale = 0.3;

  explicit Data(Case c)
      : c(c), q(Buffer<T>::random(c.qSize(), 1)), k(Buffer<T>::random(c.kSize(), 2)),
        v(Buffer<T>::random(c.kSize(), 3)), dy(Buffer<T>::random(c.qSize(), 4)),
        lengths(c.batch), segments(c.batch * c.queries), random(4) {
    for (int64_t b = 0; b < c.batch; ++b)
      lengths[b] = b == 0 ? 0 : int32_t(c.keys * 2 / 3);
    for (int64_t i = 0; i < c.batch * c.queries; ++i)
      segments[i] = int32_t(i % c.queries / 11);
    std::copy(kRandom, kRandom + 4, &random[0]);
  }

  bool sees(int64_t b, int64_t i, int64_t j) const {
    return !(c.causal && j > i) && !(c.keyLengths && j >= lengths[b]) &&
           !(c.segments && segments[b * c.queries + i] != segments[b * c.queries + j]);
  }
  double kept(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return c.dropout > 0 ? keepFactor(b, (h * c.queries + i) * c.keys + j, c.dropout) : 1;
  }
};

struct Results {
  std::vector<double> y, lse, dq, dk, dv;
};

template <typename T> Results reference(const Data<T> &in) {
  const Case &c = in.c;
  Results r{std::vector<double>(c.qSize()), std::vector<double>(c.batch * c.heads * c.queries),
            std::vector<double>(c.qSize()), std::vector<double>(c.kSize()),
            std::vector<double>(c.kSize())};
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t h = 0; h < c.heads; ++h)
      for (int64_t i = 0; i < c.queries; ++i) {
        int64_t g = h / (c.heads / c.kvHeads);
        std::vector<double> p(c.keys), dp(c.keys);
        double sum = 0, delta = 0;
        for (int64_t j = 0; j < c.keys; ++j) {
          double score = 0;
          for (int64_t d = 0; d < c.channels; ++d)
            score += double(in.q[c.q(b, i, h, d)]) * in.k[c.k(b, j, g, d)];
          p[j] = in.sees(b, i, j) ? std::exp(in.scale * score) : 0;
          sum += p[j];
        }
        if (sum == 0)
          continue;
        r.lse[(b * c.heads + h) * c.queries + i] = std::log(sum);
        for (int64_t j = 0; j < c.keys; ++j) {
          p[j] /= sum;
          for (int64_t d = 0; d < c.channels; ++d) {
            double kept = in.kept(b, h, i, j);
            r.y[c.q(b, i, h, d)] += p[j] * kept * in.v[c.k(b, j, g, d)];
            r.dv[c.k(b, j, g, d)] += p[j] * kept * in.dy[c.q(b, i, h, d)];
            dp[j] += kept * in.v[c.k(b, j, g, d)] * in.dy[c.q(b, i, h, d)];
          }
          delta += p[j] * dp[j];
        }
        for (int64_t j = 0; j < c.keys; ++j)
          for (int64_t d = 0; d < c.channels; ++d) {
            double ds = p[j] * (dp[j] - delta) * in.scale;
            r.dq[c.q(b, i, h, d)] += ds * in.k[c.k(b, j, g, d)];
            r.dk[c.k(b, j, g, d)] += ds * in.q[c.q(b, i, h, d)];
          }
      }
  return r;
}

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at; (at = text.find(from)) != std::string::npos;)
    text.replace(at, from.size(), to);
  return text;
}

template <typename T> std::string fill(std::string text, const Case &c) {
  auto n = [](int64_t value) { return std::to_string(value); };
  std::string options = " {scale = 0.3 : f64, dropout = " + std::to_string(c.dropout) + " : f64" +
                        (c.causal ? ", causal" : "") + "}";
  text = replaceAll(text, "$OPT", std::string(c.keyLengths ? "key_lengths %len " : "") +
                                      (c.segments ? "segments %seg " : "") +
                                      (c.dropout > 0 ? "site %site random %rnd" : "") + options);
  text = replaceAll(text, "$OTY", std::string(c.keyLengths ? ", tensor<" + n(c.batch) + "xi32>" : "") +
                                      (c.segments ? ", tensor<" + n(c.batch) + "x" + n(c.queries) + "xi32>" : "") +
                                      (c.dropout > 0 ? ", i64, tensor<4xi64>" : ""));
  text = replaceAll(text, "$ARGS", "%len: tensor<" + n(c.batch) + "xi32>, %seg: tensor<" + n(c.batch) + "x" +
                                       n(c.queries) + "xi32>, %rnd: tensor<4xi64>");
  text = replaceAll(text, "$Q", "tensor<" + n(c.batch) + "x" + n(c.queries) + "x" + n(c.heads) + "x" + n(c.channels) + "xELT>");
  text = replaceAll(text, "$K", "tensor<" + n(c.batch) + "x" + n(c.keys) + "x" + n(c.kvHeads) + "x" + n(c.channels) + "xELT>");
  text = replaceAll(text, "$L", "tensor<" + n(c.batch) + "x" + n(c.heads) + "x" + n(c.queries) + "xELT>");
  return withType<T>(text);
}

template <typename T> void checkCase(const Case &c) {
  SCOPED_TRACE("queries " + std::to_string(c.queries) + ", keys " + std::to_string(c.keys) +
               ", channels " + std::to_string(c.channels));
  Data<T> in(c);
  Results want = reference(in);
  CompiledKernel forward(fill<T>(
      "zero.kernel @k(%q: $Q, %k: $K, %v: $K, $ARGS, %o: $Q, %p: $L, %site: i64) -> ($Q, $L) {\n"
      "%y, %l = nn.attention %q, %k, %v $OPT : ($Q, $K, $K$OTY) -> ($Q, $L)\n"
      "zero.yield %y, %l : $Q, $L }", c));
  CompiledKernel backward(fill<T>(
      "zero.kernel @k(%dy: $Q, %q: $Q, %k: $K, %v: $K, %y: $Q, %l: $L, $ARGS, %o: $Q, %p: $K, %r: $K, %site: i64) -> ($Q, $K, $K) {\n"
      "%a, %b, %c = nn.attention_grad %dy, %q, %k, %v, %y, %l $OPT : ($Q, $Q, $K, $K, $Q, $L$OTY) -> ($Q, $K, $K)\n"
      "zero.yield %a, %b, %c : $Q, $K, $K }", c));
  std::vector<Buffer<T>> first;
  for (int64_t parts : {1, 2}) {
    Buffer<T> y(c.qSize()), lse(want.lse.size()), dq(c.qSize()), dk(c.kSize()), dv(c.kSize());
    forward.run({in.q.data(), in.k.data(), in.v.data(), in.lengths.data(), in.segments.data(),
                 in.random.data(), y.data(), lse.data()}, {kSite}, parts);
    expectNear(want.y, y, "y");
    expectNear(want.lse, lse, "lse");
    backward.run({in.dy.data(), in.q.data(), in.k.data(), in.v.data(), y.data(), lse.data(),
                  in.lengths.data(), in.segments.data(), in.random.data(), dq.data(), dk.data(), dv.data()},
                 {kSite}, parts);
    expectNear(want.dq, dq, "dq");
    expectNear(want.dk, dk, "dk", 2);
    expectNear(want.dv, dv, "dv", 2);
    std::vector<Buffer<T>> outs{y, lse, dq, dk, dv};
    for (size_t i = 0; i < first.size(); ++i)
      EXPECT_EQ(std::memcmp(outs[i].data(), first[i].data(), outs[i].size() * sizeof(T)), 0)
          << "out " << i << " has different bits in two parts";
    first = outs;
  }
}

TYPED_TEST(KernelsAttention, SmallAndOddSizes) {
  checkCase<TypeParam>({1, 1, 1, 1, 1, 1});
  checkCase<TypeParam>({2, 3, 5, 1, 1, 4});
  checkCase<TypeParam>({1, 70, 130, 2, 2, 20});
  checkCase<TypeParam>({1, 64, 64, 2, 2, 64});
  checkCase<TypeParam>({1, 16, 16, 1, 1, 80});
}

TYPED_TEST(KernelsAttention, NoKeysGiveZeros) { checkCase<TypeParam>({1, 5, 0, 2, 2, 8}); }

TYPED_TEST(KernelsAttention, NaNReachesTheResult) {
  Case c{1, 5, 70, 1, 1, 8};
  Data<TypeParam> in(c);
  in.k[3] = NAN;
  CompiledKernel forward(fill<TypeParam>(
      "zero.kernel @k(%q: $Q, %k: $K, %v: $K, %o: $Q, %p: $L) -> ($Q, $L) {\n"
      "%y, %l = nn.attention %q, %k, %v $OPT : ($Q, $K, $K) -> ($Q, $L)\nzero.yield %y, %l : $Q, $L }", c));
  Buffer<TypeParam> y(c.qSize()), lse(5);
  forward.run({in.q.data(), in.k.data(), in.v.data(), y.data(), lse.data()});
  expectNear(std::vector<double>(c.qSize(), NAN), y, "y");
  expectNear(std::vector<double>(5, NAN), lse, "lse");
}

TYPED_TEST(KernelsAttention, Causal) {
  checkCase<TypeParam>({1, 70, 70, 2, 2, 16, true});
  checkCase<TypeParam>({2, 200, 200, 1, 1, 64, true});
}

TYPED_TEST(KernelsAttention, KeyLengthsWithRowsThatSeeNothing) {
  checkCase<TypeParam>({2, 70, 90, 2, 2, 16, false, true});
  checkCase<TypeParam>({2, 100, 100, 2, 1, 16, true, true});
}

TYPED_TEST(KernelsAttention, Segments) {
  checkCase<TypeParam>({2, 75, 75, 2, 2, 16, false, false, true});
  checkCase<TypeParam>({2, 75, 75, 2, 2, 16, true, true, true});
}

TYPED_TEST(KernelsAttention, GroupedHeads) {
  checkCase<TypeParam>({2, 66, 66, 6, 2, 32, true});
  checkCase<TypeParam>({1, 20, 40, 4, 1, 8});
}

TYPED_TEST(KernelsAttention, Dropout) {
  checkCase<TypeParam>({2, 40, 70, 2, 2, 16, false, false, false, 0.25});
  checkCase<TypeParam>({2, 70, 70, 4, 2, 16, true, true, false, 0.5});
}

TYPED_TEST(KernelsAttention, SlicesOfOneBufferAndOneGradientBuffer) {
  Case c{2, 20, 20, 2, 2, 16, true};
  Data<TypeParam> in(c);
  Results want = reference(in);
  // q, k and v are columns [0, 32), [32, 64) and [64, 96) of one buffer.
  Buffer<TypeParam> qkv(2 * 20 * 96), gradient(2 * 20 * 96), y(c.qSize()), lse(want.lse.size());
  std::vector<double> wantGradient(gradient.size());
  for (int64_t r = 0; r < 40; ++r)
    for (int64_t x = 0; x < 96; ++x) {
      auto &source = x < 32 ? in.q : x < 64 ? in.k : in.v;
      auto &target = x < 32 ? want.dq : x < 64 ? want.dk : want.dv;
      qkv[r * 96 + x] = source[r * 32 + x % 32];
      wantGradient[r * 96 + x] = target[r * 32 + x % 32];
    }
  std::string views;
  for (std::string name : {"q", "k", "v"}) {
    std::string offset = name == "q" ? "0" : name == "k" ? "32" : "64";
    views += "%s" + name + " = tensor.extract_slice %x[0, " + offset + "] [40, 32] [1, 1] : tensor<40x96xELT> to tensor<40x32xELT>\n"
             "%" + name + " = tensor.expand_shape %s" + name + " [[0, 1], [2, 3]] output_shape [2, 20, 2, 16] : tensor<40x32xELT> into $Q\n";
  }
  CompiledKernel forward(fill<TypeParam>(
      "zero.kernel @k(%x: tensor<40x96xELT>, %o: $Q, %p: $L) -> ($Q, $L) {\n" + views +
      "%y, %l = nn.attention %q, %k, %v $OPT : ($Q, $K, $K) -> ($Q, $L)\nzero.yield %y, %l : $Q, $L }", c));
  std::string collapses;
  for (std::string name : {"a", "b", "c"})
    collapses += "%c" + name + " = tensor.collapse_shape %" + name + " [[0, 1], [2, 3]] : $Q into tensor<40x32xELT>\n";
  CompiledKernel backward(fill<TypeParam>(
      "zero.kernel @k(%dy: $Q, %x: tensor<40x96xELT>, %y: $Q, %l: $L, %o: tensor<40x96xELT>) -> (tensor<40x96xELT>) {\n" + views +
      "%a, %b, %c = nn.attention_grad %dy, %q, %k, %v, %y, %l $OPT : ($Q, $Q, $K, $K, $Q, $L) -> ($Q, $K, $K)\n" + collapses +
      "%j = tensor.concat dim(1) %ca, %cb, %cc : (tensor<40x32xELT>, tensor<40x32xELT>, tensor<40x32xELT>) -> tensor<40x96xELT>\n"
      "zero.yield %j : tensor<40x96xELT> }", c));
  forward.run({qkv.data(), y.data(), lse.data()});
  expectNear(want.y, y, "y");
  backward.run({in.dy.data(), qkv.data(), y.data(), lse.data(), gradient.data()});
  expectNear(wantGradient, gradient, "gradient");
}

TYPED_TEST(KernelsAttention, DropoutOfElements) {
  auto x = Buffer<TypeParam>::random(6 * 37, 1);
  Buffer<int64_t> random(4);
  std::copy(kRandom, kRandom + 4, &random[0]);
  std::vector<double> want;
  for (int64_t r = 0; r < 6; ++r)
    for (int64_t col = 0; col < 37; ++col)
      want.push_back(x[r * 37 + col] * keepFactor(r / 3, (r % 3) * 37 + col, 0.3));
  CompiledKernel kernel(withType<TypeParam>(
      "zero.kernel @k(%x: tensor<6x37xELT>, %r: tensor<4xi64>, %o: tensor<6x37xELT>, %s: i64) -> (tensor<6x37xELT>) {\n"
      "%0 = nn.dropout %x site %s random %r {probability = 0.3 : f64, rows_per_sample = 3 : i64} : (tensor<6x37xELT>, i64, tensor<4xi64>) -> tensor<6x37xELT>\n"
      "zero.yield %0 : tensor<6x37xELT> }"));
  Buffer<TypeParam> out(6 * 37);
  kernel.run({x.data(), random.data(), out.data()}, {kSite}, 2);
  expectNear(want, out, "out");
}

TYPED_TEST(KernelsAttention, DropoutOfRowsShorterThanAVector) {
  auto x = Buffer<TypeParam>::random(14 * 3, 1);
  Buffer<int64_t> random(4);
  std::copy(kRandom, kRandom + 4, &random[0]);
  std::vector<double> want;
  for (int64_t r = 0; r < 14; ++r)
    for (int64_t col = 0; col < 3; ++col)
      want.push_back(x[r * 3 + col] * keepFactor(r / 2, (r % 2) * 3 + col, 0.3));
  CompiledKernel kernel(withType<TypeParam>(
      "zero.kernel @k(%x: tensor<14x3xELT>, %r: tensor<4xi64>, %o: tensor<14x3xELT>, %s: i64) -> (tensor<14x3xELT>) {\n"
      "%0 = nn.dropout %x site %s random %r {probability = 0.3 : f64, rows_per_sample = 2 : i64} : (tensor<14x3xELT>, i64, tensor<4xi64>) -> tensor<14x3xELT>\n"
      "zero.yield %0 : tensor<14x3xELT> }"));
  Buffer<TypeParam> out(14 * 3);
  kernel.run({x.data(), random.data(), out.data()}, {kSite}, 3);
  expectNear(want, out, "out");
}

TYPED_TEST(KernelsAttention, DropoutOfWholeBlocks) {
  auto x = Buffer<TypeParam>::random(4 * 144, 1);
  Buffer<int64_t> random(4);
  std::copy(kRandom, kRandom + 4, &random[0]);
  std::vector<double> want;
  for (int64_t i = 0; i < 4 * 144; ++i)
    want.push_back(x[i] * keepFactor(i / 288, i % 288, 0.3));
  CompiledKernel kernel(withType<TypeParam>(
      "zero.kernel @k(%x: tensor<4x144xELT>, %r: tensor<4xi64>, %o: tensor<4x144xELT>, %s: i64) -> (tensor<4x144xELT>) {\n"
      "%0 = nn.dropout %x site %s random %r {probability = 0.3 : f64, rows_per_sample = 2 : i64} : (tensor<4x144xELT>, i64, tensor<4xi64>) -> tensor<4x144xELT>\n"
      "zero.yield %0 : tensor<4x144xELT> }"));
  Buffer<TypeParam> out(4 * 144);
  kernel.run({x.data(), random.data(), out.data()}, {kSite}, 2);
  expectNear(want, out, "out");
}

} // namespace
