//===- Random.h - Counter-based random numbers for feeding ------*- C++ -*-===//

#ifndef ZERO_DATA_RANDOM_H
#define ZERO_DATA_RANDOM_H

#include <cstdint>
#include <initializer_list>

namespace zero {

/// A bijection of 64-bit words whose output bits each depend on all input bits
/// (the finaliser of Steele et al. 2014, "Fast splittable pseudorandom number
/// generators", fig. 14, variant 13).
inline uint64_t mixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// A random word that is a function of `keys` alone.
inline uint64_t randomBits(std::initializer_list<uint64_t> keys) {
  uint64_t state = 0;
  for (uint64_t key : keys)
    state = mixBits((state ^ key) + 0x9e3779b97f4a7c15ull);
  return state;
}

/// `bits` mapped to [0, bound); `bound` must not be 0.
inline uint64_t boundedBits(uint64_t bits, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
}

} // namespace zero

#endif // ZERO_DATA_RANDOM_H
