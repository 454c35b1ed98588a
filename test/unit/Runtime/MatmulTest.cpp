//===- MatmulTest.cpp - Products against a plain reference ----------------===//

#include "cpu/Matmul.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace zrt;

namespace {

template <typename T> constexpr uint32_t kDtype = sizeof(T) == 4 ? ZRT_DTYPE_F32 : ZRT_DTYPE_F64;

zrt_matmul_t product(int64_t batch, int64_t m, int64_t n, int64_t k, uint32_t dtype) {
  return {batch, m, n, k, m * k, k, 1, k * n, n, 1, m * n, n, dtype, dtype, dtype, 0, 0, 1, 0};
}

template <typename T> std::vector<T> randomValues(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  std::vector<T> values(count);
  for (T &value : values)
    value = T(draw(random));
  return values;
}

template <typename T>
std::vector<T> run(zrt_matmul_t mm, const std::vector<T> &a, const std::vector<T> &b,
                   const std::vector<T> &bias, std::vector<T> c) {
  std::unique_ptr<Product> made;
  zrt_status_t *status = Product::create(mm, made);
  if (status) {
    ADD_FAILURE() << zrt_status_message(status);
    zrt_status_destroy(status);
    return c;
  }
  ThreadPool pool;
  pool.start(mm.threads);
  std::vector<std::byte> scratch(made->scratchBytes() + 64);
  auto bytes = [](const auto &v) { return reinterpret_cast<const std::byte *>(v.data()); };
  auto *aligned = reinterpret_cast<std::byte *>(
      (reinterpret_cast<uintptr_t>(scratch.data()) + 63) & ~uintptr_t(63));
  EXPECT_EQ(made->run({bytes(a), bytes(b), mm.has_bias ? bytes(bias) : nullptr,
                       reinterpret_cast<std::byte *>(c.data()), aligned},
                      pool),
            nullptr);
  return c;
}

template <typename T>
void expectNear(const zrt_matmul_t &mm, const std::vector<T> &a, const std::vector<T> &b,
                const std::vector<T> &bias, const std::vector<T> &before,
                const std::vector<T> &got) {
  double bound = (sizeof(T) == 4 ? 1e-5 : 1e-13) * (mm.k + 1);
  for (int64_t x = 0; x < mm.batch; ++x)
    for (int64_t i = 0; i < mm.m; ++i)
      for (int64_t j = 0; j < mm.n; ++j) {
        size_t at = x * mm.c_stride_batch + i * mm.c_stride_m + j;
        double want = (mm.accumulate ? before[at] : 0) + (mm.has_bias ? bias[j] : 0);
        for (int64_t k = 0; k < mm.k; ++k)
          want += double(a[x * mm.a_stride_batch + i * mm.a_stride_m + k * mm.a_stride_k]) *
                  b[x * mm.b_stride_batch + k * mm.b_stride_k + j * mm.b_stride_n];
        ASSERT_NEAR(got[at], want, bound) << x << ", " << i << ", " << j;
      }
}

template <typename T> class Products : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Products, Floats);

TYPED_TEST(Products, everyFormAgainstAReference) {
  using T = TypeParam;
  for (auto [batch, m, n, k] : {std::array<int64_t, 4>{1, 5, 7, 3}, {3, 4, 16, 9}, {1, 1, 1, 1},
                                {1, 200, 130, 70}, {2, 33, 1, 40}, {1, 17, 19, 0}})
    for (unsigned form = 0; form < 32; ++form) {
      zrt_matmul_t mm = product(batch, m, n, k, kDtype<T>);
      if (form & 1)
        std::swap(mm.a_stride_m, mm.a_stride_k), mm.a_stride_k = m;
      if (form & 2)
        std::swap(mm.b_stride_k, mm.b_stride_n), mm.b_stride_n = k;
      if ((form & 1) && k)
        mm.a_stride_m = 1;
      if ((form & 2) && k)
        mm.b_stride_k = 1;
      mm.accumulate = form >> 2 & 1;
      mm.has_bias = form >> 3 & 1;
      mm.threads = 1 + (form >> 4 & 1);
      auto a = randomValues<T>(batch * m * k + 1, form), b = randomValues<T>(batch * k * n + 1, 7),
           bias = randomValues<T>(n, 9), c = randomValues<T>(batch * m * n, 11);
      SCOPED_TRACE("form " + std::to_string(form) + " of m = " + std::to_string(m));
      expectNear(mm, a, b, bias, c, run(mm, a, b, bias, c));
    }
}

/// The sum post-op is multiply, then add: bit for bit.
TEST(ProductBits, accumulatingIsMultiplyThenAdd) {
  zrt_matmul_t mm = product(1, 100, 96, 64, ZRT_DTYPE_F32);
  auto a = randomValues<float>(100 * 64, 1), b = randomValues<float>(64 * 96, 2),
       c = randomValues<float>(100 * 96, 3);
  std::vector<float> alone = run(mm, a, b, {}, std::vector<float>(c.size()));
  mm.accumulate = 1;
  std::vector<float> summed = run(mm, a, b, {}, c);
  for (size_t i = 0; i < c.size(); ++i)
    ASSERT_EQ(summed[i], alone[i] + c[i]) << i;
}

TEST(ProductBits, twoRunsAgree) {
  zrt_matmul_t mm = product(1, 130, 200, 64, ZRT_DTYPE_F32);
  mm.threads = 2;
  auto a = randomValues<float>(130 * 64, 1), b = randomValues<float>(64 * 200, 2);
  std::vector<float> c(130 * 200);
  EXPECT_EQ(run(mm, a, b, {}, c), run(mm, a, b, {}, c));
}

TEST(ProductParts, coverTheProductOnce) {
  for (uint32_t threads : {1, 2, 3, 7})
    for (auto [batch, m, n] : {std::array<int64_t, 3>{1, 1000, 3}, {1, 3, 1000}, {12, 64, 64}, {1, 1, 1}}) {
      zrt_matmul_t mm = product(batch, m, n, 4096, ZRT_DTYPE_F32);
      mm.threads = threads;
      int64_t covered = 0;
      for (const ProductPart &p : cutProduct(mm))
        covered += (p.batchEnd - p.batchBegin) * (p.mEnd - p.mBegin) * (p.nEnd - p.nBegin);
      EXPECT_EQ(covered, batch * m * n);
    }
}

TEST(ProductErrors, halfPrecisionIsUnsupportedHere) {
  zrt_matmul_t mm = product(1, 4, 4, 4, ZRT_DTYPE_I32);
  uint64_t bytes;
  zrt_status_t *status = zrt_matmul_scratch_bytes(&mm, &bytes);
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(zrt_status_code(status), ZRT_STATUS_UNSUPPORTED);
  zrt_status_destroy(status);
}

} // namespace
