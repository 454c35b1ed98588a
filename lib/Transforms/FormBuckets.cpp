//===- FormBuckets.cpp - Pack parameters into buckets ---------------------===//

#include "zero/Transforms/Passes.h"

#include "dialects/Zero/ZeroOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_FORMBUCKETSPASS
#include "zero/Transforms/Passes.h.inc"

namespace {
/// What parameters of one bucket have in common.
struct BucketKey {
  Type elementType;
  bool frozen;
  unsigned block; ///< of the model, by first use

  bool operator<(const BucketKey &o) const {
    return std::make_tuple(block, frozen, elementType.getAsOpaquePointer()) <
           std::make_tuple(o.block, o.frozen, o.elementType.getAsOpaquePointer());
  }
};

using Parameters = SmallVector<ParameterOp>;

/// Parameters in order of first use, each with the block of the model it is used in.
class FirstUses {
public:
  explicit FirstUses(ModuleOp module) : symbols(module) {
    for (auto step : module.getOps<StepOp>())
      scan(step);
    for (auto parameter : module.getOps<ParameterOp>())
      blocks.insert({parameter, numBlocks});
  }

  llvm::MapVector<ParameterOp, unsigned> blocks;

private:
  void scan(StepOp step) {
    unsigned block = 0;
    for (Operation &op : step.getBody().front()) {
      if (isa<BlockBoundaryOp>(op)) {
        ++block;
        continue;
      }
      for (Value operand : op.getOperands())
        if (auto read = operand.getDefiningOp<ReadOp>())
          if (auto parameter = resolve(read))
            blocks.insert({parameter, block});
    }
    numBlocks = std::max(numBlocks, block);
  }

  ParameterOp resolve(ReadOp read) {
    Operation *op = symbols.lookup(read.getParameter());
    if (auto alias = dyn_cast_or_null<AliasOp>(op))
      op = symbols.lookup(alias.getTarget());
    return dyn_cast_or_null<ParameterOp>(op);
  }

  SymbolTable symbols;
  unsigned numBlocks = 0;
};
} // namespace

/// Slots start at multiples of `align` elements; shards too.
static BucketOp buildBucket(OpBuilder &builder, StringRef name, ArrayRef<ParameterOp> parameters,
                            int64_t worldSize, int64_t alignBytes) {
  ParameterOp first = parameters.front();
  Type elementType = first.getTensorType().getElementType();
  int64_t elementBytes = llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  int64_t align = std::max<int64_t>(1, alignBytes / elementBytes);
  SmallVector<Attribute> names;
  SmallVector<int64_t> offsets;
  int64_t end = 0, real = 0;
  for (ParameterOp parameter : parameters) {
    names.push_back(FlatSymbolRefAttr::get(parameter.getSymNameAttr()));
    offsets.push_back(llvm::alignTo(end, align));
    end = offsets.back() + parameter.getTensorType().getNumElements();
    real += parameter.getTensorType().getNumElements();
  }
  int64_t shard = llvm::alignTo(llvm::divideCeil(end, worldSize), align);
  return BucketOp::create(builder, first.getLoc(), name, builder.getArrayAttr(names), offsets, real,
                          shard, elementType, !first.getFrozen(), /*whole=*/false,
                          builder.getStrArrayAttr({}));
}

namespace {
struct FormBucketsPass : impl::FormBucketsPassBase<FormBucketsPass> {
  using FormBucketsPassBase::FormBucketsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (worldSize < 1 || alignBytes < 1 || !llvm::isPowerOf2_64(alignBytes)) {
      module.emitError() << "world-size is " << int64_t(worldSize) << " and align-bytes " << int64_t(alignBytes)
                         << "; want at least one rank, and a power of two";
      return signalPassFailure();
    }
    // Insertion order is order of first use, so no pointer decides anything.
    SmallVector<std::pair<BucketKey, Parameters>> buckets;
    std::map<BucketKey, size_t> index;
    FirstUses uses(module);
    for (auto [parameter, block] : uses.blocks) {
      BucketKey key{parameter.getTensorType().getElementType(), parameter.getFrozen(), block};
      auto [it, isNew] = index.insert({key, buckets.size()});
      if (isNew)
        buckets.push_back({key, {}});
      buckets[it->second].second.push_back(parameter);
    }
    write(module, buckets);
  }

  void write(ModuleOp module, ArrayRef<std::pair<BucketKey, Parameters>> buckets) {
    SymbolTable symbols(module);
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    if (auto steps = module.getOps<StepOp>(); !steps.empty())
      builder.setInsertionPoint(*steps.begin());
    for (auto [index, entry] : llvm::enumerate(buckets)) {
      std::string name = "bucket" + std::to_string(index);
      BucketOp bucket = buildBucket(builder, name, entry.second, worldSize, alignBytes);
      symbols.insert(bucket, builder.getInsertionPoint());
      ++numBuckets;
      paddingElements += worldSize * bucket.getShardElements() - bucket.getRealElements();
    }
  }
};
} // namespace
} // namespace zero
