//===- Partition.cpp - Cut the step over ranks ----------------------------===//
//
//  zero.read @w                   zero.slot (zero.all_gather (zero.load_shard @bucket["parameter"]))
//  ...                         => ...
//  zero.update @w, %dw            %g = zero.reduce_scatter (zero.assemble @bucket(%dw, ...))
//                                 zero.store_shard (zero.apply @bucket ... gradient(%g))
//
// shown for stage 3; what is cut at which stage is in StagePlan.
//
//===----------------------------------------------------------------------===//

#include "zero/Analysis/ForwardPass.h"
#include "zero/Transforms/Passes.h"

#include "dialects/Zero/ZeroOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_PARTITIONPASS
#include "zero/Transforms/Passes.h.inc"

namespace {
/// What a stage cuts over W ranks (Rajbhandari et al. 2020, section 5); nothing at W = 1.
struct StagePlan {
  int64_t stage, worldSize;

  bool isDistributed() const { return worldSize > 1; }
  bool cutsStates() const { return isDistributed() && stage >= 1; }
  bool cutsParameters(BucketOp bucket) const {
    return isDistributed() && stage >= 3 && !bucket.getWhole();
  }
};

/// Parameter and gradient values of one bucket in one step.
class StepPartitioner {
public:
  StepPartitioner(StepOp step, StagePlan plan, SymbolTable &symbols,
                  ArrayRef<BucketOp> buckets)
      : step(step), block(step.getBody().front()), plan(plan), symbols(symbols),
        buckets(buckets), builder(step.getContext()), forward(findForwardPass(step)) {}

  LogicalResult run();

private:
  LogicalResult replaceReads();
  Value load(BucketOp bucket, StringRef value, bool cut);
  Value gather(Value shard, BucketOp bucket, GatherUse use);
  Value wholeFor(BucketOp bucket, Operation *user);
  void slotsFor(ReadOp read, BucketOp bucket);
  void reduceLoss();
  LogicalResult replaceUpdates();
  Value reduceGradients(BucketOp bucket, ArrayRef<UpdateOp> updates);
  void applyUpdates(BucketOp bucket, UpdateOp update, Value gradient);
  void store(Value value, BucketOp bucket, StringRef name);

  RankedTensorType wholeType(BucketOp bucket) {
    return RankedTensorType::get({int64_t(bucket.getShardElements()) * plan.worldSize},
                                 bucket.getElementType());
  }
  RankedTensorType shardType(BucketOp bucket) {
    return RankedTensorType::get({int64_t(bucket.getShardElements())}, bucket.getElementType());
  }

  StepOp step;
  Block &block;
  StagePlan plan;
  SymbolTable &symbols;
  ArrayRef<BucketOp> buckets;
  OpBuilder builder;
  DenseSet<Operation *> forward;
  DenseMap<StringAttr, BucketOp> bucketOf; ///< by parameter
  DenseMap<Operation *, Value> wholes;     ///< stages 0 to 2: by bucket
  DenseMap<std::pair<Operation *, int>, Value> gathered; ///< stage 3: by bucket and use
  /// Stage 3: slots by read and use; a forward and a backward one.
  DenseMap<std::pair<Operation *, int>, Value> slots;
  Operation *lastForwardBucket = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Value StepPartitioner::load(BucketOp bucket, StringRef value, bool cut) {
  return LoadShardOp::create(builder, bucket.getLoc(), cut ? shardType(bucket) : wholeType(bucket),
                             FlatSymbolRefAttr::get(bucket.getSymNameAttr()),
                             builder.getStringAttr(value));
}

Value StepPartitioner::gather(Value shard, BucketOp bucket, GatherUse use) {
  return AllGatherOp::create(builder, bucket.getLoc(), wholeType(bucket), shard,
                             GatherUseAttr::get(builder.getContext(), use), 0);
}

/// The whole parameters of `bucket` for `user`: loaded once, or gathered once for
/// forward and once for backward, in front of the first user of each. The bucket that
/// forward uses last is kept for backward.
Value StepPartitioner::wholeFor(BucketOp bucket, Operation *user) {
  if (!plan.cutsParameters(bucket)) {
    Value &whole = wholes[bucket];
    if (!whole) {
      builder.setInsertionPointToStart(&block);
      whole = load(bucket, kParameterValue, false);
    }
    return whole;
  }
  bool isForward = forward.contains(user) || bucket == lastForwardBucket;
  GatherUse use = isForward ? GatherUse::forward : GatherUse::backward;
  Value &whole = gathered[{bucket, int(use)}];
  if (!whole) {
    builder.setInsertionPoint(user);
    whole = gather(load(bucket, kParameterValue, true), bucket, use);
  }
  return whole;
}

/// Users in block order, so that a gather stands before the first of them.
LogicalResult StepPartitioner::replaceReads() {
  SmallVector<std::pair<Operation *, OpOperand *>> uses;
  for (Operation &op : block)
    for (OpOperand &operand : op.getOpOperands())
      if (operand.get().getDefiningOp<ReadOp>())
        uses.push_back({&op, &operand});
  auto bucketRead = [&](OpOperand *use) {
    return bucketOf.lookup(use->get().getDefiningOp<ReadOp>().getParameterAttr().getAttr());
  };
  for (auto [user, use] : uses) {
    if (!bucketRead(use))
      return user->emitError() << "reads a parameter that has no bucket";
    if (forward.contains(user) && plan.cutsParameters(bucketRead(use)))
      lastForwardBucket = bucketRead(use);
  }
  for (auto [user, use] : uses) {
    auto read = use->get().getDefiningOp<ReadOp>();
    BucketOp bucket = bucketRead(use);
    Value whole = wholeFor(bucket, user);
    Value &slot = slots[{read, plan.cutsParameters(bucket) && whole == gathered.lookup(
                                   {bucket, int(GatherUse::backward)})}];
    if (!slot) {
      builder.setInsertionPointAfterValue(whole);
      slot = SlotOp::create(builder, read.getLoc(), read.getResult().getType(), whole,
                            FlatSymbolRefAttr::get(bucket.getSymNameAttr()),
                            read.getParameterAttr());
    }
    use->set(slot);
  }
  for (auto read : llvm::make_early_inc_range(block.getOps<ReadOp>()))
    read.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Loss, gradients, updates
//===----------------------------------------------------------------------===//

/// Sum and weight over ranks; the weight is the scale of every gradient.
void StepPartitioner::reduceLoss() {
  if (!plan.isDistributed())
    return;
  YieldOp yield = step.getYield();
  for (OpOperand &operand : yield->getOpOperands()) {
    Value value = operand.get();
    builder.setInsertionPointAfterValue(value);
    auto reduced = AllReduceOp::create(builder, value.getLoc(), value.getType(), value, uint64_t(0));
    operand.set(reduced);
  }
  for (auto update : block.getOps<UpdateOp>())
    update.getScaleMutable().assign(yield.getValues()[1]);
}

/// The reduced gradient of a bucket as soon as its last part is there: whole at stage
/// 0, this rank's shard above.
Value StepPartitioner::reduceGradients(BucketOp bucket, ArrayRef<UpdateOp> updates) {
  Location loc = bucket.getLoc();
  SmallVector<Value> parts;
  Operation *last = nullptr;
  for (auto name : bucket.getParameters().getAsRange<FlatSymbolRefAttr>()) {
    const auto *update = llvm::find_if(
        updates, [&](UpdateOp u) { return u.getParameterAttr() == name; });
    parts.push_back(UpdateOp(*update).getGradient());
    Operation *def = parts.back().getDefiningOp();
    if (def && (!last || last->isBeforeInBlock(def)))
      last = def;
  }
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(&block);
  Value whole = AssembleOp::create(builder, loc, wholeType(bucket),
                                   FlatSymbolRefAttr::get(bucket.getSymNameAttr()), parts);
  if (!plan.isDistributed())
    return whole;
  if (!plan.cutsStates())
    return AllReduceOp::create(builder, loc, whole.getType(), whole, uint64_t(0));
  return ReduceScatterOp::create(builder, loc, shardType(bucket), whole, 0);
}

void StepPartitioner::store(Value value, BucketOp bucket, StringRef name) {
  StoreShardOp::create(builder, bucket.getLoc(), value,
                       FlatSymbolRefAttr::get(bucket.getSymNameAttr()),
                       builder.getStringAttr(name));
}

/// All updates stand at the end, when nothing reads the old parameters any more.
void StepPartitioner::applyUpdates(BucketOp bucket, UpdateOp update, Value gradient) {
  builder.setInsertionPoint(step.getYield());
  auto optimizer = symbols.lookup<OptimizerOp>(update.getOptimizer());
  bool cut = plan.cutsStates();
  Value parameter = load(bucket, kParameterValue, cut);
  SmallVector<Value> states;
  for (StringRef name : optimizer.getStates().getAsValueRange<StringAttr>())
    states.push_back(load(bucket, name, cut));
  Type type = cut ? shardType(bucket) : wholeType(bucket);
  auto apply = ApplyOp::create(builder, bucket.getLoc(), type,
                               SmallVector<Type>(states.size(), type),
                               FlatSymbolRefAttr::get(bucket.getSymNameAttr()),
                               update.getOptimizerAttr(), parameter, gradient, states,
                               update.getScale(), update.getRate(), update.getStep());
  Value fresh = apply.getNewParameter();
  if (cut && !plan.cutsParameters(bucket))
    fresh = AllGatherOp::create(builder, bucket.getLoc(), wholeType(bucket), fresh,
                                GatherUseAttr(), 0);
  store(fresh, bucket, kParameterValue);
  for (auto [name, value] : llvm::zip_equal(optimizer.getStates().getAsValueRange<StringAttr>(),
                                            apply.getNewStates()))
    store(value, bucket, name);
}

LogicalResult StepPartitioner::replaceUpdates() {
  llvm::MapVector<BucketOp, SmallVector<UpdateOp>> updates;
  for (auto update : block.getOps<UpdateOp>()) {
    BucketOp bucket = bucketOf.lookup(update.getParameterAttr().getAttr());
    if (!bucket)
      return update.emitOpError() << "updates " << update.getParameterAttr()
                                  << ", which has no bucket";
    updates[bucket].push_back(update);
  }
  for (auto &[bucket, members] : updates) {
    if (members.size() != bucket.getParameters().size())
      return bucket.emitOpError() << "has parameters that step @" << step.getSymName()
                                  << " does not update";
    applyUpdates(bucket, members.front(), reduceGradients(bucket, members));
    for (UpdateOp update : members)
      update.erase();
  }
  return success();
}

LogicalResult StepPartitioner::run() {
  for (BucketOp bucket : buckets)
    for (auto name : bucket.getParameters().getAsRange<FlatSymbolRefAttr>())
      bucketOf[name.getAttr()] = bucket;
  if (failed(replaceReads()))
    return failure();
  reduceLoss();
  return replaceUpdates();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PartitionPass : impl::PartitionPassBase<PartitionPass> {
  using PartitionPassBase::PartitionPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (stage < 0 || stage > 3 || worldSize < 1) {
      module.emitError() << "stage is " << int64_t(stage) << " and world-size " << int64_t(worldSize)
                         << "; want a stage from 0 to 3 and at least one rank";
      return signalPassFailure();
    }
    StagePlan plan{stage, worldSize};
    SymbolTable symbols(module);
    SmallVector<BucketOp> buckets(module.getOps<BucketOp>());
    for (auto step : module.getOps<StepOp>()) {
      markCuts(step, plan, symbols, buckets);
      if (failed(StepPartitioner(step, plan, symbols, buckets).run()))
        return signalPassFailure();
    }
    Builder builder(&getContext());
    module->setAttr("zero.stage", builder.getI64IntegerAttr(stage));
    module->setAttr("zero.world_size", builder.getI64IntegerAttr(worldSize));
  }

  /// Names, on each bucket, the values of which a rank stores its shard only.
  void markCuts(StepOp step, StagePlan plan, SymbolTable &symbols, ArrayRef<BucketOp> buckets) {
    SmallVector<StringRef> states;
    for (auto update : step.getBody().front().getOps<UpdateOp>())
      for (StringRef name : symbols.lookup<OptimizerOp>(update.getOptimizer())
                                .getStates().getAsValueRange<StringAttr>())
        if (!llvm::is_contained(states, name))
          states.push_back(name);
    for (BucketOp bucket : buckets) {
      SmallVector<StringRef> cut;
      if (plan.cutsParameters(bucket))
        cut.push_back(kParameterValue);
      if (plan.cutsStates() && bucket.getTrainable())
        llvm::append_range(cut, states);
      bucket.setCutAttr(Builder(&getContext()).getStrArrayAttr(cut));
    }
  }
};
} // namespace
} // namespace zero
