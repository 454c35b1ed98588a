//===- SelectKernelConfig.cpp - Tiles, lanes and threads of kernels -------===//
//
// Strategies, of which the generator of each target has one emitter each:
//   flat            elements in order, 16 at a time
//   rows            row by row; reductions run inside rows
//   columns         reductions over rows, for blocks of 16 columns
//   embedding_grad  adding rows to a table, for blocks of 16 columns
//   attention, attention_grad  tiles of queries and keys, for (sample, head)
//
//===----------------------------------------------------------------------===//

#include "dialects/NN/NNDialect.h"
#include "dialects/NN/NNOps.h"
#include "dialects/Zero/ZeroOps.h"
#include "zero/Conversion/AttentionLayout.h"
#include "zero/Transforms/Passes.h"
#include "zero/Transforms/SelectKernelConfig.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_SELECTKERNELCONFIGPASS
#include "zero/Transforms/Passes.h.inc"

namespace {

constexpr int64_t kLanes = 16;

/// What is chosen for one kernel.
struct Choice {
  StringRef strategy;
  int64_t extent = 0, grain = 1, scratchBytes = 0;
  int64_t rows = 0, columns = 0;         // rows, columns
  int64_t blockRows = 0;                 // columns: rows summed in registers
  int64_t tileQueries = 0, tileKeys = 0; // attention
};

/// Rows and columns that an operation iterates over, and over which it reduces.
struct Sweep {
  int64_t rows, columns;
};
} // namespace

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Sweep lastDimension(Value value) {
  RankedTensorType type = tensorType(value);
  if (type.getRank() == 0)
    return {1, 1};
  return {ShapedType::getNumElements(type.getShape().drop_back()),
          type.getShape().back()};
}

static std::pair<int64_t, int64_t> keptAndReduced(linalg::ReduceOp op) {
  RankedTensorType type = tensorType(op.getInputs().front());
  int64_t kept = 1, reduced = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    (llvm::is_contained(op.getDimensions(), dim) ? reduced : kept) *=
        type.getDimSize(dim);
  return {kept, reduced};
}

/// The rows of an operation that reduces inside rows.
static std::optional<Sweep> rowSweep(Operation *op) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    auto dims = reduce.getDimensions();
    int64_t rank = tensorType(reduce.getInputs().front()).getRank();
    if (!llvm::equal(dims, llvm::seq<int64_t>(rank - dims.size(), rank)))
      return std::nullopt;
    auto [kept, reduced] = keptAndReduced(reduce);
    return Sweep{kept, reduced};
  }
  if (isa<nn::LayerNormOp, nn::RmsNormOp, nn::SoftmaxOp, nn::SoftmaxGradOp>(op))
    return lastDimension(op->getResult(0));
  if (isa<nn::LayerNormGradOp, nn::RmsNormGradOp>(op) &&
      !op->getResult(0).use_empty())
    return lastDimension(op->getResult(0));
  if (auto loss = dyn_cast<nn::CrossEntropyRowsOp>(op))
    return lastDimension(loss.getLogits());
  return std::nullopt;
}

/// The rows and columns of an operation that reduces over rows.
static std::optional<Sweep> columnSweep(Operation *op) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    auto dims = reduce.getDimensions();
    if (!llvm::equal(dims, llvm::seq<int64_t>(0, dims.size())))
      return std::nullopt;
    auto [kept, reduced] = keptAndReduced(reduce);
    return Sweep{reduced, kept};
  }
  if (isa<nn::LayerNormGradOp, nn::RmsNormGradOp>(op))
    return lastDimension(op->getResult(0));
  return std::nullopt;
}

/// True where a value at an index is that of its operands at the same index.
static bool keepsIndex(Operation *op) {
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return true;
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return tensorType(broadcast.getInput()).getNumElements() == 1;
  return isa<linalg::FillOp, tensor::EmptyOp, YieldOp>(op) ||
         isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

static Choice chooseRows(Sweep sweep) {
  Choice choice{"rows"};
  choice.rows = sweep.rows;
  choice.columns = sweep.columns;
  choice.extent = sweep.rows;
  choice.grain =
      std::max<int64_t>(1, 4096 / std::max<int64_t>(1, sweep.columns));
  return choice;
}

static Choice chooseMap(KernelOp kernel) {
  RankedTensorType type = tensorType(kernel.getYield().getOperand(0));
  Sweep sweep = lastDimension(kernel.getYield().getOperand(0));
  bool flat = type.getRank() <= 1 || sweep.columns < kLanes;
  flat |= llvm::all_of(kernel.getBlock(),
                       [](Operation &op) { return keepsIndex(&op); });
  if (!flat)
    return chooseRows(sweep);
  Choice choice{"flat"};
  choice.extent = type.getNumElements();
  choice.grain = 1024;
  return choice;
}

/// Columns are summed in thread scratch, one number each, unless one block of
/// rows is all there is.
static Choice chooseColumns(Operation *op, Sweep sweep) {
  Choice choice{"columns"};
  choice.rows = sweep.rows;
  choice.columns = sweep.columns;
  choice.extent = llvm::divideCeil(sweep.columns, kLanes);
  choice.grain = 4;
  choice.blockRows = 8;
  RankedTensorType type = tensorType(op->getOperand(0));
  int64_t bytes = std::max(4u, type.getElementTypeBitWidth() / 8);
  int64_t sums = isa<nn::LayerNormGradOp>(op) ? 2 : 1;
  if (sweep.rows > choice.blockRows)
    choice.scratchBytes = sums * llvm::alignTo(sweep.columns, kLanes) * bytes;
  return choice;
}

static Choice chooseEmbeddingGrad(nn::EmbeddingGradOp op) {
  Choice choice{"embedding_grad"};
  choice.columns = tensorType(op.getResult()).getDimSize(1);
  choice.rows = tensorType(op.getResult()).getDimSize(0);
  choice.extent = llvm::divideCeil(choice.columns, kLanes);
  choice.grain = 4;
  return choice;
}

static Choice chooseAttention(Value q, Value k, bool isGrad) {
  ArrayRef<int64_t> qShape = tensorType(q).getShape(),
                    kShape = tensorType(k).getShape();
  Choice choice{isGrad ? "attention_grad" : "attention"};
  choice.tileQueries = 64;
  choice.tileKeys = 64;
  AttentionLayout layout{qShape[0],          qShape[1],       kShape[1],
                         qShape[2],          kShape[2],       qShape[3],
                         choice.tileQueries, choice.tileKeys, isGrad};
  bool isDouble = tensorType(q).getElementType().isF64();
  choice.scratchBytes = layout.elements() * (isDouble ? 8 : 4);
  choice.extent = layout.batch * (isGrad ? layout.kvHeads : layout.heads);
  return choice;
}

/// Failure, with a diagnostic, for a kernel that no strategy fits.
static FailureOr<Choice> choose(KernelOp kernel) {
  if (kernel.getYield().getNumOperands() == 0)
    return kernel.emitOpError() << "has no result";
  std::optional<Sweep> rows, columns;
  Operation *columnOp = nullptr;
  for (Operation &op : kernel.getBlock()) {
    if (auto attention = dyn_cast<nn::AttentionOp>(op))
      return chooseAttention(attention.getQ(), attention.getK(), false);
    if (auto attention = dyn_cast<nn::AttentionGradOp>(op))
      return chooseAttention(attention.getQ(), attention.getK(), true);
    if (auto grad = dyn_cast<nn::EmbeddingGradOp>(op))
      return chooseEmbeddingGrad(grad);
    std::optional<Sweep> sweep = rowSweep(&op);
    if (sweep && rows &&
        (sweep->rows != rows->rows || sweep->columns != rows->columns))
      return op.emitOpError()
             << "reduces rows of " << sweep->columns
             << " elements in a kernel with rows of " << rows->columns;
    if (sweep)
      rows = sweep;
    else if (std::optional<Sweep> sweep = columnSweep(&op)) {
      columns = sweep;
      columnOp = &op;
    }
  }
  if (rows)
    return chooseRows(*rows);
  if (columns)
    return chooseColumns(columnOp, *columns);
  return chooseMap(kernel);
}

static DictionaryAttr writeConfig(const Choice &choice, MLIRContext *context) {
  Builder b(context);
  NamedAttrList attrs;
  attrs.set("strategy", b.getStringAttr(choice.strategy));
  attrs.set("extent", b.getI64IntegerAttr(choice.extent));
  attrs.set("grain", b.getI64IntegerAttr(choice.grain));
  attrs.set("thread_scratch_bytes", b.getI64IntegerAttr(choice.scratchBytes));
  auto setIf = [&](StringRef name, int64_t value, bool present) {
    if (present)
      attrs.set(name, b.getI64IntegerAttr(value));
  };
  bool isAttention = choice.tileQueries != 0;
  setIf("rows", choice.rows, !isAttention && choice.strategy != "flat");
  setIf("columns", choice.columns, !isAttention && choice.strategy != "flat");
  setIf("block_rows", choice.blockRows, choice.blockRows != 0);
  setIf("tile_queries", choice.tileQueries, isAttention);
  setIf("tile_keys", choice.tileKeys, isAttention);
  return attrs.getDictionary(context);
}

LogicalResult selectKernelConfig(KernelOp kernel, bool emitErrors) {
  std::optional<ScopedDiagnosticHandler> silence;
  if (!emitErrors)
    silence.emplace(kernel.getContext(), [](Diagnostic &) { return success(); });
  FailureOr<Choice> choice = choose(kernel);
  if (failed(choice))
    return failure();
  kernel.setConfigAttr(writeConfig(*choice, kernel.getContext()));
  return success();
}

namespace {
struct SelectKernelConfigPass
    : impl::SelectKernelConfigPassBase<SelectKernelConfigPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      if (failed(selectKernelConfig(kernel)))
        return signalPassFailure();
  }
};
} // namespace
} // namespace zero
