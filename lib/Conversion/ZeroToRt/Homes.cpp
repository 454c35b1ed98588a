//===- Homes.cpp - Where each value of a step lives -----------------------===//

#include "Homes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace zero {

int64_t tensorBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

Homes::Homes(StepOp step, int64_t worldSize, bool separateShards)
    : step(step), worldSize(worldSize), separateShards(separateShards),
      symbols(step->getParentOfType<ModuleOp>()) {}

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

unsigned Homes::addStorage(Storage storage) {
  storages.push_back(storage);
  return storages.size() - 1;
}

Home Homes::fresh(Type type) {
  int64_t bytes = tensorBytes(type);
  return {addStorage({Storage::Kind::Transient, bytes, {}, {}}), 0, 0, bytes};
}

Home Homes::persistent(BucketOp bucket, StringRef value, int64_t elements) {
  auto name = StringAttr::get(bucket.getContext(), value);
  int64_t elementBytes = llvm::divideCeil(bucket.getElementType().getIntOrFloatBitWidth(), 8);
  int64_t shard = int64_t(bucket.getShardElements()) * elementBytes;
  bool cut = bucket.isCut(value);
  auto [it, isNew] = persistents.insert({{bucket, name}, 0});
  if (isNew)
    it->second = addStorage({Storage::Kind::Persistent, cut ? shard : worldSize * shard,
                             bucket, name});
  int64_t bytes = elements * elementBytes;
  bool isSlice = !cut && bytes != worldSize * shard;
  return {it->second, 0, isSlice ? shard : 0, bytes};
}

Home Homes::output(StringRef name, Type type) {
  auto key = StringAttr::get(step.getContext(), name);
  int64_t bytes = tensorBytes(type);
  auto [it, isNew] = outputs.insert({key, 0});
  if (isNew)
    it->second = addStorage({Storage::Kind::Output, bytes, {}, key});
  return {it->second, 0, 0, bytes};
}

Home Homes::slot(const Home &whole, BucketOp bucket, unsigned index, Type type) {
  int64_t elementBytes = llvm::divideCeil(bucket.getElementType().getIntOrFloatBitWidth(), 8);
  return whole.slice(bucket.getOffsets()[index] * elementBytes, tensorBytes(type));
}

//===----------------------------------------------------------------------===//
// Backwards: places that consumers ask for
//===----------------------------------------------------------------------===//

static bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

Value viewSource(Operation *op) {
  if (isReshape(op) || isa<tensor::ExtractSliceOp, AfterOp, SlotOp>(op))
    return op->getOperand(0);
  return nullptr;
}

bool Homes::isLastUse(Value value, Operation *user) {
  return lastUse.lookup(value) <= position.lookup(user);
}

/// Makers that write wherever they are told to.
bool Homes::canChoose(Value value) {
  Operation *op = value.getDefiningOp();
  while (isReshape(op))
    op = (value = op->getOperand(0)).getDefiningOp();
  return isa_and_nonnull<LaunchOp, ProductOp, AllGatherOp, AllReduceOp, ReduceScatterOp,
                         AssembleOp, tensor::ConcatOp>(op);
}

/// A persistent buffer is overwritten by `op`; is its old value still read after?
bool Homes::isReadAfter(const Home &home, Operation *op) {
  auto it = lastRead.find(home.storage);
  return it != lastRead.end() && it->second > position.lookup(op);
}

void Homes::want(Value value, const Home &home) {
  if (!canChoose(value))
    return;
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  if (isReadAfter(home, value.getDefiningOp()))
    return;
  wants.try_emplace(value, home);
}

Home Homes::wanted(Value value) {
  auto it = wants.find(value);
  if (it != wants.end())
    return it->second;
  return wants[value] = fresh(value.getType());
}

/// `result` is `init`, changed in place: both live where the result is wanted, if
/// nothing reads the old value later.
void Homes::visitTied(OpResult result, Value init) {
  Home home = wanted(result);
  if (isLastUse(init, result.getOwner()))
    want(init, home);
}

void Homes::visitBackward(Operation *op) {
  if (auto assemble = dyn_cast<AssembleOp>(op)) {
    auto bucket = symbols.lookup<BucketOp>(assemble.getBucket());
    Home whole = wanted(assemble.getResult());
    for (auto [index, value] : llvm::enumerate(assemble.getSlots()))
      want(value, slot(whole, bucket, index, value.getType()));
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    Home whole = wanted(concat.getResult());
    int64_t begin = 0;
    for (Value input : concat.getInputs()) {
      want(input, whole.slice(begin, tensorBytes(input.getType())));
      begin += tensorBytes(input.getType());
    }
  } else if (auto store = dyn_cast<StoreShardOp>(op)) {
    auto bucket = symbols.lookup<BucketOp>(store.getBucket());
    want(store.getSource(), persistent(bucket, store.getValue(),
                                       store.getSource().getType().getNumElements()));
  } else if (auto gather = dyn_cast<AllGatherOp>(op)) {
    Home whole = wanted(gather.getResult());
    int64_t shard = tensorBytes(gather.getSource().getType());
    want(gather.getSource(), {whole.storage, whole.offset, shard, shard});
  } else if (auto reduce = dyn_cast<AllReduceOp>(op)) {
    visitTied(cast<OpResult>(reduce.getResult()), reduce.getSource());
  } else if (auto product = dyn_cast<ProductOp>(op)) {
    if (product.getInit())
      visitTied(cast<OpResult>(product.getResult()), product.getInit());
  } else if (auto launch = dyn_cast<LaunchOp>(op)) {
    for (auto [result, init] : llvm::zip_equal(launch.getResults(), launch.getOuts()))
      if (!init.getDefiningOp<tensor::EmptyOp>())
        visitTied(cast<OpResult>(result), init);
  } else if (auto yield = dyn_cast<YieldOp>(op)) {
    for (auto [value, name] : llvm::zip(yield.getValues(), kOutputs))
      want(value, output(name, value.getType()));
  }
}

//===----------------------------------------------------------------------===//
// Forwards: the home of every value
//===----------------------------------------------------------------------===//

static int64_t sliceBegin(tensor::ExtractSliceOp op) {
  int64_t stride = 1, begin = 0;
  RankedTensorType source = op.getSourceType();
  for (int64_t dim = source.getRank() - 1; dim >= 0; --dim) {
    begin += op.getStaticOffsets()[dim] * stride;
    stride *= source.getDimSize(dim);
  }
  return begin * llvm::divideCeil(source.getElementTypeBitWidth(), 8);
}

void Homes::visitForward(Operation *op) {
  if (auto load = dyn_cast<LoadShardOp>(op)) {
    homes[load.getResult()] =
        persistent(symbols.lookup<BucketOp>(load.getBucket()), load.getValue(),
                   load.getResult().getType().getNumElements());
  } else if (auto slotOp = dyn_cast<SlotOp>(op)) {
    auto bucket = symbols.lookup<BucketOp>(slotOp.getBucket());
    unsigned index = llvm::find(bucket.getParameters(), slotOp.getParameterAttr()) -
                     bucket.getParameters().begin();
    homes[slotOp.getResult()] =
        slot(of(slotOp.getSource()), bucket, index, slotOp.getResult().getType());
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    homes[slice.getResult()] =
        of(slice.getSource()).slice(sliceBegin(slice), tensorBytes(slice.getType()));
  } else if (Value source = viewSource(op)) {
    // A copy: a new entry may move those that are there.
    if (auto it = homes.find(source); it != homes.end()) {
      Home home = it->second;
      homes[op->getResult(0)] = home;
    }
  } else if (auto scatter = dyn_cast<ReduceScatterOp>(op)) {
    int64_t shard = tensorBytes(scatter.getResult().getType());
    Home whole = of(scatter.getSource());
    bool inPlace = !separateShards && !wants.contains(scatter.getResult()) &&
                   isLastUse(scatter.getSource(), op);
    homes[scatter.getResult()] =
        inPlace ? Home{whole.storage, whole.offset, shard, shard} : wanted(scatter.getResult());
  } else if (!isa<tensor::EmptyOp>(op)) {
    for (Value result : op->getResults())
      homes[result] = wanted(result);
  }
}

/// What is read has been written: a tensor.empty stands for the place of a result only.
LogicalResult Homes::checkOperands(Operation *op) {
  auto launch = dyn_cast<LaunchOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    bool isPlace = launch && llvm::is_contained(launch.getOuts(), operand.get()) &&
                   operand.get().getDefiningOp<tensor::EmptyOp>();
    bool isTensor = isa<RankedTensorType>(operand.get().getType());
    if (isTensor && !isPlace && !homes.contains(operand.get()) && !isReshape(op))
      return op->emitError() << "'" << op->getName() << "' reads a tensor that nothing has written";
  }
  return success();
}

LogicalResult Homes::assign() {
  Block &block = step.getBody().front();
  for (auto [index, op] : llvm::enumerate(block))
    position[&op] = index;
  // Uses through views count for the viewed value: from the last operation up.
  for (Operation &op : llvm::reverse(block))
    for (Value operand : op.getOperands()) {
      unsigned &last = lastUse[operand];
      last = std::max(last, position[&op]);
      if (viewSource(&op) && operand == op.getOperand(0))
        last = std::max(last, lastUse.lookup(op.getResult(0)));
    }
  for (auto load : block.getOps<LoadShardOp>()) {
    auto bucket = symbols.lookup<BucketOp>(load.getBucket());
    Home home = persistent(bucket, load.getValue(), load.getResult().getType().getNumElements());
    unsigned &last = lastRead[home.storage];
    last = std::max(last, lastUse.lookup(load.getResult()));
  }
  for (BlockArgument argument : block.getArguments())
    homes[argument] = {addStorage({Storage::Kind::Input, tensorBytes(argument.getType()), {},
                                   {}, argument.getArgNumber()}),
                       0, 0, tensorBytes(argument.getType())};
  for (Operation &op : llvm::reverse(block))
    visitBackward(&op);
  for (Operation &op : block) {
    if (failed(checkOperands(&op)))
      return failure();
    visitForward(&op);
  }
  return success();
}

} // namespace zero
