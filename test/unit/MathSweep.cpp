//===- MathSweep.cpp - Math operations over their whole range -------------===//

#include "MathSweep.h"

#include "KernelHarness.h"

#include <cstring>
#include <limits>
#include <map>

namespace zero::test {

using Wide = long double;
struct Reference {
  Wide (*unary)(Wide);
  Wide (*binary)(Wide, Wide);
};

/// 1 / sqrt(x): C99 has none; that of a zero is an infinity of its sign.
static Wide rsqrtl(Wide x) { return 1 / sqrtl(x); }

static const std::map<std::string, Reference> &references() {
  static const std::map<std::string, Reference> table{
      {"exp", {expl, nullptr}},     {"exp2", {exp2l, nullptr}},   {"expm1", {expm1l, nullptr}},
      {"log", {logl, nullptr}},     {"log2", {log2l, nullptr}},   {"log10", {log10l, nullptr}},
      {"log1p", {log1pl, nullptr}}, {"sin", {sinl, nullptr}},     {"cos", {cosl, nullptr}},
      {"tan", {tanl, nullptr}},     {"atan", {atanl, nullptr}},   {"sinh", {sinhl, nullptr}},
      {"cosh", {coshl, nullptr}},   {"tanh", {tanhl, nullptr}},   {"sqrt", {sqrtl, nullptr}},
      {"rsqrt", {rsqrtl, nullptr}}, {"erf", {erfl, nullptr}},     {"absf", {fabsl, nullptr}},
      {"powf", {nullptr, powl}},    {"atan2", {nullptr, atan2l}},
  };
  return table;
}

std::vector<std::string> sweptOperations() {
  std::vector<std::string> names;
  for (const auto &[name, reference] : references())
    names.push_back(name);
  return names;
}

template <typename T> static std::vector<T> specials() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (T x : {T(0), T(1), T(2), T(0.5), T(3), Limits::infinity(), Limits::max(), Limits::min(),
              Limits::denorm_min(), Limits::epsilon(), T(16), T(1e-8), T(139585.67), T(780781),
              T(1e10), T(1e20), T(0.6597), T(1e-40), T(88.72), T(87.5), T(103.5), T(709.7),
              T(745.1), T(1023), T(3.14159265358979), T(1.57079632679489), T(0.785398163397448)}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(Limits::quiet_NaN());
  return values;
}

/// Every exponent, denormals too, with `count` mantissas each, both signs.
template <typename T, typename Bits> static std::vector<T> everyExponent(int count) {
  constexpr int mantissaBits = std::numeric_limits<T>::digits - 1;
  constexpr int exponents = (1 << (sizeof(T) * 8 - 1 - mantissaBits)) - 1;
  std::mt19937_64 random(11);
  std::vector<T> values;
  for (int exponent = 0; exponent < exponents; ++exponent)
    for (int i = 0; i < count; ++i) {
      Bits mantissa = i == 0   ? 0
                      : i == 1 ? (Bits(1) << mantissaBits) - 1
                               : Bits(random()) & ((Bits(1) << mantissaBits) - 1);
      Bits bits = (Bits(exponent) << mantissaBits) | mantissa;
      T value;
      std::memcpy(&value, &bits, sizeof(T));
      values.push_back(value);
      values.push_back(-value);
    }
  return values;
}

template <typename T> static std::vector<T> sample(int count) {
  std::vector<T> values = specials<T>();
  auto rest = sizeof(T) == 4 ? everyExponent<T, uint32_t>(count) : everyExponent<T, uint64_t>(count);
  values.insert(values.end(), rest.begin(), rest.end());
  // Where most is decided, more densely.
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> near(-20, 20), far(-110, 110);
  for (int i = 0; i < 20000; ++i) {
    values.push_back(T(near(random)));
    values.push_back(T(far(random)));
  }
  return values;
}

template <typename T> static std::string textOf(T a, const T *b) {
  char text[96];
  if (b)
    std::snprintf(text, sizeof text, "%.9g, %.9g", double(a), double(*b));
  else
    std::snprintf(text, sizeof text, "%.9g", double(a));
  return text;
}

/// Adds what `got` says of the right value `want`.
template <typename T>
static void judge(SweepResult &result, T got, Wide want, const std::string &where) {
  T rounded = T(want);
  bool isSpecial = std::isnan(rounded) || std::isinf(rounded) || rounded == 0;
  if (isSpecial || std::isnan(got) || std::isinf(got)) {
    bool same = std::isnan(rounded) ? std::isnan(got)
                                    : got == rounded && std::signbit(got) == std::signbit(rounded);
    // Next to the largest number, and next to zero, rounding may go either way.
    T last = std::numeric_limits<T>::max(), first = std::numeric_limits<T>::denorm_min();
    bool isClose = (std::isinf(rounded) && std::fabs(got) == last && !std::isinf(want)) ||
                   (std::isinf(got) && std::fabs(rounded) == last) ||
                   (rounded == 0 && want != 0 && std::fabs(got) <= 4 * first);
    if (same || isClose)
      return;
    if (result.wrongSpecials++ == 0)
      result.firstSpecial = where + " gives " + textOf<T>(got, nullptr);
    return;
  }
  int exponent = std::max(std::ilogb(rounded), std::numeric_limits<T>::min_exponent - 1);
  Wide ulp = std::ldexp(Wide(1), exponent - (std::numeric_limits<T>::digits - 1));
  double error = double(fabsl(Wide(got) - want) / ulp);
  if (error > result.ulps) {
    result.ulps = error;
    result.where = where;
  }
}

template <typename T> SweepResult sweep(const std::string &operation) {
  Reference reference = references().at(operation);
  std::vector<T> a = sample<T>(sizeof(T) == 4 ? 200 : 30), b;
  if (reference.binary) {
    std::vector<T> left, some = specials<T>();
    for (T x : some)
      for (T y : some) {
        left.push_back(x);
        b.push_back(y);
      }
    std::mt19937_64 random(13);
    std::uniform_real_distribution<double> exponent(-30, 30);
    for (T x : a) {
      left.push_back(x);
      b.push_back(operation == "powf" ? T(exponent(random)) : a[random() % a.size()]);
    }
    a = left;
  }
  std::string type = "tensor<" + std::to_string(a.size()) + "xELT>";
  std::string operands = reference.binary ? "%a, %b" : "%a";
  std::string arguments = reference.binary ? "%a: " + type + ", %b: " + type : "%a: " + type;
  CompiledKernel kernel(withType<T>("zero.kernel @k(" + arguments + ", %o: " + type + ") -> (" +
                                    type + ") {\n%0 = math." + operation + " " + operands + " : " +
                                    type + "\nzero.yield %0 : " + type + " }"));
  SweepResult result;
  if (!kernel.isValid()) {
    result.wrongSpecials = 1;
    result.firstSpecial = "does not compile";
    return result;
  }
  Buffer<T> out(a.size());
  std::vector<void *> buffers{a.data()};
  if (reference.binary)
    buffers.push_back(b.data());
  buffers.push_back(out.data());
  kernel.run(buffers);
  for (size_t i = 0; i < a.size(); ++i) {
    const T *second = reference.binary ? &b[i] : nullptr;
    Wide want = second ? reference.binary(a[i], *second) : reference.unary(a[i]);
    judge(result, out[i], want, textOf(a[i], second));
  }
  return result;
}

template SweepResult sweep<float>(const std::string &);
template SweepResult sweep<double>(const std::string &);

} // namespace zero::test
