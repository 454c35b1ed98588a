//===- Permutation.h - A seeded order of samples ----------------*- C++ -*-===//

#ifndef ZERO_DATA_PERMUTATION_H
#define ZERO_DATA_PERMUTATION_H

#include <cstdint>

namespace zero {

/// An endless order of `count` things: each run of `count` indices, an epoch, is a
/// permutation of its own. It is computed, not stored: a Feistel network over the
/// smallest even number of bits that hold `count`, walked until it falls inside
/// (Black and Rogaway 2002, "Ciphers with arbitrary finite domains", method 3).
class Permutation {
public:
  /// `count` is at least 1.
  Permutation(uint64_t count, uint64_t seed);

  /// The thing at `index`, below `count`.
  uint64_t at(uint64_t index) const;

private:
  uint64_t encrypt(uint64_t x, uint64_t epoch) const;

  uint64_t count, seed;
  unsigned halfBits;
};

} // namespace zero

#endif // ZERO_DATA_PERMUTATION_H
