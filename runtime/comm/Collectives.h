//===- Collectives.h - Sums in the order of the ranks -----------*- C++ -*-===//

#ifndef ZRT_COMM_COLLECTIVES_H
#define ZRT_COMM_COLLECTIVES_H

#include "cpu/ThreadPool.h"

#include <cstdint>
#include <span>

namespace zrt {

/// target[i] = Σ over sources, in their order, of source[i], for elements [begin, end).
/// Adds in f32 (f64 for f64, wrapping integers) and rounds once. `target` may be one of
/// the sources.
void sumInOrder(uint32_t dtype, std::span<const void *const> sources, void *target,
                uint64_t begin, uint64_t end);

/// sumInOrder over [begin, end), cut over the pool.
void sumInOrder(ThreadPool &pool, uint32_t dtype, std::span<const void *const> sources,
                void *target, uint64_t begin, uint64_t end);

/// memcpy, cut over the pool.
void copyBytes(ThreadPool &pool, void *target, const void *source, uint64_t bytes);

} // namespace zrt

#endif // ZRT_COMM_COLLECTIVES_H
