//===- MatmulLoops.cpp - Products without the library ---------------------===//

#include "cpu/Matmul.h"

#include <cstring>

namespace zrt {

/// Row i of C, columns [nBegin, nEnd): k in ascending order for each element.
template <typename T>
static inline __attribute__((always_inline)) void
multiplyRow(const zrt_matmul_t &mm, const T *a, const T *b, T *c, int64_t nBegin, int64_t nEnd) {
  for (int64_t k = 0; k < mm.k; ++k) {
    T factor = a[k * mm.a_stride_k];
    const T *row = b + k * mm.b_stride_k;
    if (mm.b_stride_n == 1)
      for (int64_t j = nBegin; j < nEnd; ++j)
        c[j] += factor * row[j];
    else
      for (int64_t j = nBegin; j < nEnd; ++j)
        c[j] += factor * row[j * mm.b_stride_n];
  }
}

template <typename T>
static inline __attribute__((always_inline)) void
multiply(const zrt_matmul_t &mm, const ProductPart &part, const ProductOperands &operands) {
  auto *a = reinterpret_cast<const T *>(operands.a), *b = reinterpret_cast<const T *>(operands.b);
  auto *bias = reinterpret_cast<const T *>(operands.bias);
  auto *c = reinterpret_cast<T *>(operands.c);
  for (int64_t batch = part.batchBegin; batch < part.batchEnd; ++batch)
    for (int64_t i = part.mBegin; i < part.mEnd; ++i) {
      T *row = c + batch * mm.c_stride_batch + i * mm.c_stride_m;
      for (int64_t j = part.nBegin; j < part.nEnd; ++j)
        row[j] = (mm.accumulate ? row[j] : T(0)) + (bias ? bias[j] : T(0));
      multiplyRow(mm, a + batch * mm.a_stride_batch + i * mm.a_stride_m,
                  b + batch * mm.b_stride_batch, row, part.nBegin, part.nEnd);
    }
}

__attribute__((target_clones("avx512f", "avx2", "default"))) static void
multiplyF64(const zrt_matmul_t &mm, const ProductPart &part, const ProductOperands &operands) {
  multiply<double>(mm, part, operands);
}

__attribute__((target_clones("avx512f", "avx2", "default"))) static void
multiplyF32(const zrt_matmul_t &mm, const ProductPart &part, const ProductOperands &operands) {
  multiply<float>(mm, part, operands);
}

void multiplyByLoops(const zrt_matmul_t &matmul, const ProductPart &part,
                     const ProductOperands &operands) {
  if (matmul.dtype_c == ZRT_DTYPE_F64)
    multiplyF64(matmul, part, operands);
  else
    multiplyF32(matmul, part, operands);
}

} // namespace zrt
