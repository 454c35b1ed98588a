//===- Collectives.cpp - Sums in the order of the ranks -------------------===//

#include "comm/Collectives.h"

#include "core/Image.h"

#include <algorithm>
#include <cstring>

#define ZRT_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))

namespace zrt {

static constexpr uint64_t kBlock = 2048;            // elements; the sums stay in L1
static constexpr uint64_t kPartBytes = 256 * 1024;  // of a copy or a sum, per part

//===----------------------------------------------------------------------===//
// Rounding to the 16-bit types
//===----------------------------------------------------------------------===//

namespace {
struct BFloat16 {
  uint16_t bits;

  static float widen(BFloat16 x) { return __builtin_bit_cast(float, uint32_t(x.bits) << 16); }
  /// To nearest, ties to even; a NaN stays one.
  static BFloat16 round(float x) {
    uint32_t bits = __builtin_bit_cast(uint32_t, x);
    uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    bool isNan = (bits & 0x7fffffff) > 0x7f800000;
    return {uint16_t(isNan ? (bits >> 16) | 0x40 : rounded)};
  }
};
struct Float16 {
  _Float16 value;

  static float widen(Float16 x) { return float(x.value); }
  static Float16 round(float x) { return {_Float16(x)}; }
};
} // namespace

//===----------------------------------------------------------------------===//
// Sums of one block
//===----------------------------------------------------------------------===//

/// For types that are added as they are.
template <typename T>
static inline __attribute__((always_inline)) void
sumBlock(const void *const *sources, size_t count, T *target, uint64_t begin, uint64_t size) {
  T sums[kBlock];
  const T *first = static_cast<const T *>(sources[0]) + begin;
  for (uint64_t i = 0; i < size; ++i)
    sums[i] = first[i];
  for (size_t s = 1; s < count; ++s) {
    const T *source = static_cast<const T *>(sources[s]) + begin;
    for (uint64_t i = 0; i < size; ++i)
      sums[i] += source[i];
  }
  for (uint64_t i = 0; i < size; ++i)
    target[begin + i] = sums[i];
}

template <typename T>
static inline __attribute__((always_inline)) void
sumWideBlock(const void *const *sources, size_t count, T *target, uint64_t begin, uint64_t size) {
  float sums[kBlock];
  const T *first = static_cast<const T *>(sources[0]) + begin;
  for (uint64_t i = 0; i < size; ++i)
    sums[i] = T::widen(first[i]);
  for (size_t s = 1; s < count; ++s) {
    const T *source = static_cast<const T *>(sources[s]) + begin;
    for (uint64_t i = 0; i < size; ++i)
      sums[i] += T::widen(source[i]);
  }
  for (uint64_t i = 0; i < size; ++i)
    target[begin + i] = T::round(sums[i]);
}

ZRT_VECTORISED static void sumF32(const void *const *s, size_t n, void *t, uint64_t b, uint64_t c) {
  sumBlock(s, n, static_cast<float *>(t), b, c);
}
ZRT_VECTORISED static void sumF64(const void *const *s, size_t n, void *t, uint64_t b, uint64_t c) {
  sumBlock(s, n, static_cast<double *>(t), b, c);
}
ZRT_VECTORISED static void sumI32(const void *const *s, size_t n, void *t, uint64_t b, uint64_t c) {
  sumBlock(s, n, static_cast<uint32_t *>(t), b, c);
}
ZRT_VECTORISED static void sumI64(const void *const *s, size_t n, void *t, uint64_t b, uint64_t c) {
  sumBlock(s, n, static_cast<uint64_t *>(t), b, c);
}
static void sumI8(const void *const *s, size_t n, void *t, uint64_t b, uint64_t c) {
  sumBlock(s, n, static_cast<uint8_t *>(t), b, c);
}
ZRT_VECTORISED static void sumBF16(const void *const *s, size_t n, void *t, uint64_t b, uint64_t c) {
  sumWideBlock(s, n, static_cast<BFloat16 *>(t), b, c);
}
static void sumF16(const void *const *s, size_t n, void *t, uint64_t b, uint64_t c) {
  sumWideBlock(s, n, static_cast<Float16 *>(t), b, c);
}

using SumBlock = void (*)(const void *const *, size_t, void *, uint64_t, uint64_t);

static SumBlock sumFor(uint32_t dtype) {
  switch (dtype) {
  case ZRT_DTYPE_F32:
    return sumF32;
  case ZRT_DTYPE_F64:
    return sumF64;
  case ZRT_DTYPE_I32:
    return sumI32;
  case ZRT_DTYPE_I64:
    return sumI64;
  case ZRT_DTYPE_BF16:
    return sumBF16;
  case ZRT_DTYPE_F16:
    return sumF16;
  default:
    return sumI8;
  }
}

//===----------------------------------------------------------------------===//
// Whole buffers
//===----------------------------------------------------------------------===//

void sumInOrder(uint32_t dtype, std::span<const void *const> sources, void *target,
                uint64_t begin, uint64_t end) {
  SumBlock sum = sumFor(dtype);
  for (; begin < end; begin += kBlock)
    sum(sources.data(), sources.size(), target, begin, std::min(kBlock, end - begin));
}

void sumInOrder(ThreadPool &pool, uint32_t dtype, std::span<const void *const> sources,
                void *target, uint64_t begin, uint64_t end) {
  uint64_t step = kPartBytes / elementBytes(dtype);
  uint64_t parts = end > begin ? (end - begin + step - 1) / step : 0;
  pool.forEach(parts, [&](uint64_t part, unsigned) {
    uint64_t from = begin + part * step;
    sumInOrder(dtype, sources, target, from, std::min(end, from + step));
  });
}

void copyBytes(ThreadPool &pool, void *target, const void *source, uint64_t bytes) {
  if (target == source)
    return;
  pool.forEach((bytes + kPartBytes - 1) / kPartBytes, [&](uint64_t part, unsigned) {
    uint64_t from = part * kPartBytes;
    std::memcpy(static_cast<char *>(target) + from, static_cast<const char *>(source) + from,
                std::min(kPartBytes, bytes - from));
  });
}

} // namespace zrt
