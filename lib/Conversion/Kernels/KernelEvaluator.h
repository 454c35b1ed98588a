//===- KernelEvaluator.h - Values of a kernel's body at an index -*- C++ -*-===//
//
// A kernel is emitted without bufferization: the value of a tensor of the body
// at an index is evaluated when it is needed, on all lanes at a time or, where
// the index is the same for all lanes, as one scalar. Views are maps of
// indices. What this knows holds on every target; a target adds how many lanes
// there are, how they loop, load, store and are combined.
//
// Code is placed in the outermost loop that defines what it uses, so that
// values of a row are made once a row: generated loops are written in their
// final form.
//
//===----------------------------------------------------------------------===//

#ifndef ZERO_LIB_CONVERSION_KERNELS_KERNELEVALUATOR_H
#define ZERO_LIB_CONVERSION_KERNELS_KERNELEVALUATOR_H

#include "dialects/NN/NNOps.h"
#include "dialects/Zero/ZeroOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

#include <map>

namespace zero {

/// Columns of a kernel of columns that one unit of its extent stands for.
constexpr int64_t kColumnsPerUnit = 16;

inline mlir::RankedTensorType typeOf(mlir::Value tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.getType());
}

/// The index of a dimension on all lanes: base + stride * lane or, where that
/// can't express it, `lanes`, a vector of i64.
struct Index {
  mlir::Value base;
  int64_t stride = 0;
  mlir::Value lanes;

  bool isUniform() const { return stride == 0 && !lanes; }
};

/// One index per dimension. A point with one index, for a tensor whose rank is
/// not 1, is linear: the position of the element in row-major order.
using Point = llvm::SmallVector<Index, 4>;

/// What a reduction does with an element. Maximum and Minimum keep a NaN; Max
/// and Min, which are cheaper, may lose one.
enum class Combine { Add, Mul, Max, Min, Maximum, Minimum };

/// An element of a running reduction.
struct Term {
  Combine combine;
  mlir::Value value;
};

class KernelEvaluator {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using LoopBody =
      llvm::function_ref<Values(mlir::Value iv, mlir::ValueRange carried)>;
  using VectorBody =
      llvm::function_ref<Values(Index column, mlir::ValueRange carried)>;

  /// Emits the kernel by the strategy of its config. Failure comes with a
  /// diagnostic.
  llvm::LogicalResult emit();

protected:
  /// Emits into the body of `function`, which is empty, on vectors of
  /// `laneCount` elements, a power of two. The target sets `begin` and `end`, the
  /// part of the parallel extent that is asked for, and `scratch`, if it has some.
  KernelEvaluator(KernelOp kernel, mlir::LLVM::LLVMFuncOp function,
                  int64_t laneCount);
  virtual ~KernelEvaluator() = default;

public: // to the generators of a target
  //===-- What a target adds ---------------------------------------------===//
  virtual mlir::Value operandPointer(unsigned operand) = 0;
  /// Pointer-sized integer `number` of the kernel's scalars.
  virtual mlir::Value scalarOperand(unsigned number) = 0;
  /// What the address of `at`, counted in elements, is known to be a multiple of.
  virtual unsigned alignmentOf(mlir::Type element, Index at) = 0;
  /// Runs `body` for the vectors of [begin, end) that this worker takes, those of
  /// a row or all of the kernel's, the rest of the last one under a mask.
  virtual Values vectorLoop(mlir::Value begin, mlir::Value end,
                            mlir::ValueRange init, VectorBody body) = 0;
  /// Runs `body` for the rows of the kernel that this worker takes.
  virtual void rowLoop(llvm::function_ref<void(Index row)> body) = 0;
  /// The reduction of what the workers of a row have found, on all of them.
  virtual mlir::Value combineWorkers(Combine how, mlir::Value value) = 0;
  /// `body`, which stores a number of a row, on one worker of the row.
  virtual void storeOnce(llvm::function_ref<void()> body) = 0;
  /// Vectors of a row that one worker reduces side by side: 1 or 4.
  virtual int64_t vectorsSideBySide() = 0;
  /// A strategy with a generator of the target's own; failure if it has none.
  virtual llvm::LogicalResult emitOwn(llvm::StringRef strategy) = 0;

  //===-- Strategies ------------------------------------------------------===//
  void emitFlat();
  void emitRows();
  void emitColumns();
  void emitEmbeddingGrad();
  mlir::Value rowsToCopy(nn::EmbeddingGradOp op);
  std::pair<mlir::Value, mlir::Value> columnRange(int64_t columns);
  int64_t config(llvm::StringRef name);

  //===-- Loops.cpp, Integers.cpp: places, loops and integers
  //--------------------------===//
  /// The depth of the loop in which `value` is defined.
  unsigned levelOf(mlir::Value value);
  /// Places what is emitted next after the definitions of `values`.
  void placeAfter(mlir::ValueRange values);
  void placeHere();
  mlir::Value remember(const std::vector<uintptr_t> &key, mlir::Value value);
  mlir::Value recall(const std::vector<uintptr_t> &key);

  Values forLoop(mlir::Value begin, mlir::Value end, int64_t step,
                 mlir::ValueRange init, LoopBody body);
  /// A loop whose step is known when it runs; its variable is a multiple of
  /// `divisor`.
  Values stridedLoop(mlir::Value begin, mlir::Value end, mlir::Value stride,
                     int64_t divisor, mlir::ValueRange init, LoopBody body);
  void ifThen(mlir::Value condition, llvm::function_ref<void()> body);
  /// `body` for the last `count` elements, fewer than the lanes, from `base` on,
  /// under a mask.
  Values emitTail(mlir::Value base, mlir::Value count, mlir::ValueRange values,
                  VectorBody body);

  mlir::Value constant(int64_t value);
  mlir::Value constant(mlir::Type type, double value);
  mlir::Value integerConstant(mlir::Type type, const llvm::APInt &value);
  template <typename Op> mlir::Value binary(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value div(mlir::Value a, int64_t b);
  mlir::Value rem(mlir::Value a, int64_t b);
  mlir::Value minimum(mlir::Value a, mlir::Value b);
  /// A number that divides `value`.
  int64_t divisorOf(mlir::Value value);

  //===-- Arithmetic on scalars and lanes
  //----------------------------------===//
  bool isVector(mlir::Value v) {
    return llvm::isa<mlir::VectorType>(v.getType());
  }
  mlir::Type lanesOf(mlir::Type element);
  /// Repeats a scalar on all lanes.
  mlir::Value splat(mlir::Value value);
  template <typename Op> mlir::Value arith(mlir::Value a, mlir::Value b);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value compareFloat(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                           mlir::Value b);
  mlir::Value compareInt(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                         mlir::Value b);
  /// `isNegative`: x is known to be at most 0, or so little above as rounding
  /// makes it.
  mlir::Value exp(mlir::Value x, bool isNegative = false);
  mlir::Value log(mlir::Value x);
  mlir::Value rsqrt(mlir::Value x);
  mlir::Value combine(Combine how, mlir::Value a, mlir::Value b);
  mlir::Value identity(Combine how, mlir::Type type);
  /// The reduction of all lanes, by a tree.
  mlir::Value combineLanes(Combine how, mlir::Value lanes);
  /// `a` narrowed to the current mask: other lanes take `other`.
  mlir::Value underMask(mlir::Value a, mlir::Value other);
  mlir::Value both(mlir::Value maskA, mlir::Value maskB);

  //===-- IndexMaps.cpp
  //----------------------------------------------------===//
  Index uniform(mlir::Value base) { return {base, 0, nullptr}; }
  Index plus(Index a, Index b);
  Index plus(Index a, int64_t b);
  Index times(Index a, int64_t b);
  std::pair<Index, Index> divideAndRemainder(Index a, int64_t b);
  mlir::Value asLanes(Index a);
  Point delinearise(Index linear, llvm::ArrayRef<int64_t> shape);
  Index linearise(llvm::ArrayRef<Index> point, llvm::ArrayRef<int64_t> shape);
  /// `point` with one index per dimension of `type`.
  Point spread(llvm::ArrayRef<Index> point, mlir::RankedTensorType type);
  /// The point of (row, column) in a tensor whose trailing dimensions hold
  /// `columns` elements; one with as many elements as rows is uniform in the
  /// column.
  Point pointOf(llvm::ArrayRef<int64_t> shape, Index row, Index column,
                int64_t columns);
  /// The point of the operand of a view that its result's `point` shows.
  Point through(mlir::Operation *view, llvm::ArrayRef<Index> point);
  /// i1 per lane (or one): begin <= index < begin + size.
  mlir::Value isInside(Index index, int64_t begin, int64_t size);
  mlir::Value isEqual(Index index, mlir::Value scalar);

  //===-- Memory
  //-----------------------------------------------------------===//
  mlir::Value load(mlir::Value pointer, mlir::Type element, Index at,
                   bool mayMove);
  void store(mlir::Value pointer, mlir::Type element, Index at,
             mlir::Value value);
  mlir::Value address(mlir::Value pointer, mlir::Type element, mlir::Value at);
  /// Of an element in memory.
  static unsigned bytesOf(mlir::Type element);
  /// Between the type in memory and the one that is computed with.
  mlir::Type computeType(mlir::Type element);
  mlir::Value widen(mlir::Value value, mlir::Type element);
  mlir::Value narrow(mlir::Value value, mlir::Type element);
  /// An f64 as the f32 that rounds on to a 16-bit float as the f64 would.
  mlir::Value roundToOdd(mlir::Value value);
  /// f32 to bf16, to nearest even, denormals as they are.
  mlir::Value roundToBF16(mlir::Value value);

  //===-- Elementwise.cpp: values of the body
  //------------------------------===//
  /// The value of `tensor` at `point`, under the current mask.
  mlir::Value eval(mlir::Value tensor, llvm::ArrayRef<Index> point);
  /// As eval, but long chains of elementwise operations are evaluated in block
  /// order, not by recursion.
  mlir::Value evalInOrder(mlir::Value tensor, llvm::ArrayRef<Index> point);
  mlir::Value evaluate(mlir::Value tensor, llvm::ArrayRef<Index> point);
  mlir::Value evalScalar(mlir::Value scalar);
  mlir::Value evalArgument(mlir::BlockArgument argument,
                           llvm::ArrayRef<Index> point);
  mlir::Value evalConstant(mlir::arith::ConstantOp op,
                           llvm::ArrayRef<Index> point);
  mlir::Value evalTable(mlir::arith::ConstantOp op,
                        mlir::DenseElementsAttr elements,
                        llvm::ArrayRef<Index> point);
  mlir::Value tablePointer(mlir::DenseElementsAttr elements);
  mlir::Value evalElementwise(mlir::Operation *op, mlir::ValueRange operands);
  /// DefinedIntegers.cpp: operations with undefined cases; null for others.
  mlir::Value evalDefined(mlir::Operation *op, mlir::ValueRange operands,
                          mlir::Type type);
  mlir::Value divideDefined(mlir::Operation *op, mlir::Value a, mlir::Value c);
  mlir::Value shiftDefined(mlir::Operation *op, mlir::Value a,
                           mlir::Value amount);
  mlir::Value convertDefined(mlir::Operation *op, mlir::Value x,
                             mlir::Type type);
  mlir::Value evalConcat(mlir::tensor::ConcatOp op, Point point);
  mlir::Value evalPad(mlir::tensor::PadOp op, Point point);
  mlir::Value evalInsertSlice(mlir::tensor::InsertSliceOp op, Point point);
  mlir::Value evalReduce(mlir::linalg::ReduceOp op, Point point);
  /// `tensor` at `point`, which lies inside it only where `inside` holds.
  mlir::Value evalWhere(mlir::Value inside, mlir::Value tensor, Point point,
                        mlir::Value otherwise);
  mlir::Value fail(mlir::Operation *op, const llvm::Twine &message,
                   mlir::Type element);
  std::optional<Combine> combinerOf(mlir::linalg::ReduceOp op);

  //===-- NN operations
  //----------------------------------------------------===//
  mlir::Value evalNN(mlir::OpResult result, Point point);
  mlir::Value evalEmbedding(nn::EmbeddingOp op, Point point);
  mlir::Value evalCrossEntropyGrad(nn::CrossEntropyGradOp op, Point point);
  mlir::Value evalDropout(nn::DropoutOp op, Point point);
  mlir::Value evalRope(nn::RopeOp op, Point point);
  /// 1 / (1 - probability) where an element is kept, else 0.
  mlir::Value keepFactor(mlir::Value site, mlir::Value random,
                         mlir::Value sample, Index element, double probability,
                         mlir::Type type, mlir::Operation *op);
  mlir::Value low32(mlir::Value value);
  std::array<mlir::Value, 4> randomWords(mlir::Value site, mlir::Value random,
                                         mlir::Value sample, mlir::Value block);
  std::pair<mlir::Value, mlir::Value> multiplyWide(mlir::Value x,
                                                   int64_t factor);
  std::array<mlir::Value, 4> philox(std::array<mlir::Value, 4> counter,
                                    std::array<mlir::Value, 2> key);
  mlir::Value toIndex(mlir::Value integer);
  /// The label of a row and whether it counts.
  std::pair<mlir::Value, mlir::Value> label(mlir::Value labels, Index row,
                                            int64_t ignored);

  //===-- RowOps.cpp: reductions inside rows, in stages
  //----------------------===//
  struct RowOp {
    mlir::Operation *op;
    unsigned firstLevel = 0;
    bool isDone = false;
    Values scalars; ///< what the stages so far have found for the current row
    mlir::Value scale; ///< norms: a power of two that keeps squares in range
  };
  static unsigned stagesOf(mlir::Operation *op);
  bool isRowOp(mlir::Operation *op);
  mlir::Value rowInput(mlir::Operation *op);
  llvm::SmallVector<Term> rowTerms(RowOp &row, unsigned stage, Point point);
  void finishStage(RowOp &row, unsigned stage, mlir::ValueRange totals,
                   Index rowIndex);
  void finishCrossEntropy(RowOp &row, mlir::Value sum, Index rowIndex);
  mlir::Value evalRowResult(mlir::OpResult result, Point point);
  mlir::Value evalSoftmax(RowOp &row, Point point);
  mlir::Value evalNorm(RowOp &row, Point point);
  mlir::Value evalNormGrad(RowOp &row, Point point);
  /// True where `point` lies in the row that was reduced last.
  bool isInCurrentRow(mlir::OpResult result, llvm::ArrayRef<Index> point);
  void orderRowOps();
  void reduceLevel(unsigned level, Index row);
  /// How the terms of a stage are combined, one each.
  llvm::SmallVector<Combine> stageCombines(mlir::Operation *op, unsigned stage);
  using Stage =
      std::pair<unsigned, unsigned>; ///< a row operation, one of its stages
  llvm::SmallVector<Term> levelTerms(llvm::ArrayRef<Stage> stages,
                                     Index column);
  Values accumulate(llvm::ArrayRef<Stage> stages, unsigned level, Index column,
                    mlir::ValueRange carried, int64_t copies);
  void finishLevel(llvm::ArrayRef<Stage> stages,
                   llvm::ArrayRef<Combine> combines, mlir::ValueRange running);
  mlir::Value joinCopies(Combine how, mlir::ValueRange running, unsigned first,
                         unsigned step);
  void
  findEarlyResults(const llvm::DenseMap<mlir::Operation *, unsigned> &ready);
  void storeEarly(unsigned level, Index row, Index column);
  bool isFullRow(mlir::Value result);
  void storeColumnsOfRow(Index row, Index column);
  void storeRow(Index row);
  mlir::Value mean(mlir::Value sum, int64_t count);
  /// The power of two that brings the largest magnitude of a row to [1, 2), as far as
  /// squares and `epsilon` times its square stay finite.
  mlir::Value scaleOf(mlir::Value largest, double epsilon);
  mlir::Value abs(mlir::Value x);
  /// x of a norm or its gradient, less the row's first element for nn.layer_norm.
  mlir::Value shifted(mlir::Operation *op, Point point);
  mlir::Value normalised(mlir::Operation *op, Point point);

  //===-- Columns
  //------------------------------------------------------------===//
  llvm::SmallVector<Term> columnTerms(mlir::Operation *op, Point point);
  mlir::Operation *columnOp();
  void sumBlocksOfRows(mlir::Operation *op, Combine how, mlir::ValueRange start,
                       mlir::Value first, mlir::Value last);
  /// Adds rows [first, last) of the terms to `running`.
  Values reduceRows(mlir::Operation *op, mlir::Value first, mlir::Value last,
                    Index column, mlir::ValueRange running);
  void storeColumns(mlir::Operation *op, Index column, mlir::ValueRange totals);

  std::optional<Point> forward(mlir::Operation *view, mlir::OpOperand &use,
                               Point point);
  /// Stores `value`, which `result` has at `point`, wherever the kernel yields
  /// it.
  void storeEverywhere(mlir::Value result, Point point, mlir::Value value);
  void storeOut(unsigned out, llvm::ArrayRef<Index> point, mlir::Value value);

  struct Scope {
    mlir::Block *block;
    mlir::Operation *owner; ///< the loop whose body this is
    std::map<std::vector<uintptr_t>, mlir::Value> memo;
  };

  const int64_t laneCount;
  KernelOp kernel;
  mlir::LLVM::LLVMFuncOp function;
  mlir::Location loc;
  mlir::OpBuilder b;
  llvm::SmallVector<Scope> scopes;
  mlir::Value mask; ///< null: all lanes
  mlir::Value begin, end, scratch;
  llvm::DenseMap<mlir::Value, int64_t> divisors; ///< of induction variables
  llvm::SmallVector<RowOp, 0> rowOps;
  llvm::DenseMap<mlir::Operation *, unsigned> rowOpOf;
  /// Full rows that an earlier phase has stored in an out.
  llvm::DenseMap<mlir::Value, unsigned> storedRows;
  llvm::SmallVector<std::pair<unsigned, unsigned>> earlyResults; ///< out, level
  llvm::DenseSet<unsigned> usedOuts;
  int64_t rowColumns = 0;
  Index currentRow; ///< of a kernel of rows
  unsigned numTables = 0;
  bool failed = false;
};

template <typename Op>
mlir::Value KernelEvaluator::binary(mlir::Value a, mlir::Value c) {
  std::vector<uintptr_t> key{
      uintptr_t(mlir::TypeID::get<Op>().getAsOpaquePointer()),
      uintptr_t(a.getAsOpaquePointer()), uintptr_t(c.getAsOpaquePointer())};
  if (mlir::Value known = recall(key))
    return known;
  placeAfter({a, c});
  return remember(key, b.createOrFold<Op>(loc, a, c));
}

template <typename Op>
mlir::Value KernelEvaluator::arith(mlir::Value a, mlir::Value c) {
  if (isVector(a) != isVector(c)) {
    a = splat(a);
    c = splat(c);
  }
  return binary<Op>(a, c);
}

} // namespace zero

#endif // ZERO_LIB_CONVERSION_KERNELS_KERNELEVALUATOR_H
