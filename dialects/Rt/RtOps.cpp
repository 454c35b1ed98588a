//===- RtOps.cpp - Verifiers and interfaces of the rt dialect -------------===//

#include "dialects/Rt/RtOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/Rt/RtOps.cpp.inc"

namespace zero::rt {

static int64_t bytesOf(Value buffer) { return cast<BufferType>(buffer.getType()).getBytes(); }

static int64_t elementBytes(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

static LogicalResult verifyElementType(Operation *op, Type type) {
  if (type.isIntOrFloat())
    return success();
  return op->emitOpError() << "has elements of type " << type << "; want integers or floats";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Shared by globals and allocs: storage, and an offset that is not negative.
static LogicalResult verifyPlaced(Operation *op, Type type, Storage storage,
                                  std::optional<int64_t> offset) {
  // (C1)
  auto buffer = dyn_cast<BufferType>(type);
  if (!buffer || buffer.getStorage() != storage)
    return op->emitOpError() << "is of type " << type << "; want a "
                             << stringifyStorage(storage) << " buffer";
  // (C2)
  if (offset && *offset < 0)
    return op->emitOpError() << "has offset " << *offset << "; want 0 or more";
  return success();
}

static std::optional<int64_t> asSigned(std::optional<uint64_t> value) {
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

LogicalResult GlobalOp::verify() {
  return verifyPlaced(*this, getType(), Storage::persistent, asSigned(getOffset()));
}

LogicalResult AllocOp::verify() {
  return verifyPlaced(*this, getType(), Storage::transient, asSigned(getOffset()));
}

LogicalResult GlobalRefOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  auto global = dyn_cast_or_null<GlobalOp>(
      symbols.lookupNearestSymbolFrom(*this, getGlobalAttr()));
  if (!global)
    return emitOpError() << "names an unknown global " << getGlobalAttr();
  if (global.getType() != getType())
    return emitOpError() << "is of type " << getType() << "; " << getGlobalAttr() << " is "
                         << global.getType();
  return success();
}

LogicalResult ViewOp::verify() {
  int64_t offset = getOffset(), stride = getRankStride();
  // (C1)
  if (offset < 0 || stride < 0)
    return emitOpError() << "has offset " << offset << " and rank stride " << stride
                         << "; want 0 or more";
  // (C2)
  BufferType source = getSource().getType(), result = getResult().getType();
  if (source.getTier() != result.getTier() || source.getStorage() != result.getStorage())
    return emitOpError() << "is of type " << result << ", a view of " << source;
  // (C3)
  auto program = (*this)->getParentOfType<ProgramOp>();
  int64_t ranks = program ? program.getWorldSize() : 1;
  int64_t end = offset + (ranks - 1) * stride + result.getBytes();
  if (end > source.getBytes())
    return emitOpError() << "ends at byte " << end << " of a buffer of " << source.getBytes();
  return success();
}

Value ViewOp::getViewSource() { return getSource(); }

/// A view of everything is its source; a view of a view is one view.
OpFoldResult ViewOp::fold(FoldAdaptor) {
  if (getType() == getSource().getType() && getOffset() == 0 && getRankStride() == 0)
    return getSource();
  auto inner = getSource().getDefiningOp<ViewOp>();
  if (!inner || (inner.getRankStride() != 0 && getRankStride() != 0))
    return {};
  Builder builder(getContext());
  setOffsetAttr(builder.getI64IntegerAttr(getOffset() + inner.getOffset()));
  setRankStrideAttr(builder.getI64IntegerAttr(getRankStride() + inner.getRankStride()));
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

LogicalResult ProgramOp::verifyRegions() {
  Block &block = getBody().front();
  // (C1)
  if (getExternals().size() != block.getNumArguments())
    return emitOpError() << "has " << block.getNumArguments() << " arguments and "
                         << getExternals().size() << " externals";
  for (auto [argument, attr] : llvm::zip_equal(block.getArguments(), getExternals())) {
    auto attrs = cast<DictionaryAttr>(attr);
    auto buffer = dyn_cast<BufferType>(argument.getType());
    auto type = attrs.getAs<TypeAttr>("type");
    auto tensor = type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType();
    if (tensor && failed(verifyElementType(*this, tensor.getElementType())))
      return failure();
    if (!buffer || buffer.getStorage() != Storage::external || !tensor ||
        !attrs.getAs<StringAttr>("role") ||
        buffer.getBytes() != tensor.getNumElements() * elementBytes(tensor.getElementType()))
      return emitOpError() << "has an argument of type " << argument.getType()
                           << " that does not hold its external " << attr;
  }
  // (C2)
  if (int64_t(getWorldSize()) < 1 || int64_t(getThreadsPerRank()) < 1)
    return emitOpError() << "has world size " << int64_t(getWorldSize()) << " and "
                         << int64_t(getThreadsPerRank()) << " threads; want 1 or more";
  return success();
}

//===----------------------------------------------------------------------===//
// What runs on a queue
//===----------------------------------------------------------------------===//

SmallVector<BufferAccess> DispatchOp::getAccesses() {
  SmallVector<BufferAccess> accesses;
  for (Value in : getIns())
    accesses.push_back({in, true, false});
  for (auto [out, updated] : llvm::zip_equal(getOuts(), getUpdated()))
    accesses.push_back({out, updated, true});
  if (getScratch())
    accesses.push_back({getScratch(), false, true});
  return accesses;
}

LogicalResult DispatchOp::verify() {
  // (C1)
  if (getUpdated().size() != getOuts().size())
    return emitOpError() << "says of " << getUpdated().size() << " outs whether they are read; has "
                         << getOuts().size();
  // (C2)
  if (int64_t(getExtent()) < 0 || int64_t(getGrain()) < 1)
    return emitOpError() << "has extent " << int64_t(getExtent()) << " and grain "
                         << int64_t(getGrain());
  // (C3)
  size_t segments = getSegmentBegins().size();
  if (getSegmentEnds().size() != segments || getSegmentLrScales().size() != segments ||
      getSegmentWeightDecays().size() != segments)
    return emitOpError() << "has segment tables of different lengths";
  int64_t last = 0;
  for (auto [begin, end] : llvm::zip_equal(getSegmentBegins(), getSegmentEnds())) {
    if (begin < last || end < begin)
      return emitOpError() << "has a segment [" << begin << ", " << end << ") after " << last;
    last = end;
  }
  return success();
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom(*this, getKernelAttr()))
    return emitOpError() << "names an unknown kernel " << getKernelAttr();
  return success();
}

SmallVector<BufferAccess> MatmulOp::getAccesses() {
  SmallVector<BufferAccess> accesses{{getA(), true, false}, {getB(), true, false}};
  if (getBias())
    accesses.push_back({getBias(), true, false});
  accesses.push_back({getC(), getAccumulate(), true});
  if (getScratch())
    accesses.push_back({getScratch(), false, true});
  return accesses;
}

LogicalResult MatmulOp::verify() {
  if (failed(verifyElementType(*this, getElementType())))
    return failure();
  // (C1)
  if (getSizes().size() != 4 || getAStrides().size() != 3 || getBStrides().size() != 3 ||
      getCStrides().size() != 2)
    return emitOpError() << "wants 4 sizes, 3 strides of a and b, and 2 of c";
  int64_t batch = getSizes()[0], m = getSizes()[1], n = getSizes()[2], k = getSizes()[3];
  if (batch * m * n == 0)
    return success();
  auto fits = [&](Value buffer, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                  int64_t last) {
    for (auto [size, stride] : llvm::zip_equal(sizes, strides))
      last += (size - 1) * stride;
    return (last + 1) * elementBytes(getElementType()) <= bytesOf(buffer);
  };
  // (C2)
  if ((k && (!fits(getA(), {batch, m, k}, getAStrides(), 0) ||
             !fits(getB(), {batch, k, n}, getBStrides(), 0))) ||
      !fits(getC(), {batch, m}, getCStrides(), n - 1) ||
      (getBias() && !fits(getBias(), {n}, {1}, 0)))
    return emitOpError() << "addresses elements outside a buffer";
  return success();
}

SmallVector<BufferAccess> FillOp::getAccesses() { return {{getTarget(), false, true}}; }

SmallVector<BufferAccess> CopyOp::getAccesses() {
  return {{getSource(), true, false}, {getTarget(), false, true}};
}

LogicalResult CopyOp::verify() {
  // (C1)
  if (bytesOf(getSource()) != bytesOf(getTarget()))
    return emitOpError() << "copies " << bytesOf(getSource()) << " bytes into a buffer of "
                         << bytesOf(getTarget());
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// (C1) of the collectives.
static LogicalResult verifySizes(Operation *op, Value whole, Value shard, int64_t elements,
                                 Type type) {
  if (failed(verifyElementType(op, type)))
    return failure();
  auto program = op->getParentOfType<ProgramOp>();
  int64_t ranks = program ? program.getWorldSize() : 1;
  int64_t bytes = elements * elementBytes(type);
  if (bytesOf(whole) != bytes)
    return op->emitOpError() << "has " << elements << " elements of " << type
                             << " in a buffer of " << bytesOf(whole) << " bytes";
  if (bytesOf(shard) * ranks != bytes)
    return op->emitOpError() << "has a shard of " << bytesOf(shard) << " bytes of " << bytes
                             << " over " << ranks << " ranks";
  return success();
}

LogicalResult AllGatherOp::verify() {
  return verifySizes(*this, getTarget(), getSource(), getElements(), getElementType());
}

LogicalResult ReduceScatterOp::verify() {
  return verifySizes(*this, getSource(), getTarget(), getElements(), getElementType());
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifyElementType(*this, getElementType())))
    return failure();
  int64_t bytes = int64_t(getElements()) * elementBytes(getElementType());
  if (bytesOf(getSource()) != bytes || bytesOf(getTarget()) != bytes)
    return emitOpError() << "has " << getElements() << " elements of " << getElementType()
                         << " in buffers of " << bytesOf(getSource()) << " and "
                         << bytesOf(getTarget()) << " bytes";
  return success();
}

SmallVector<BufferAccess> AllGatherOp::getAccesses() {
  return {{getSource(), true, false}, {getTarget(), false, true}};
}
SmallVector<BufferAccess> ReduceScatterOp::getAccesses() {
  return {{getSource(), true, false}, {getTarget(), false, true}};
}
SmallVector<BufferAccess> AllReduceOp::getAccesses() {
  return {{getSource(), true, false}, {getTarget(), false, true}};
}

/// Others read a rank's shard (gather) or their own shards of its buffer (reduce):
/// S * (W - 1) either way.
static int64_t shardBytesSent(int64_t elements, Type type, int64_t worldSize) {
  return llvm::divideCeil(elements, worldSize) * (worldSize - 1) * elementBytes(type);
}

int64_t AllGatherOp::getBytesSent(int64_t worldSize) {
  return shardBytesSent(getElements(), getElementType(), worldSize);
}
int64_t ReduceScatterOp::getBytesSent(int64_t worldSize) {
  return shardBytesSent(getElements(), getElementType(), worldSize);
}
/// A scalar is read once by every other rank. Of all else the others read what they sum,
/// and this rank's sum; shards are equal but for the last, so this is rank 0's number.
int64_t AllReduceOp::getBytesSent(int64_t worldSize) {
  if (getScalar())
    return int64_t(getElements()) * (worldSize - 1) * elementBytes(getElementType());
  int64_t elements = getElements(), mine = llvm::divideCeil(elements, worldSize);
  return (elements - mine + mine * (worldSize - 1)) * elementBytes(getElementType());
}

} // namespace zero::rt
