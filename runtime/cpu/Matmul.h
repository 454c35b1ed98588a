//===- Matmul.h - Matrix products of one rank -------------------*- C++ -*-===//

#ifndef ZRT_CPU_MATMUL_H
#define ZRT_CPU_MATMUL_H

#include "core/Status.h"
#include "cpu/ThreadPool.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace zrt {

/// The part of a product that one thread computes: rows, columns and batches.
struct ProductPart {
  int64_t batchBegin, batchEnd, mBegin, mEnd, nBegin, nEnd;
};

/// Cuts a product over its threads: over the batch, else over the longer of m and n, at
/// multiples of 16. A function of sizes and threads alone.
std::vector<ProductPart> cutProduct(const zrt_matmul_t &matmul);

/// Where the operands of a product are.
struct ProductOperands {
  const std::byte *a, *b, *bias;
  std::byte *c, *scratch;
};

/// One product, made ready: primitives of the library, one per part.
class Product {
public:
  static zrt_status_t *create(const zrt_matmul_t &matmul, std::unique_ptr<Product> &out);
  virtual ~Product() = default;
  virtual zrt_status_t *run(const ProductOperands &operands, ThreadPool &pool) = 0;
  virtual uint64_t scratchBytes() const = 0;
};

/// f64, which only tests use; and every product over nothing (k = 0).
void multiplyByLoops(const zrt_matmul_t &matmul, const ProductPart &part,
                     const ProductOperands &operands);

} // namespace zrt

#endif // ZRT_CPU_MATMUL_H
