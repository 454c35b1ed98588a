//===- TileEmitter.h - Products of tiles in thread scratch ------*- C++ -*-===//

#ifndef ZERO_LIB_CONVERSION_KERNELSTOCPU_TILEEMITTER_H
#define ZERO_LIB_CONVERSION_KERNELSTOCPU_TILEEMITTER_H

#include "CpuEvaluator.h"

#include "zero/Conversion/AttentionLayout.h"

namespace zero {

/// The parts that attention and its gradient share. Places in scratch are
/// counted in elements of `type`.
class TileEmitter {
public:
  using Values = KernelEvaluator::Values;

  TileEmitter(KernelEvaluator &e, mlir::Operation *op, mlir::Value q,
              mlir::Value k, mlir::Value keyLengths, mlir::Value segments,
              bool isCausal, bool isGrad);

protected:
  /// A matrix in scratch: element (row, k) stands at base + row * rowStride + k
  /// * kStride.
  struct Left {
    mlir::Value base;
    int64_t rowStride, kStride;
  };

  mlir::Value c(int64_t value) { return e.constant(value); }
  mlir::Value pointer(mlir::Value at, int64_t offset = 0);
  mlir::Value loadLanes(mlir::Value at, int64_t offset = 0);
  mlir::Value loadScalar(mlir::Value at);
  void storeLanes(mlir::Value at, mlir::Value value, int64_t offset = 0);
  void storeScalar(mlir::Value at, mlir::Value value);
  void fill(mlir::Value at, int64_t elements, double value);

  /// C[8 x 32] (+)= A[8 x kEnd] B[kEnd x 32], from kBegin; rows of B are
  /// bStride apart.
  void multiply(Left a, mlir::Value b, int64_t bStride, mlir::Value kBegin,
                mlir::Value kEnd, mlir::Value to, int64_t toStride,
                bool accumulates);
  /// Multiply for every register tile of rows [0, rows) and columns [0,
  /// columns).
  void multiplyTile(
      int64_t rows, int64_t columns,
      llvm::function_ref<void(mlir::Value row, mlir::Value column)> body);

  /// Copies rows [first, last) of `source`, `at(row)` being the point of a row,
  /// to `to`, scaled.
  void packRows(mlir::Value source,
                llvm::function_ref<Point(mlir::Value row)> at,
                mlir::Value first, mlir::Value last, mlir::Value to,
                double scale);
  /// Writes the rows as transposed panels of 32.
  void packTransposed(mlir::Value source,
                      llvm::function_ref<Point(mlir::Value row)> at,
                      int64_t rows, mlir::Value to);
  void transposeLanes(Values &rows);

  /// Keys [0, limit) are those that the query may see, but for segments.
  mlir::Value limitOf(mlir::Value query);
  /// Keys that any of the queries of [query, query + count) may see.
  mlir::Value limitOfBlock(mlir::Value query, int64_t count);
  void readKeyLength(mlir::Value sample);
  /// Which of the 16 keys from `key` on the query sees.
  mlir::Value visible(mlir::Value sample, mlir::Value query, mlir::Value limit,
                      mlir::Value key);

  /// The dropout factors of 16 weights.
  template <typename Op>
  mlir::Value attentionKeepFactor(Op attention, mlir::Value head,
                                  mlir::Value sample, mlir::Value query,
                                  mlir::Value key, double probability) {
    mlir::Value row = e.add(e.mul(head, layout.queries), query);
    Index element{e.add(e.mul(row, layout.keys), key), 1, nullptr};
    return e.keepFactor(attention.getSite(), attention.getRandom(), sample,
                        element, probability, type, attention);
  }

  KernelEvaluator &e;
  mlir::Operation *op;
  AttentionLayout layout;
  mlir::Type type, lanes;
  mlir::Value keyLengths, segments, keyLength;
  bool isCausal;
};

} // namespace zero

#endif // ZERO_LIB_CONVERSION_KERNELSTOCPU_TILEEMITTER_H
