//===- KernelsElementwiseTest.cpp - Kernels of elements, views and joins --===//

#include "KernelHarness.h"

#include "gtest/gtest.h"

#include <bit>
#include <functional>
#include <limits>

using namespace zero::test;

namespace {

template <typename T> struct KernelsElementwise : testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(KernelsElementwise, Types);

/// Runs `kernel` on `inputs`, and expects out = want for several cuts of the extent.
template <typename T>
void check(const std::string &text, const std::vector<void *> &inputs,
           const std::vector<double> &want, std::vector<int64_t> scalars = {}) {
  CompiledKernel kernel(withType<T>(text));
  for (int64_t parts : {1, 2, 3}) {
    Buffer<T> out(want.size());
    std::vector<void *> operands = inputs;
    operands.push_back(out.data());
    kernel.run(operands, scalars, parts);
    expectNear(want, out, "out, in " + std::to_string(parts) + " parts");
  }
}

TYPED_TEST(KernelsElementwise, AddsOfAnySize) {
  for (int64_t n : {0, 1, 15, 16, 17, 100, 2049}) {
    std::string N = std::to_string(n);
    auto a = Buffer<TypeParam>::random(n, 1), b = Buffer<TypeParam>::random(n, 2);
    std::vector<double> want;
    for (int64_t i = 0; i < n; ++i)
      want.push_back(double(a[i]) + double(b[i]));
    check<TypeParam>("zero.kernel @k(%a: tensor<" + N + "xELT>, %b: tensor<" + N +
                         "xELT>, %o: tensor<" + N + "xELT>) -> (tensor<" + N + "xELT>) {\n"
                         "%0 = arith.addf %a, %b : tensor<" + N + "xELT>\n"
                         "zero.yield %0 : tensor<" + N + "xELT> }",
                     {a.data(), b.data()}, want);
  }
}

TYPED_TEST(KernelsElementwise, BiasAndGelu) {
  for (int64_t columns : {3, 16, 40, 64}) {
    std::string S = "5x" + std::to_string(columns) + "xELT", C = std::to_string(columns) + "xELT";
    auto x = Buffer<TypeParam>::random(5 * columns, 1, -4, 4);
    auto bias = Buffer<TypeParam>::random(columns, 2);
    std::vector<double> want;
    for (int64_t i = 0; i < 5 * columns; ++i) {
      double v = double(x[i]) + double(bias[i % columns]);
      want.push_back(0.5 * v * (1 + std::erf(v * 0.70710678118654752)));
    }
    check<TypeParam>(
        "zero.kernel @k(%x: tensor<" + S + ">, %b: tensor<" + C + ">, %o: tensor<" + S +
            ">) -> (tensor<" + S + ">) {\n%e = tensor.empty() : tensor<" + S + ">\n"
            "%c = linalg.broadcast ins(%b : tensor<" + C + ">) outs(%e : tensor<" + S +
            ">) dimensions = [0]\n%v = arith.addf %x, %c : tensor<" + S + ">\n"
            "%s = arith.constant dense<0.70710678118654752> : tensor<" + S + ">\n"
            "%h = arith.constant dense<0.5> : tensor<" + S + ">\n"
            "%1 = arith.constant dense<1.0> : tensor<" + S + ">\n"
            "%t = arith.mulf %v, %s : tensor<" + S + ">\n%f = math.erf %t : tensor<" + S + ">\n"
            "%p = arith.addf %f, %1 : tensor<" + S + ">\n%q = arith.mulf %v, %p : tensor<" + S + ">\n"
            "%r = arith.mulf %q, %h : tensor<" + S + ">\nzero.yield %r : tensor<" + S + "> }",
        {x.data(), bias.data()}, want);
  }
}

template <typename T>
void checkFunction(const char *name, double (*function)(double), double low, double high) {
  auto x = Buffer<T>::random(1000, 3, low, high);
  std::vector<double> want;
  for (int64_t i = 0; i < 1000; ++i)
    want.push_back(function(double(x[i])));
  check<T>(std::string("zero.kernel @k(%x: tensor<1000xELT>, %o: tensor<1000xELT>) -> "
                       "(tensor<1000xELT>) {\n%0 = math.") +
               name + " %x : tensor<1000xELT>\nzero.yield %0 : tensor<1000xELT> }",
           {x.data()}, want);
}

TYPED_TEST(KernelsElementwise, Functions) {
  checkFunction<TypeParam>("exp", std::exp, -30, 10);
  checkFunction<TypeParam>("tanh", std::tanh, -6, 6);
  checkFunction<TypeParam>("erf", std::erf, -4, 4);
  checkFunction<TypeParam>("log", std::log, 0.01, 30);
  checkFunction<TypeParam>("sqrt", std::sqrt, 0, 30);
  checkFunction<TypeParam>("rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.1, 30);
  checkFunction<TypeParam>("sin", std::sin, -6, 6);
  checkFunction<TypeParam>("absf", std::fabs, -6, 6);
}

TEST(KernelsElementwise, ExponentialOfExtremes) {
  CompiledKernel kernel("zero.kernel @k(%x: tensor<8xf32>, %o: tensor<8xf32>) -> (tensor<8xf32>) {\n"
                        "%0 = math.exp %x : tensor<8xf32>\nzero.yield %0 : tensor<8xf32> }");
  Buffer<float> x(8), out(8);
  float values[] = {INFINITY, -INFINITY, NAN, 88.7f, 89.5f, -87.f, -200.f, 0.f};
  std::copy(values, values + 8, &x[0]);
  kernel.run({x.data(), out.data()});
  std::vector<double> want{INFINITY, 0, NAN, std::exp(double(88.7f)), INFINITY,
                           std::exp(-87.0), 0, 1};
  for (int i = 0; i < 8; ++i)
    EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(out[i])
                                    : out[i] == want[i] || std::abs(out[i] / want[i] - 1) < 1e-6)
        << values[i] << " gives " << out[i];
}

TEST(KernelsElementwise, ExponentialIsWithinTwoUnitsInTheLastPlace) {
  CompiledKernel kernel("zero.kernel @k(%x: tensor<100000xf32>, %o: tensor<100000xf32>) -> (tensor<100000xf32>) {\n"
                        "%0 = math.exp %x : tensor<100000xf32>\nzero.yield %0 : tensor<100000xf32> }");
  auto x = Buffer<float>::random(100000, 1, -87.2, 88.7);
  Buffer<float> out(100000);
  kernel.run({x.data(), out.data()});
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    float exact = float(std::exp(double(x[i])));
    double unit = std::nextafter(exact, INFINITY) - exact;
    worst = std::max(worst, std::abs(out[i] - std::exp(double(x[i]))) / unit);
  }
  EXPECT_LE(worst, 2.0);
}

TYPED_TEST(KernelsElementwise, TransposesLast) {
  auto x = Buffer<TypeParam>::random(21 * 35, 1);
  std::vector<double> want;
  for (int64_t i = 0; i < 35; ++i)
    for (int64_t j = 0; j < 21; ++j)
      want.push_back(double(x[j * 35 + i]));
  check<TypeParam>("zero.kernel @k(%x: tensor<21x35xELT>, %o: tensor<35x21xELT>) -> (tensor<35x21xELT>) {\n"
                   "%e = tensor.empty() : tensor<35x21xELT>\n"
                   "%0 = linalg.transpose ins(%x : tensor<21x35xELT>) outs(%e : tensor<35x21xELT>) permutation = [1, 0]\n"
                   "zero.yield %0 : tensor<35x21xELT> }",
                   {x.data()}, want);
}

TYPED_TEST(KernelsElementwise, SlicesAndReshapes) {
  // Columns [48, 80) of 6 x 96, seen as 6 x 2 x 16, twice over, plus itself turned.
  auto x = Buffer<TypeParam>::random(6 * 96, 1);
  std::vector<double> want;
  for (int64_t g = 0; g < 2; ++g)
    for (int64_t r = 0; r < 6; ++r)
      for (int64_t d = 0; d < 16; ++d)
        want.push_back(double(x[r * 96 + 48 + g * 16 + d]) * 2);
  check<TypeParam>(
      "zero.kernel @k(%x: tensor<6x96xELT>, %o: tensor<2x6x16xELT>) -> (tensor<2x6x16xELT>) {\n"
      "%s = tensor.extract_slice %x[0, 48] [6, 32] [1, 1] : tensor<6x96xELT> to tensor<6x32xELT>\n"
      "%v = tensor.expand_shape %s [[0], [1, 2]] output_shape [6, 2, 16] : tensor<6x32xELT> into tensor<6x2x16xELT>\n"
      "%e = tensor.empty() : tensor<2x6x16xELT>\n"
      "%t = linalg.transpose ins(%v : tensor<6x2x16xELT>) outs(%e : tensor<2x6x16xELT>) permutation = [1, 0, 2]\n"
      "%0 = arith.addf %t, %t : tensor<2x6x16xELT>\nzero.yield %0 : tensor<2x6x16xELT> }",
      {x.data()}, want);
}

TYPED_TEST(KernelsElementwise, ConcatenatesColumns) {
  auto a = Buffer<TypeParam>::random(7 * 20, 1), b = Buffer<TypeParam>::random(7 * 5, 2);
  std::vector<double> want;
  for (int64_t r = 0; r < 7; ++r)
    for (int64_t c = 0; c < 25; ++c)
      want.push_back(c < 20 ? double(a[r * 20 + c]) : double(b[r * 5 + c - 20]));
  check<TypeParam>("zero.kernel @k(%a: tensor<7x20xELT>, %b: tensor<7x5xELT>, %o: tensor<7x25xELT>) -> (tensor<7x25xELT>) {\n"
                   "%0 = tensor.concat dim(1) %a, %b : (tensor<7x20xELT>, tensor<7x5xELT>) -> tensor<7x25xELT>\n"
                   "zero.yield %0 : tensor<7x25xELT> }",
                   {a.data(), b.data()}, want);
}

TYPED_TEST(KernelsElementwise, InsertsAndPads) {
  auto a = Buffer<TypeParam>::random(3 * 4, 1), b = Buffer<TypeParam>::random(6 * 30, 2);
  std::vector<double> inserted, padded;
  for (int64_t r = 0; r < 6; ++r)
    for (int64_t c = 0; c < 30; ++c) {
      bool inside = r >= 2 && r < 5 && c >= 7 && c < 11;
      inserted.push_back(inside ? double(a[(r - 2) * 4 + c - 7]) : double(b[r * 30 + c]));
      padded.push_back(inside ? double(a[(r - 2) * 4 + c - 7]) : 1.5);
    }
  check<TypeParam>("zero.kernel @k(%a: tensor<3x4xELT>, %b: tensor<6x30xELT>, %o: tensor<6x30xELT>) -> (tensor<6x30xELT>) {\n"
                   "%0 = tensor.insert_slice %a into %b[2, 7] [3, 4] [1, 1] : tensor<3x4xELT> into tensor<6x30xELT>\n"
                   "zero.yield %0 : tensor<6x30xELT> }",
                   {a.data(), b.data()}, inserted);
  check<TypeParam>("zero.kernel @k(%a: tensor<3x4xELT>, %o: tensor<6x30xELT>) -> (tensor<6x30xELT>) {\n"
                   "%c = arith.constant 1.5 : ELT\n"
                   "%0 = tensor.pad %a low[2, 7] high[1, 19] {\n^bb0(%i: index, %j: index):\n"
                   "tensor.yield %c : ELT\n} : tensor<3x4xELT> to tensor<6x30xELT>\n"
                   "zero.yield %0 : tensor<6x30xELT> }",
                   {a.data()}, padded);
}

TYPED_TEST(KernelsElementwise, GathersRowsOfTable) {
  auto table = Buffer<TypeParam>::random(11 * 24, 1);
  Buffer<int32_t> ids(6);
  int32_t numbers[] = {3, 0, 10, 3, 11, -1};
  std::copy(numbers, numbers + 6, &ids[0]);
  std::vector<double> want;
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t c = 0; c < 24; ++c)
      want.push_back(i < 4 ? double(table[numbers[i] * 24 + c]) : NAN);
  check<TypeParam>("zero.kernel @k(%t: tensor<11x24xELT>, %i: tensor<2x3xi32>, %o: tensor<2x3x24xELT>) -> (tensor<2x3x24xELT>) {\n"
                   "%0 = nn.embedding %t, %i : (tensor<11x24xELT>, tensor<2x3xi32>) -> tensor<2x3x24xELT>\n"
                   "zero.yield %0 : tensor<2x3x24xELT> }",
                   {table.data(), ids.data()}, want);
}

TYPED_TEST(KernelsElementwise, ReducesMiddleDimension) {
  auto x = Buffer<TypeParam>::random(3 * 5 * 20, 1);
  std::vector<double> want;
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t c = 0; c < 20; ++c) {
      double sum = 2;
      for (int64_t j = 0; j < 5; ++j)
        sum += double(x[(i * 5 + j) * 20 + c]);
      want.push_back(sum);
    }
  check<TypeParam>("zero.kernel @k(%x: tensor<3x5x20xELT>, %o: tensor<3x20xELT>) -> (tensor<3x20xELT>) {\n"
                   "%c = arith.constant dense<2.0> : tensor<3x20xELT>\n"
                   "%0 = linalg.reduce { arith.addf } ins(%x : tensor<3x5x20xELT>) outs(%c : tensor<3x20xELT>) dimensions = [1]\n"
                   "zero.yield %0 : tensor<3x20xELT> }",
                   {x.data()}, want);
}

TYPED_TEST(KernelsElementwise, RotatesPositions) {
  for (bool inverse : {false, true}) {
    auto x = Buffer<TypeParam>::random(2 * 3 * 2 * 32, 1);
    std::vector<double> want;
    for (int64_t i = 0; i < 12; ++i)
      for (int64_t d = 0; d < 32; ++d) {
        int64_t t = (i / 2) % 3;
        double angle = t * std::pow(100.0, -2.0 * (d % 16) / 32.0) * (inverse ? -1 : 1);
        double a = double(x[i * 32 + d % 16]), b = double(x[i * 32 + d % 16 + 16]);
        want.push_back(d < 16 ? a * std::cos(angle) - b * std::sin(angle)
                              : b * std::cos(angle) + a * std::sin(angle));
      }
    check<TypeParam>(std::string("zero.kernel @k(%x: tensor<2x3x2x32xELT>, %o: tensor<2x3x2x32xELT>) -> (tensor<2x3x2x32xELT>) {\n"
                                 "%0 = nn.rope %x {base = 100.0 : f64") +
                         (inverse ? ", inverse" : "") +
                         "} : (tensor<2x3x2x32xELT>) -> tensor<2x3x2x32xELT>\n"
                         "zero.yield %0 : tensor<2x3x2x32xELT> }",
                     {x.data()}, want);
  }
}

TYPED_TEST(KernelsElementwise, UpdatesInPlaceByParts) {
  // p -= rate * scale * g, m = 0.9 m + g, on any part of the elements.
  std::string text = withType<TypeParam>(
      "zero.kernel @k(%g: tensor<100xELT>, %r: tensor<ELT>, %p: tensor<100xELT>, %m: tensor<100xELT>, %s0: i64, %s1: i64) -> (tensor<100xELT>, tensor<100xELT>) attributes {update} {\n"
      "%d = arith.bitcast %s0 : i64 to f64\n"
      "%e = tensor.empty() : tensor<f64>\n"
      "%f = linalg.fill ins(%d : f64) outs(%e : tensor<f64>) -> tensor<f64>\n"
      "%r64 = CONVERT\n"
      "%q = arith.mulf %r64, %f : tensor<f64>\n%qq = NARROW\n"
      "%em = tensor.empty() : tensor<100xELT>\n"
      "%qb = linalg.broadcast ins(%qq : tensor<ELT>) outs(%em : tensor<100xELT>) dimensions = [0]\n"
      "%c = arith.constant dense<0.9> : tensor<100xELT>\n"
      "%m0 = arith.mulf %m, %c : tensor<100xELT>\n%m1 = arith.addf %m0, %g : tensor<100xELT>\n"
      "%st = arith.mulf %qb, %m1 : tensor<100xELT>\n%p1 = arith.subf %p, %st : tensor<100xELT>\n"
      "zero.yield %p1, %m1 : tensor<100xELT>, tensor<100xELT> }");
  bool isFloat = sizeof(TypeParam) == 4;
  auto replace = [&](std::string from, std::string to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("CONVERT", isFloat ? "arith.extf %r : tensor<f32> to tensor<f64>"
                             : "arith.addf %r, %z : tensor<f64>");
  if (!isFloat)
    text.insert(text.find("%r64"), "%z = arith.constant dense<0.0> : tensor<f64>\n");
  replace("NARROW", isFloat ? "arith.truncf %q : tensor<f64> to tensor<f32>"
                            : "arith.addf %q, %z : tensor<f64>");
  CompiledKernel kernel(text);
  auto g = Buffer<TypeParam>::random(100, 1), p = Buffer<TypeParam>::random(100, 2),
       m = Buffer<TypeParam>::random(100, 3), r = Buffer<TypeParam>(1, 0.25);
  std::vector<double> wantP, wantM;
  for (int64_t i = 0; i < 100; ++i) {
    bool inside = i >= 3 && i < 71;
    wantM.push_back(inside ? 0.9 * double(m[i]) + double(g[i]) : double(m[i]));
    wantP.push_back(inside ? double(p[i]) - 0.25 * 2.0 * wantM.back() : double(p[i]));
  }
  int64_t two = llvm::bit_cast<int64_t>(2.0);
  kernel.runPart({g.data(), r.data(), p.data(), m.data()}, {two, 0}, 3, 20);
  kernel.runPart({g.data(), r.data(), p.data(), m.data()}, {two, 0}, 20, 71);
  expectNear(wantP, p, "p");
  expectNear(wantM, m, "m");
}

uint16_t toBf16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

TEST(KernelsElementwise, Bf16IsComputedInF32) {
  CompiledKernel kernel("zero.kernel @k(%a: tensor<40xbf16>, %b: tensor<40xf32>, %o: tensor<40xbf16>) -> (tensor<40xbf16>) {\n"
                        "%0 = arith.extf %a : tensor<40xbf16> to tensor<40xf32>\n"
                        "%1 = arith.mulf %0, %b : tensor<40xf32>\n"
                        "%2 = arith.truncf %1 : tensor<40xf32> to tensor<40xbf16>\n"
                        "zero.yield %2 : tensor<40xbf16> }");
  auto b = Buffer<float>::random(40, 1);
  Buffer<uint16_t> a(40, 0), out(40, 0);
  for (int i = 0; i < 40; ++i)
    a[i] = toBf16(float(i) * 0.37f);
  kernel.run({a.data(), b.data(), out.data()});
  for (int i = 0; i < 40; ++i) {
    float wide = llvm::bit_cast<float>(uint32_t(a[i]) << 16);
    EXPECT_EQ(out[i], toBf16(wide * b[i])) << i;
  }
}

TYPED_TEST(KernelsElementwise, FillsWithAnInputOfRankZeroRepeated) {
  Buffer<TypeParam> x(1, 2.5);
  check<TypeParam>("zero.kernel @k(%x: tensor<ELT>, %o: tensor<3x17xELT>) -> (tensor<3x17xELT>) {\n"
                   "%e = tensor.empty() : tensor<3x17xELT>\n"
                   "%0 = linalg.broadcast ins(%x : tensor<ELT>) outs(%e : tensor<3x17xELT>) dimensions = [0, 1]\n"
                   "zero.yield %0 : tensor<3x17xELT> }",
                   {x.data()}, std::vector<double>(51, 2.5));
}

TEST(KernelsElementwise, UnknownCombinerIsAnError) {
  std::string error = compileError(
      "zero.kernel @k(%x: tensor<4x8xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>) {\n"
      "%c = arith.constant dense<0.0> : tensor<4xf32>\n"
      "%0 = linalg.reduce { arith.subf } ins(%x : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]\n"
      "zero.yield %0 : tensor<4xf32> }");
  EXPECT_NE(error.find("with this combiner has no generator"), std::string::npos) << error;
}

//===----------------------------------------------------------------------===//
// Integers where the machine has no answer
//===----------------------------------------------------------------------===//

template <typename Int>
void checkIntegers(const char *type, const char *op, std::function<Int(Int, Int)> want) {
  using Limits = std::numeric_limits<Int>;
  std::vector<Int> some{0, 1, 2, 3, 7, -1, -2, -7, Limits::min(), Limits::max()}, left, right;
  // 17 times, so that every lane and the tail see every pair.
  for (int repeat = 0; repeat < 17; ++repeat)
    for (Int a : some)
      for (Int b : some) {
        left.push_back(a);
        right.push_back(b);
      }
  std::string T = "tensor<" + std::to_string(left.size()) + "x" + type + ">";
  CompiledKernel kernel("zero.kernel @k(%a: " + T + ", %b: " + T + ", %o: " + T + ") -> (" + T +
                        ") {\n%0 = arith." + op + " %a, %b : " + T + "\nzero.yield %0 : " + T + " }");
  ASSERT_TRUE(kernel.isValid());
  std::vector<Int> out(left.size());
  kernel.run({left.data(), right.data(), out.data()});
  for (size_t i = 0; i < left.size(); ++i)
    ASSERT_EQ(out[i], want(left[i], right[i])) << op << " of " << int64_t(left[i]) << " and " << int64_t(right[i]);
}

template <typename Int> void checkDivisions(const char *type) {
  using Unsigned = std::make_unsigned_t<Int>;
  using Limits = std::numeric_limits<Int>;
  auto overflows = [](Int a, Int b) { return a == Limits::min() && b == -1; };
  checkIntegers<Int>(type, "divsi", [&](Int a, Int b) { return b == 0 ? Int(-1) : overflows(a, b) ? a : Int(a / b); });
  checkIntegers<Int>(type, "remsi", [&](Int a, Int b) { return b == 0 ? a : overflows(a, b) ? Int(0) : Int(a % b); });
  checkIntegers<Int>(type, "divui", [](Int a, Int b) { return b == 0 ? Int(-1) : Int(Unsigned(a) / Unsigned(b)); });
  checkIntegers<Int>(type, "remui", [](Int a, Int b) { return b == 0 ? a : Int(Unsigned(a) % Unsigned(b)); });
  checkIntegers<Int>(type, "floordivsi", [&](Int a, Int b) {
    if (b == 0 || overflows(a, b))
      return b == 0 ? Int(-1) : a;
    return Int(a / b - (a % b != 0 && (a < 0) != (b < 0)));
  });
  checkIntegers<Int>(type, "ceildivsi", [&](Int a, Int b) {
    if (b == 0 || overflows(a, b))
      return b == 0 ? Int(-1) : a;
    return Int(a / b + (a % b != 0 && (a < 0) == (b < 0)));
  });
  checkIntegers<Int>(type, "ceildivui", [](Int a, Int b) {
    Unsigned x = a, y = b;
    return y == 0 ? Int(-1) : Int(x / y + (x % y != 0));
  });
  const unsigned width = sizeof(Int) * 8;
  checkIntegers<Int>(type, "shli", [=](Int a, Int b) { return Unsigned(b) >= width ? Int(0) : Int(Unsigned(a) << b); });
  checkIntegers<Int>(type, "shrui", [=](Int a, Int b) { return Unsigned(b) >= width ? Int(0) : Int(Unsigned(a) >> b); });
  checkIntegers<Int>(type, "shrsi", [=](Int a, Int b) { return Int(a >> (Unsigned(b) >= width ? width - 1 : b)); });
}

TEST(Integers, DivisionsAndShiftsOfI8) { checkDivisions<int8_t>("i8"); }
TEST(Integers, DivisionsAndShiftsOfI32) { checkDivisions<int32_t>("i32"); }
TEST(Integers, DivisionsAndShiftsOfI64) { checkDivisions<int64_t>("i64"); }

TEST(Integers, FloatsOutOfRangeSaturate) {
  std::vector<float> x{0, 1.9f, -1.9f, 3e9f, -3e9f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, 2147483520.f};
  x.resize(33, -5.5f);
  for (bool isSigned : {true, false}) {
    std::string op = isSigned ? "fptosi" : "fptoui";
    CompiledKernel kernel("zero.kernel @k(%a: tensor<33xf32>, %o: tensor<33xi32>) -> (tensor<33xi32>) {\n%0 = arith." + op +
                          " %a : tensor<33xf32> to tensor<33xi32>\nzero.yield %0 : tensor<33xi32> }");
    ASSERT_TRUE(kernel.isValid());
    std::vector<int32_t> out(33);
    kernel.run({x.data(), out.data()});
    for (size_t i = 0; i < x.size(); ++i) {
      double low = isSigned ? -2147483648.0 : 0, high = isSigned ? 2147483647.0 : 4294967295.0;
      double want = std::isnan(x[i]) ? 0 : std::trunc(std::min(std::max(double(x[i]), low), high));
      EXPECT_EQ(isSigned ? double(out[i]) : double(uint32_t(out[i])), want) << x[i];
    }
  }
}

/// f64 and f32 to 16 bits round once, to nearest even, denormals and overflow included.
TEST(HalfFloats, RoundOnce) {
  std::mt19937_64 random(3);
  std::vector<double> x{0, -0.0, 1 + 0x1p-8, 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-9, 0x1p-133, 0x1.8p-133, 0x1p-134, 3.39e38, 3.4e38, 1e300, INFINITY, NAN};
  for (int i = 0; i < 4000; ++i)
    x.push_back(std::ldexp(1 + double(random() >> 12) * 0x1p-52, int(random() % 280) - 140) * (random() % 2 ? 1 : -1));
  std::string N = std::to_string(x.size());
  CompiledKernel kernel("zero.kernel @k(%a: tensor<" + N + "xf64>, %o: tensor<" + N + "xbf16>) -> (tensor<" + N +
                        "xbf16>) {\n%0 = arith.truncf %a : tensor<" + N + "xf64> to tensor<" + N + "xbf16>\nzero.yield %0 : tensor<" + N + "xbf16> }");
  ASSERT_TRUE(kernel.isValid());
  std::vector<uint16_t> out(x.size());
  kernel.run({x.data(), out.data()});
  for (size_t i = 0; i < x.size(); ++i) {
    float got = std::bit_cast<float>(uint32_t(out[i]) << 16);
    if (std::isnan(x[i])) {
      EXPECT_TRUE(std::isnan(got));
      continue;
    }
    // The neighbours of a bf16 are one step of its bits away.
    auto at = [](int bits) { return double(std::bit_cast<float>(uint32_t(uint16_t(bits)) << 16)); };
    double below = std::fabs(at(out[i] - 1) - x[i]), above = std::fabs(at(out[i] + 1) - x[i]);
    double here = std::fabs(double(got) - x[i]);
    if (std::isinf(got)) {
      EXPECT_GE(std::fabs(x[i]), 0x1.ffp127) << x[i];
    } else if (got != 0) {
      EXPECT_LE(here, below) << x[i];
      EXPECT_LE(here, above) << x[i];
      EXPECT_TRUE((out[i] & 1) == 0 || (here < below && here < above)) << x[i];
    } else {
      EXPECT_LE(std::fabs(x[i]), 0x1p-134) << x[i];
    }
  }
}

} // namespace
