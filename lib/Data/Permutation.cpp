//===- Permutation.cpp - A seeded order of samples ------------------------===//

#include "zero/Data/Permutation.h"

#include "zero/Data/Random.h"

#include <bit>

namespace zero {

Permutation::Permutation(uint64_t count, uint64_t seed)
    : count(count), seed(seed), halfBits((std::bit_width(count - 1) + 1) / 2) {}

/// Four rounds; each exchanges the halves and is undone by running it backwards,
/// whatever the round function, so the whole is a bijection.
uint64_t Permutation::encrypt(uint64_t x, uint64_t epoch) const {
  uint64_t mask = (uint64_t(1) << halfBits) - 1;
  uint64_t left = x >> halfBits, right = x & mask;
  for (uint64_t round = 0; round < 4; ++round) {
    uint64_t next = left ^ (randomBits({seed, epoch, round, right}) & mask);
    left = right;
    right = next;
  }
  return left << halfBits | right;
}

uint64_t Permutation::at(uint64_t index) const {
  uint64_t epoch = index / count, x = index % count;
  // Ends: the walk follows the cycle of x, which holds x itself. The domain is less
  // than four times `count`, so it is short.
  do
    x = encrypt(x, epoch);
  while (x >= count);
  return x;
}

} // namespace zero
