//===- AttentionLayout.h - Thread scratch of attention kernels --*- C++ -*-===//
//
// select-kernel-config sizes the scratch and the generator addresses it, both by
// this one description.
//
//===----------------------------------------------------------------------===//

#ifndef ZERO_CONVERSION_ATTENTIONLAYOUT_H
#define ZERO_CONVERSION_ATTENTIONLAYOUT_H

#include "llvm/Support/MathExtras.h"

namespace zero {

/// Sizes of one attention and the places of its panels, in elements of the type it
/// computes in. Queries, keys and channels are padded to whole tiles with zeros.
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

  /// Panels, in order: keys transposed, keys or values by row, ...
  int64_t keysTransposed() const { return 0; }
  int64_t keyPanel() const { return pad(paddedKeys() * paddedChannels(), lanes); }
  int64_t queryPanel() const { return paddedQueries() * paddedChannels(); }
  int64_t valuesByRow() const { return keyPanel(); }
  int64_t probabilities() const { return 2 * keyPanel(); }
  int64_t tile() const { return tileQueries * tileKeys; }

  // Forward: one tile of queries and of the result, with two numbers a row.
  int64_t queryTile() const { return probabilities() + tile(); }
  int64_t resultTile() const { return queryTile() + tileQueries * paddedChannels(); }
  int64_t rowMaximum() const { return resultTile() + tileQueries * paddedChannels(); }
  int64_t rowSum() const { return rowMaximum() + tileQueries; }

  // Backward: values transposed take the place of values by row.
  int64_t valuesTransposed() const { return keyPanel(); }
  int64_t scoreGradients() const { return probabilities() + tile(); }
  int64_t keysByRow() const { return scoreGradients() + tile(); }
  int64_t keyGradients() const { return keysByRow() + keyPanel(); }
  int64_t valueGradients() const { return keyGradients() + keyPanel(); }
  int64_t queriesByRow() const { return valueGradients() + keyPanel(); }
  int64_t resultGradients() const { return queriesByRow() + queryPanel(); }
  int64_t queryGradients() const { return resultGradients() + queryPanel(); }
  int64_t rowDelta() const { return queryGradients() + queryPanel(); }
  int64_t rowLse() const { return rowDelta() + paddedQueries(); }

  int64_t elements() const {
    return isGrad ? rowLse() + paddedQueries() : rowSum() + tileQueries;
  }

  static int64_t pad(int64_t value, int64_t multiple) {
    return llvm::alignTo(std::max<int64_t>(value, 1), multiple);
  }
};

} // namespace zero

#endif // ZERO_CONVERSION_ATTENTIONLAYOUT_H
