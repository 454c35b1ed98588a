//===- Arena.cpp - One block of memory of a rank --------------------------===//

#include "cpu/Arena.h"

#include <sys/mman.h>

namespace zrt {

static constexpr uint64_t kHugePage = uint64_t(2) << 20;

zrt_status_t *Arena::allocate(uint64_t size, const char *name, uint32_t rank) {
  uint64_t want = size + kHugePage;
  void *pages = want < size ? MAP_FAILED
                            : mmap(nullptr, want, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return makeStatus(ZRT_STATUS_OUT_OF_MEMORY,
                      "rank %u can't allocate the %s arena of %llu bytes", rank, name,
                      static_cast<unsigned long long>(size));
  mapping = pages;
  mapped = want;
  auto address = reinterpret_cast<uintptr_t>(pages);
  begin = reinterpret_cast<std::byte *>((address + kHugePage - 1) & ~(kHugePage - 1));
  bytes = size;
  // A hint: without huge pages the arena works all the same.
  if (size >= kHugePage)
    madvise(begin, size, MADV_HUGEPAGE);
  return nullptr;
}

Arena::~Arena() {
  if (mapping)
    munmap(mapping, mapped);
}

} // namespace zrt
