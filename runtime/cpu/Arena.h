//===- Arena.h - One block of memory of a rank ------------------*- C++ -*-===//

#ifndef ZRT_CPU_ARENA_H
#define ZRT_CPU_ARENA_H

#include "core/Status.h"

#include <cstddef>
#include <cstdint>

namespace zrt {

/// Zeroed memory, aligned to 2 MiB and on huge pages where it is large.
class Arena {
public:
  Arena() = default;
  Arena(const Arena &) = delete;
  ~Arena();

  /// `name` and `rank` are for the error.
  zrt_status_t *allocate(uint64_t size, const char *name, uint32_t rank);

  std::byte *data() const { return begin; }
  uint64_t size() const { return bytes; }

private:
  std::byte *begin = nullptr;
  uint64_t bytes = 0;
  void *mapping = nullptr;
  uint64_t mapped = 0;
};

} // namespace zrt

#endif // ZRT_CPU_ARENA_H
