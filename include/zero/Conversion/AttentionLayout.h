//===- AttentionLayout.h - Thread scratch of attention kernels --*- C++ -*-===//
//
// select-kernel-config sizes the scratch and the generator addresses it, both
// by this one description.
//
//===----------------------------------------------------------------------===//

#ifndef ZERO_CONVERSION_ATTENTIONLAYOUT_H
#define ZERO_CONVERSION_ATTENTIONLAYOUT_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace zero {

/// Sizes of one attention and the places of its panels, in elements of the type
/// it computes in. Rows are `paddedChannels` long, padded with zeros;
/// transposed panels hold 32 keys each, channel by channel, so that they are
/// read in order.
struct AttentionLayout {
  static constexpr int64_t lanes = 16;
  static constexpr int64_t microRows = 8;     ///< rows of a register tile
  static constexpr int64_t microColumns = 32; ///< columns of a register tile

  int64_t batch, queries, keys, heads, kvHeads, channels;
  int64_t tileQueries, tileKeys;
  bool isGrad;

  int64_t paddedQueries() const { return pad(queries, tileQueries); }
  int64_t paddedKeys() const { return pad(keys, tileKeys); }
  int64_t paddedChannels() const { return pad(channels, microColumns); }
  int64_t tile() const { return tileQueries * tileKeys; }
  int64_t keyRows() const { return paddedKeys() * paddedChannels(); }
  int64_t queryRows() const { return paddedQueries() * paddedChannels(); }
  int64_t tileRows() const { return tileQueries * paddedChannels(); }

  // Both directions.
  int64_t keysTransposed() const { return 0; }
  int64_t values() const {
    return keyRows();
  } ///< by row; transposed for gradients
  int64_t probabilities() const { return 2 * keyRows(); }

  // Forward: a tile of queries and of the result; maximum and sums of each row.
  int64_t queryTile() const { return probabilities() + tile(); }
  int64_t resultTile() const { return queryTile() + tileRows(); }
  int64_t rowMaximum() const { return resultTile() + tileRows(); }
  int64_t rowSums() const { return rowMaximum() + tileQueries * lanes; }

  // Backward.
  int64_t scoreGradients() const { return probabilities() + tile(); }
  int64_t keysByRow() const { return scoreGradients() + tile(); }
  int64_t keyGradients() const { return keysByRow() + keyRows(); }
  int64_t valueGradients() const { return keyGradients() + keyRows(); }
  int64_t queriesByRow() const { return valueGradients() + keyRows(); }
  int64_t resultGradients() const { return queriesByRow() + queryRows(); }
  int64_t queryGradients() const { return resultGradients() + queryRows(); }
  int64_t rowDelta() const { return queryGradients() + queryRows(); }
  int64_t rowLse() const { return rowDelta() + paddedQueries(); }

  int64_t elements() const {
    return isGrad ? rowLse() + paddedQueries()
                  : rowSums() + tileQueries * lanes;
  }

  static int64_t pad(int64_t value, int64_t multiple) {
    return llvm::alignTo(std::max<int64_t>(value, 1), multiple);
  }
};

} // namespace zero

#endif // ZERO_CONVERSION_ATTENTIONLAYOUT_H
