//===- Homes.h - Where each value of a step lives ---------------*- C++ -*-===//
//
// Decides, before anything is written, the bytes in which every tensor of a step
// stands: a slot of a bucket, a persistent buffer, another value's buffer, or a
// fresh one. Walked backwards, a consumer that wants its operand at a place (a slot
// that is reduced, a stored value, the buffer that is accumulated into) hands the
// place to the operation that makes the operand, so that nothing is copied there.
//
//===----------------------------------------------------------------------===//

#ifndef ZERO_LIB_CONVERSION_ZEROTORT_HOMES_H
#define ZERO_LIB_CONVERSION_ZEROTORT_HOMES_H

#include "dialects/Zero/ZeroOps.h"

#include "llvm/ADT/MapVector.h"

namespace zero {

/// Names of the program's outputs, in the order of the step's yield.
inline constexpr llvm::StringLiteral kOutputs[] = {"loss", "weight"};

/// Something that has bytes.
struct Storage {
  enum class Kind { Persistent, Input, Output, Transient };
  Kind kind;
  int64_t bytes;
  BucketOp bucket;       ///< Persistent
  mlir::StringAttr name; ///< Persistent: the bucket's value; Output: its name
  unsigned input = 0;    ///< Input: the argument's number
};

/// Bytes [offset + rank * rankStride, + size) of a storage.
struct Home {
  unsigned storage;
  int64_t offset = 0, rankStride = 0, size = 0;

  bool operator==(const Home &other) const {
    return storage == other.storage && offset == other.offset &&
           rankStride == other.rankStride && size == other.size;
  }
  Home slice(int64_t begin, int64_t bytes) const {
    return {storage, offset + begin, rankStride, bytes};
  }
};

/// Bytes of a static tensor; an i1 takes one byte.
int64_t tensorBytes(mlir::Type type);

/// The operand whose bytes the result of `op` is part of; null if `op` is no view.
mlir::Value viewSource(mlir::Operation *op);

class Homes {
public:
  /// `separateShards`: a reduced shard gets its own buffer, so that the bucket is
  /// free again (stages 2 and 3).
  Homes(StepOp step, int64_t worldSize, bool separateShards);

  mlir::LogicalResult assign();

  /// The home of a value that has one: of every value, once `assign` is through.
  Home of(mlir::Value value) const {
    auto it = homes.find(value);
    if (it == homes.end())
      llvm::report_fatal_error("a value of the step has no home");
    return it->second;
  }
  const Storage &storage(unsigned id) const { return storages[id]; }
  unsigned numStorages() const { return storages.size(); }

  /// The home of a persistent value: all of it, or this rank's shard.
  Home persistent(BucketOp bucket, llvm::StringRef value, int64_t elements);
  /// The bytes of output `name` of the program.
  Home output(llvm::StringRef name, mlir::Type type);
  /// Where slot `index` of a bucket lies in the bucket's bytes.
  Home slot(const Home &whole, BucketOp bucket, unsigned index, mlir::Type type);

private:
  Home fresh(mlir::Type type);
  unsigned addStorage(Storage storage);
  /// The place wanted for `value`, or a fresh one.
  Home wanted(mlir::Value value);
  /// Asks that `value` be made at `home`, if its maker can choose and nobody has
  /// asked before.
  void want(mlir::Value value, const Home &home);
  bool canChoose(mlir::Value value);
  bool isLastUse(mlir::Value value, mlir::Operation *user);
  bool isReadAfter(const Home &home, mlir::Operation *op);
  void visitBackward(mlir::Operation *op);
  void visitTied(mlir::OpResult result, mlir::Value init);
  void visitForward(mlir::Operation *op);
  mlir::LogicalResult checkOperands(mlir::Operation *op);

  StepOp step;
  int64_t worldSize;
  bool separateShards;
  mlir::SymbolTable symbols;
  llvm::SmallVector<Storage> storages;
  llvm::DenseMap<mlir::Value, Home> homes, wants;
  llvm::DenseMap<mlir::Operation *, unsigned> position;
  llvm::MapVector<std::pair<mlir::Operation *, mlir::StringAttr>, unsigned> persistents;
  llvm::DenseMap<mlir::Value, unsigned> lastUse; ///< of a value and its views
  llvm::DenseMap<unsigned, unsigned> lastRead;   ///< of a persistent storage's old bytes
  llvm::MapVector<mlir::StringAttr, unsigned> outputs;
};

} // namespace zero

#endif // ZERO_LIB_CONVERSION_ZEROTORT_HOMES_H
