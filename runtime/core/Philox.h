//===- Philox.h - A counter-based generator ---------------------*- C++ -*-===//

#ifndef ZRT_CORE_PHILOX_H
#define ZRT_CORE_PHILOX_H

#include <array>
#include <cstdint>

namespace zrt {

/// Philox4x32-10 (Salmon et al. 2011, table 2 and figure 2): four words for a counter
/// of four words under a key of two.
inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * counter[0], b = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key[0], uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key[1], uint32_t(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

} // namespace zrt

#endif // ZRT_CORE_PHILOX_H
