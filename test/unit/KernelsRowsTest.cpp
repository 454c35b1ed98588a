//===- KernelsRowsTest.cpp - Kernels that reduce rows and columns ---------===//

#include "KernelHarness.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace zero::test;

namespace {

template <typename T> struct KernelsRows : testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(KernelsRows, Types);

struct Shape {
  int64_t rows, columns;
};
const Shape kShapes[] = {{1, 1}, {3, 5}, {4, 16}, {7, 33}, {5, 64}, {20, 200}, {9, 768}};

/// `text` with R, C and ELT filled in; "$S" is RxCxELT, "$R" RxELT, "$C" CxELT.
template <typename T> std::string fill(std::string text, Shape s) {
  auto replaceAll = [&](std::string from, std::string to) {
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  };
  std::string R = std::to_string(s.rows), C = std::to_string(s.columns);
  replaceAll("$S", "tensor<" + R + "x" + C + "xELT>");
  replaceAll("$R", "tensor<" + R + "xELT>");
  replaceAll("$C", "tensor<" + C + "xELT>");
  replaceAll("$I", "tensor<" + R + "xi32>");
  return withType<T>(text);
}

/// Compares the outs for several cuts, and expects the same bits for all cuts.
template <typename T>
void check(const std::string &text, const std::vector<void *> &inputs,
           const std::vector<std::vector<double>> &want, double slack = 1) {
  CompiledKernel kernel(text);
  std::vector<Buffer<T>> first;
  for (int64_t parts : {1, 2, 3}) {
    std::vector<Buffer<T>> outs;
    std::vector<void *> operands = inputs;
    for (auto &values : want)
      outs.emplace_back(values.size());
    for (auto &out : outs)
      operands.push_back(out.data());
    kernel.run(operands, {}, parts);
    for (size_t i = 0; i < want.size(); ++i) {
      expectNear(want[i], outs[i], "out " + std::to_string(i), slack);
      if (parts > 1) {
        EXPECT_EQ(std::memcmp(outs[i].data(), first[i].data(), outs[i].size() * sizeof(T)), 0)
            << "different bits in " << parts << " parts";
      }
    }
    if (parts == 1)
      for (auto &out : outs)
        first.push_back(out);
  }
}

TYPED_TEST(KernelsRows, LayerNormOfSumStoresBoth) {
  for (Shape s : kShapes) {
    auto a = Buffer<TypeParam>::random(s.rows * s.columns, 1);
    auto b = Buffer<TypeParam>::random(s.rows * s.columns, 2);
    auto gamma = Buffer<TypeParam>::random(s.columns, 3), beta = Buffer<TypeParam>::random(s.columns, 4);
    std::vector<double> x, y, means, rstds;
    for (int64_t r = 0; r < s.rows; ++r) {
      double mean = 0, variance = 0;
      for (int64_t c = 0; c < s.columns; ++c) {
        int64_t i = r * s.columns + c;
        x.push_back(TypeParam(a[i] + b[i]));
        mean += x.back() / s.columns;
      }
      for (int64_t c = 0; c < s.columns; ++c)
        variance += (x[r * s.columns + c] - mean) * (x[r * s.columns + c] - mean) / s.columns;
      double rstd = 1 / std::sqrt(variance + 1e-5);
      means.push_back(mean - x[r * s.columns]);
      rstds.push_back(rstd);
      for (int64_t c = 0; c < s.columns; ++c)
        y.push_back((x[r * s.columns + c] - mean) * rstd * gamma[c] + beta[c]);
    }
    check<TypeParam>(
        fill<TypeParam>("zero.kernel @k(%a: $S, %b: $S, %g: $C, %h: $C, %o: $S, %p: $S, %q: $R, %u: $R) -> ($S, $S, $R, $R) {\n"
                        "%x = arith.addf %a, %b : $S\n"
                        "%y, %m, %r = nn.layer_norm %x, %g, %h {epsilon = 1.0e-5 : f64} : ($S, $C, $C) -> ($S, $R, $R)\n"
                        "zero.yield %x, %y, %m, %r : $S, $S, $R, $R }", s),
        {a.data(), b.data(), gamma.data(), beta.data()}, {x, y, means, rstds},
        s.columns == 1 ? 50 : 1);
  }
}

TYPED_TEST(KernelsRows, LayerNormGradients) {
  for (Shape s : kShapes) {
    int64_t n = s.rows * s.columns;
    auto dy = Buffer<TypeParam>::random(n, 1), x = Buffer<TypeParam>::random(n, 2);
    auto gamma = Buffer<TypeParam>::random(s.columns, 3), mean = Buffer<TypeParam>::random(s.rows, 4),
         rstd = Buffer<TypeParam>::random(s.rows, 5, 1, 2);
    std::vector<double> dx, dgamma(s.columns), dbeta(s.columns);
    for (int64_t r = 0; r < s.rows; ++r) {
      double sumH = 0, sumHX = 0;
      auto xhat = [&](int64_t c) { return (double(x[r * s.columns + c]) - x[r * s.columns] - mean[r]) * rstd[r]; };
      auto h = [&](int64_t c) { return double(dy[r * s.columns + c]) * gamma[c]; };
      for (int64_t c = 0; c < s.columns; ++c) {
        sumH += h(c);
        sumHX += h(c) * xhat(c);
        dgamma[c] += dy[r * s.columns + c] * xhat(c);
        dbeta[c] += dy[r * s.columns + c];
      }
      for (int64_t c = 0; c < s.columns; ++c)
        dx.push_back(rstd[r] * (h(c) - sumH / s.columns - xhat(c) * sumHX / s.columns));
    }
    std::string op = "%dx, %dg, %db = nn.layer_norm_grad %dy, %x, %g, %m, %r : ($S, $S, $C, $R, $R) -> ($S, $C, $C)\n";
    std::string in = "zero.kernel @k(%dy: $S, %x: $S, %g: $C, %m: $R, %r: $R, ";
    std::vector<void *> inputs{dy.data(), x.data(), gamma.data(), mean.data(), rstd.data()};
    check<TypeParam>(fill<TypeParam>(in + "%o: $S) -> ($S) {\n" + op + "zero.yield %dx : $S }", s), inputs, {dx}, 2);
    check<TypeParam>(fill<TypeParam>(in + "%o: $C, %p: $C) -> ($C, $C) {\n" + op + "zero.yield %dg, %db : $C, $C }", s),
                     inputs, {dgamma, dbeta}, 2);
  }
}

TYPED_TEST(KernelsRows, RmsNormAndGradients) {
  for (Shape s : kShapes) {
    int64_t n = s.rows * s.columns;
    auto dy = Buffer<TypeParam>::random(n, 1), x = Buffer<TypeParam>::random(n, 2);
    auto gamma = Buffer<TypeParam>::random(s.columns, 3), rstd = Buffer<TypeParam>::random(s.rows, 5, 1, 2);
    std::vector<double> y, rstds, dx, dgamma(s.columns);
    for (int64_t r = 0; r < s.rows; ++r) {
      double squares = 0, sumHX = 0;
      for (int64_t c = 0; c < s.columns; ++c) {
        double v = x[r * s.columns + c];
        squares += v * v / s.columns;
        sumHX += dy[r * s.columns + c] * gamma[c] * v * rstd[r];
        dgamma[c] += dy[r * s.columns + c] * v * rstd[r];
      }
      rstds.push_back(1 / std::sqrt(squares + 1e-6));
      for (int64_t c = 0; c < s.columns; ++c) {
        double v = x[r * s.columns + c];
        y.push_back(v * rstds.back() * gamma[c]);
        dx.push_back(rstd[r] * (double(dy[r * s.columns + c]) * gamma[c] - v * rstd[r] * sumHX / s.columns));
      }
    }
    check<TypeParam>(fill<TypeParam>("zero.kernel @k(%x: $S, %g: $C, %o: $S, %p: $R) -> ($S, $R) {\n"
                                     "%y, %r = nn.rms_norm %x, %g {epsilon = 1.0e-6 : f64} : ($S, $C) -> ($S, $R)\n"
                                     "zero.yield %y, %r : $S, $R }", s),
                     {x.data(), gamma.data()}, {y, rstds});
    std::string op = "%dx, %dg = nn.rms_norm_grad %dy, %x, %g, %r : ($S, $S, $C, $R) -> ($S, $C)\n";
    std::string in = "zero.kernel @k(%dy: $S, %x: $S, %g: $C, %r: $R, ";
    std::vector<void *> inputs{dy.data(), x.data(), gamma.data(), rstd.data()};
    check<TypeParam>(fill<TypeParam>(in + "%o: $S) -> ($S) {\n" + op + "zero.yield %dx : $S }", s), inputs, {dx}, 2);
    check<TypeParam>(fill<TypeParam>(in + "%o: $C) -> ($C) {\n" + op + "zero.yield %dg : $C }", s), inputs, {dgamma}, 2);
  }
}

TYPED_TEST(KernelsRows, SoftmaxAndGradient) {
  for (Shape s : kShapes) {
    int64_t n = s.rows * s.columns;
    auto x = Buffer<TypeParam>::random(n, 1, -5, 5), dy = Buffer<TypeParam>::random(n, 2);
    std::vector<double> y, dx;
    for (int64_t r = 0; r < s.rows; ++r) {
      double sum = 0, dot = 0;
      for (int64_t c = 0; c < s.columns; ++c)
        sum += std::exp(double(x[r * s.columns + c]));
      for (int64_t c = 0; c < s.columns; ++c) {
        y.push_back(std::exp(double(x[r * s.columns + c])) / sum);
        dot += double(dy[r * s.columns + c]) * x[r * s.columns + c];
      }
      for (int64_t c = 0; c < s.columns; ++c)
        dx.push_back(x[r * s.columns + c] * (double(dy[r * s.columns + c]) - dot));
    }
    check<TypeParam>(fill<TypeParam>("zero.kernel @k(%x: $S, %o: $S) -> ($S) {\n%y = nn.softmax %x : ($S) -> $S\nzero.yield %y : $S }", s),
                     {x.data()}, {y});
    check<TypeParam>(fill<TypeParam>("zero.kernel @k(%d: $S, %y: $S, %o: $S) -> ($S) {\n"
                                     "%x = nn.softmax_grad %d, %y : ($S, $S) -> $S\nzero.yield %x : $S }", s),
                     {dy.data(), x.data()}, {dx}, 20);
  }
}

TYPED_TEST(KernelsRows, CrossEntropyAndGradientInOneKernel) {
  for (Shape s : kShapes) {
    int64_t n = s.rows * s.columns;
    auto x = Buffer<TypeParam>::random(n, 1, -5, 5);
    Buffer<TypeParam> dsum(1, 0.5);
    Buffer<int32_t> labels(s.rows);
    std::vector<double> loss, weight, gradient;
    for (int64_t r = 0; r < s.rows; ++r) {
      labels[r] = r % 3 == 2 ? -100 : int32_t(r * 7 % s.columns);
      double sum = 0;
      for (int64_t c = 0; c < s.columns; ++c)
        sum += std::exp(double(x[r * s.columns + c]));
      bool counts = labels[r] >= 0;
      loss.push_back(counts ? std::log(sum) - x[r * s.columns + labels[r]] : 0);
      weight.push_back(counts);
      for (int64_t c = 0; c < s.columns; ++c)
        gradient.push_back(counts ? 0.5 * (std::exp(double(x[r * s.columns + c])) / sum - (c == labels[r])) : 0);
    }
    check<TypeParam>(
        fill<TypeParam>("zero.kernel @k(%x: $S, %l: $I, %d: tensor<ELT>, %o: $R, %p: $R, %q: $S) -> ($R, $R, $S) {\n"
                        "%a, %w, %e = nn.cross_entropy_rows %x, %l : ($S, $I) -> ($R, $R, $R)\n"
                        "%g = nn.cross_entropy_grad %d, %x, %l, %e : (tensor<ELT>, $S, $I, $R) -> $S\n"
                        "zero.yield %a, %w, %g : $R, $R, $S }", s),
        {x.data(), labels.data(), dsum.data()}, {loss, weight, gradient});
  }
}

TYPED_TEST(KernelsRows, ReducesRowsColumnsAndAll) {
  for (Shape s : kShapes) {
    int64_t n = s.rows * s.columns;
    auto x = Buffer<TypeParam>::random(n, 1);
    std::vector<double> rows(s.rows, -1e30), columns(s.columns, 1), all(1, 3);
    for (int64_t i = 0; i < n; ++i) {
      rows[i / s.columns] = std::max(rows[i / s.columns], double(x[i]));
      columns[i % s.columns] += x[i];
      all[0] += x[i];
    }
    check<TypeParam>(fill<TypeParam>("zero.kernel @k(%x: $S, %o: $R) -> ($R) {\n%c = arith.constant dense<-1.0e30> : $R\n"
                                     "%0 = linalg.reduce { arith.maximumf } ins(%x : $S) outs(%c : $R) dimensions = [1]\n"
                                     "zero.yield %0 : $R }", s), {x.data()}, {rows});
    check<TypeParam>(fill<TypeParam>("zero.kernel @k(%x: $S, %o: $C) -> ($C) {\n%c = arith.constant dense<1.0> : $C\n"
                                     "%0 = linalg.reduce { arith.addf } ins(%x : $S) outs(%c : $C) dimensions = [0]\n"
                                     "zero.yield %0 : $C }", s), {x.data()}, {columns}, 5);
    check<TypeParam>(fill<TypeParam>("zero.kernel @k(%x: $S, %o: tensor<ELT>) -> (tensor<ELT>) {\n%c = arith.constant dense<3.0> : tensor<ELT>\n"
                                     "%0 = linalg.reduce { arith.addf } ins(%x : $S) outs(%c : tensor<ELT>) dimensions = [0, 1]\n"
                                     "zero.yield %0 : tensor<ELT> }", s), {x.data()}, {all}, 5);
  }
}

TYPED_TEST(KernelsRows, ReductionOfNothingIsItsInit) {
  Buffer<TypeParam> none(0);
  check<TypeParam>(withType<TypeParam>("zero.kernel @k(%x: tensor<3x0xELT>, %o: tensor<3xELT>) -> (tensor<3xELT>) {\n"
                                       "%c = arith.constant dense<2.0> : tensor<3xELT>\n"
                                       "%0 = linalg.reduce { arith.addf } ins(%x : tensor<3x0xELT>) outs(%c : tensor<3xELT>) dimensions = [1]\n"
                                       "zero.yield %0 : tensor<3xELT> }"),
                   {none.data()}, {{2, 2, 2}});
  check<TypeParam>(withType<TypeParam>("zero.kernel @k(%x: tensor<0x3xELT>, %o: tensor<3xELT>) -> (tensor<3xELT>) {\n"
                                       "%c = arith.constant dense<2.0> : tensor<3xELT>\n"
                                       "%0 = linalg.reduce { arith.addf } ins(%x : tensor<0x3xELT>) outs(%c : tensor<3xELT>) dimensions = [0]\n"
                                       "zero.yield %0 : tensor<3xELT> }"),
                   {none.data()}, {{2, 2, 2}});
}

TYPED_TEST(KernelsRows, MaximumKeepsNaN) {
  auto x = Buffer<TypeParam>::random(2 * 100, 1);
  x[7] = NAN;
  double largest = -1;
  for (int64_t c = 100; c < 200; ++c)
    largest = std::max(largest, double(x[c]));
  check<TypeParam>(withType<TypeParam>("zero.kernel @k(%x: tensor<2x100xELT>, %o: tensor<2xELT>) -> (tensor<2xELT>) {\n"
                                       "%c = arith.constant dense<-5.0> : tensor<2xELT>\n"
                                       "%0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x100xELT>) outs(%c : tensor<2xELT>) dimensions = [1]\n"
                                       "zero.yield %0 : tensor<2xELT> }"),
                   {x.data()}, {{NAN, largest}});
}

TYPED_TEST(KernelsRows, EmbeddingGradientAddsInTokenOrder) {
  for (int64_t columns : {5, 16, 72}) {
    auto dy = Buffer<TypeParam>::random(8 * columns, 1);
    Buffer<int32_t> ids(8);
    int32_t numbers[] = {3, 0, 6, 3, 3, 1, 0, 99};
    std::copy(numbers, numbers + 8, &ids[0]);
    std::vector<double> want(7 * columns, 1.0);
    for (int64_t i = 0; i < 7; ++i)
      for (int64_t c = 0; c < columns; ++c)
        want[numbers[i] * columns + c] += dy[i * columns + c];
    check<TypeParam>(fill<TypeParam>("zero.kernel @k(%i: tensor<2x4xi32>, %d: tensor<2x4x" + std::to_string(columns) + "xELT>, %o: $S) -> ($S) {\n"
                                     "%c = arith.constant dense<1.0> : $S\n"
                                     "%0 = nn.embedding_grad %i, %d into %c : (tensor<2x4xi32>, tensor<2x4x" + std::to_string(columns) + "xELT>, $S) -> $S\n"
                                     "zero.yield %0 : $S }", {7, columns}),
                     {ids.data(), dy.data()}, {want});
  }
}

//===----------------------------------------------------------------------===//
// Rows far from zero, very large, very small or masked
//===----------------------------------------------------------------------===//

struct NormResult {
  std::vector<double> y, dx;
};

/// A norm of one row with gamma = 1 and beta = 0, and its gradient from dy, in double.
NormResult normInDouble(const std::vector<double> &x, const std::vector<double> &dy,
                        bool isLayer, double epsilon) {
  long double n = x.size(), mean = 0, square = 0, sumH = 0, sumHX = 0;
  for (double v : x)
    mean += isLayer ? v / n : 0;
  for (double v : x)
    square += (v - mean) * (v - mean) / n;
  long double rstd = 1 / sqrtl(square + epsilon);
  for (size_t i = 0; i < x.size(); ++i) {
    sumH += isLayer ? dy[i] / n : 0;
    sumHX += dy[i] * (x[i] - mean) * rstd / n;
  }
  NormResult result;
  for (size_t i = 0; i < x.size(); ++i) {
    long double xhat = (x[i] - mean) * rstd;
    result.y.push_back(double(xhat));
    result.dx.push_back(double(rstd * (dy[i] - sumH - xhat * sumHX)));
  }
  return result;
}

/// Largest difference, relative to the largest magnitude wanted.
template <typename T> double worst(const std::vector<double> &want, const Buffer<T> &got) {
  double largest = 0, difference = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    largest = std::max(largest, std::fabs(want[i]));
    difference = std::isfinite(double(got[i]))
                     ? std::max(difference, std::fabs(want[i] - double(got[i])))
                     : std::numeric_limits<double>::infinity();
  }
  return difference / largest;
}

void checkNorm(const std::vector<double> &row, bool isLayer, const std::string &epsilon,
               double outputBound, double gradientBound, const std::string &what) {
  int64_t n = row.size();
  std::string X = "tensor<1x" + std::to_string(n) + "xf32>", C = "tensor<" + std::to_string(n) + "xf32>";
  std::string statistics = isLayer ? "%m, %r" : "%r";
  std::string extra = isLayer ? ", tensor<1xf32>, tensor<1xf32>" : ", tensor<1xf32>";
  std::string outs = isLayer ? "%o: " + X + ", %p: tensor<1xf32>, %q: tensor<1xf32>" : "%o: " + X + ", %p: tensor<1xf32>";
  std::string name = isLayer ? "nn.layer_norm" : "nn.rms_norm";
  CompiledKernel forward("zero.kernel @k(%x: " + X + ", %g: " + C + ", %h: " + C + ", " + outs + ") -> (" + X + extra +
                         ") {\n%y, " + statistics + " = " + name + " %x, %g" + (isLayer ? ", %h" : "") +
                         " {epsilon = " + epsilon + " : f64} : (" + X + ", " + C + (isLayer ? ", " + C : "") + ") -> (" + X +
                         extra + ")\nzero.yield %y, " + statistics + " : " + X + extra + " }");
  std::string inputs = isLayer ? "%m: tensor<1xf32>, %r: tensor<1xf32>" : "%r: tensor<1xf32>";
  CompiledKernel backward("zero.kernel @k(%d: " + X + ", %x: " + X + ", %g: " + C + ", " + inputs + ", %o: " + X + ") -> (" + X +
                          ") {\n" + (isLayer ? "%dx, %dg, %db" : "%dx, %dg") + " = " + name + "_grad %d, %x, %g, " +
                          statistics + " : (" + X + ", " + X + ", " + C + extra + ") -> (" + X + ", " + C +
                          (isLayer ? ", " + C : "") + ")\nzero.yield %dx : " + X + " }");
  Buffer<float> x(n), gamma(n, 1), beta(n, 0), y(n), mean(1), rstd(1), dx(n);
  auto dy = Buffer<float>::random(n, 5);
  std::vector<double> exact, dyExact;
  for (int64_t i = 0; i < n; ++i) {
    x[i] = float(row[i]);
    exact.push_back(x[i]);
    dyExact.push_back(dy[i]);
  }
  std::vector<void *> statisticsOut{rstd.data()};
  if (isLayer)
    statisticsOut.insert(statisticsOut.begin(), mean.data());
  std::vector<void *> operands{x.data(), gamma.data(), beta.data(), y.data()};
  operands.insert(operands.end(), statisticsOut.begin(), statisticsOut.end());
  forward.run(operands);
  operands = {dy.data(), x.data(), gamma.data()};
  operands.insert(operands.end(), statisticsOut.begin(), statisticsOut.end());
  operands.push_back(dx.data());
  backward.run(operands);
  NormResult want = normInDouble(exact, dyExact, isLayer, std::stod(epsilon));
  EXPECT_LE(worst(want.y, y), outputBound) << what;
  EXPECT_LE(worst(want.dx, dx), gradientBound) << what;
}

TEST(Norms, RowWithALargeMean) {
  for (int64_t n : {64, 33, 300}) {
    std::vector<double> row;
    for (int64_t k = 0; k < n; ++k)
      row.push_back(10000 + 1e-3 * double(k - n / 2));
    checkNorm(row, true, "1.0e-12", 1e-5, 1e-3, "layer norm of " + std::to_string(n));
  }
}

TEST(Norms, RowsOfAnyMagnitude) {
  for (double scale : {1e-30, 1e-22, 1.0, 1e19, 1e30})
    for (const char *epsilon : {"0.0", "1.0e-5"})
      for (bool isLayer : {false, true}) {
        std::vector<double> row;
        for (int k = 1; k <= 32; ++k)
          row.push_back(scale * (k % 2 ? k : -k));
        checkNorm(row, isLayer, epsilon, 1e-5, 1e-5,
                  std::string(isLayer ? "layer" : "rms") + " norm of rows of " +
                      std::to_string(scale) + ", epsilon " + epsilon);
      }
}

TEST(Softmax, DegenerateRows) {
  float inf = std::numeric_limits<float>::infinity();
  float rows[5][3] = {{-inf, -inf, -inf}, {-inf, 3, -inf}, {1e30f, -1e30f, 0}, {inf, 0, 0}, {0, NAN, 0}};
  CompiledKernel forward("zero.kernel @k(%x: tensor<5x3xf32>, %o: tensor<5x3xf32>) -> (tensor<5x3xf32>) {\n"
                         "%y = nn.softmax %x : (tensor<5x3xf32>) -> tensor<5x3xf32>\n"
                         "zero.yield %y : tensor<5x3xf32> }");
  CompiledKernel backward("zero.kernel @k(%d: tensor<5x3xf32>, %y: tensor<5x3xf32>, %o: tensor<5x3xf32>) -> (tensor<5x3xf32>) {\n"
                          "%x = nn.softmax_grad %d, %y : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>\n"
                          "zero.yield %x : tensor<5x3xf32> }");
  Buffer<float> x(15), y(15), dx(15);
  auto dy = Buffer<float>::random(15, 3);
  for (int i = 0; i < 15; ++i)
    x[i] = rows[i / 3][i % 3];
  forward.run({x.data(), y.data()});
  backward.run({dy.data(), y.data(), dx.data()});
  float want[3][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(y[i], want[i / 3][i % 3]) << i;
    EXPECT_TRUE(std::isfinite(dx[i])) << i;
  }
  for (int i = 9; i < 15; ++i)
    EXPECT_TRUE(std::isnan(y[i])) << i;
}

} // namespace
