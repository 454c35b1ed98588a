//===- ZeroOps.cpp - Verifiers and helpers of the zero dialect ------------===//

#include "dialects/Zero/ZeroOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/Zero/ZeroOps.cpp.inc"

namespace zero {

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

static bool isFloatScalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && isa<FloatType>(tensor.getElementType());
}

/// The zero.parameter that `name` is, or is an alias of; null if neither.
static ParameterOp lookupParameter(Operation *from, FlatSymbolRefAttr name,
                                   SymbolTableCollection &symbols) {
  Operation *op = symbols.lookupNearestSymbolFrom(from, name);
  if (auto alias = dyn_cast_or_null<AliasOp>(op))
    op = symbols.lookupNearestSymbolFrom(from, alias.getTargetAttr());
  return dyn_cast_or_null<ParameterOp>(op);
}

static InFlightDiagnostic emitUnknown(Operation *op, StringRef kind,
                                      FlatSymbolRefAttr name) {
  return op->emitOpError() << "names an unknown " << kind << " " << name;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

LogicalResult ParameterOp::verify() {
  // (C1)
  if (!isStaticTensor(getType()))
    return emitOpError() << "is of type " << getType()
                         << "; dynamic shapes are not supported";
  if (!isa<FloatType>(getTensorType().getElementType()))
    return emitOpError() << "has elements of type "
                         << getTensorType().getElementType()
                         << "; want a floating-point type";
  // (C2)
  if (!isa<ZerosAttr, OnesAttr, ConstantAttr, NormalAttr, UniformAttr,
           IotaAttr>(getInit()))
    return emitOpError() << "has an unknown init " << getInit();
  // (C3)
  for (FloatAttr factor : {getWeightDecayAttr(), getLrScaleAttr()})
    if (factor && (factor.getValue().isNegative() || !factor.getValue().isFinite()))
      return emitOpError() << "has a weight_decay or lr_scale of "
                           << factor.getValueAsDouble()
                           << "; want a finite value that is not negative";
  // (C4)
  if (getSymName().empty() || getSymName() == "__metadata__")
    return emitOpError() << "is named '" << getSymName()
                         << "', which a parameter file can't hold as the name of a tensor";
  return success();
}

LogicalResult AliasOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  if (!isa_and_nonnull<ParameterOp>(
          symbols.lookupNearestSymbolFrom(*this, getTargetAttr())))
    return emitUnknown(*this, "parameter", getTargetAttr());
  return success();
}

LogicalResult OptimizerOp::verifyRegions() {
  Block &block = getBody().front();
  size_t states = getStates().size();
  // (C1)
  if (block.getNumArguments() != 5 + states)
    return emitOpError() << "has " << block.getNumArguments() << " arguments and "
                         << states << " states; want 5 + states";
  Type type = block.getArgument(0).getType();
  if (!isa<FloatType>(type))
    return emitOpError() << "works on " << type << "; want a float type";
  if (!llvm::all_equal(block.getArgumentTypes()))
    return emitOpError() << "has arguments of different types";
  // (C2)
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != 1 + states)
    return emitOpError() << "must yield " << 1 + states
                         << " values: the parameter and its states";
  for (Type yielded : yield.getValues().getTypes())
    if (yielded != type)
      return yield.emitOpError() << "yields " << yielded << "; want " << type;
  // (C3)
  for (Operation &op : block.without_terminator())
    if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) ||
        op.getNumRegions() || !llvm::all_of(op.getResultTypes(), [](Type t) {
          return t.isIntOrIndexOrFloat();
        }))
      return op.emitOpError() << "is not an elementwise operation; an optimizer "
                                 "takes arith and math operations on scalars";
  // (C4)
  llvm::StringSet<> names;
  names.insert(kParameterValue);
  for (StringRef name : getStates().getAsValueRange<StringAttr>())
    if (!names.insert(name).second)
      return emitOpError() << "has two values named \"" << name << "\"";
  return success();
}

LogicalResult StepOp::verifyRegions() {
  // (C1)
  if (!llvm::hasSingleElement(getBody()))
    return emitOpError() << "has several blocks; want one";
  Block &block = getBody().front();
  if (block.empty() || !isa<YieldOp>(block.back()))
    return emitOpError() << "does not end in zero.yield, so it has no loss";
  // (C2), (C5)
  if (getArgAttrs().size() != block.getNumArguments())
    return emitOpError() << "has " << block.getNumArguments() << " arguments and "
                         << getArgAttrs().size() << " argument attributes";
  llvm::StringSet<> roles;
  for (BlockArgument argument : block.getArguments()) {
    if (!isStaticTensor(argument.getType()))
      return mlir::emitError(argument.getLoc())
             << "step input is of type " << argument.getType()
             << "; want a tensor of static shape, dynamic shapes are not supported";
    StringRef role = getRole(argument.getArgNumber());
    if (role.empty())
      return mlir::emitError(argument.getLoc())
             << "step input has no role; want a string attribute " << kInputAttr;
    if (!roles.insert(role).second)
      return mlir::emitError(argument.getLoc())
             << "two step inputs have the role \"" << role << "\"";
  }
  // (C3)
  Attribute optimizer = getOptimizer();
  if (!isa<SgdAttr, MomentumAttr, AdamAttr, AdamWAttr, FlatSymbolRefAttr>(optimizer))
    return emitOpError() << "has an unknown optimizer " << optimizer;
  // (C4)
  if (getSamples() && int64_t(*getSamples()) < 1)
    return emitOpError() << "has " << int64_t(*getSamples()) << " samples; want at least 1";
  return success();
}

StringRef StepOp::getRole(unsigned index) {
  auto attrs = cast<DictionaryAttr>(getArgAttrs()[index]);
  auto role = attrs.getAs<StringAttr>(kInputAttr);
  return role ? role.getValue() : StringRef();
}

BlockArgument StepOp::findInput(StringRef role) {
  for (BlockArgument argument : getBody().getArguments())
    if (getRole(argument.getArgNumber()) == role)
      return argument;
  return nullptr;
}

BlockArgument StepOp::addInput(Type type, StringRef role) {
  Builder builder(getContext());
  SmallVector<Attribute> attrs(getArgAttrs().begin(), getArgAttrs().end());
  attrs.push_back(builder.getDictionaryAttr(
      builder.getNamedAttr(kInputAttr, builder.getStringAttr(role))));
  setArgAttrsAttr(builder.getArrayAttr(attrs));
  return getBody().addArgument(type, getLoc());
}

YieldOp StepOp::getYield() { return cast<YieldOp>(getBody().front().getTerminator()); }

LogicalResult YieldOp::verify() {
  // (C1)
  if (isa_and_nonnull<StepOp>((*this)->getParentOp())) {
    size_t count = getValues().size();
    if (count == 0)
      return emitOpError() << "yields no loss; want a sum and, if it is not 1, a weight";
    if (count > 2)
      return emitOpError() << "yields " << count << " values; want a sum and a weight";
    for (Type type : getValues().getTypes())
      if (!isFloatScalar(type))
        return emitOpError() << "yields a loss of type " << type
                             << "; want a floating-point tensor of rank 0";
  }
  // (C2)
  size_t names = getParameters() ? getParameters()->size() : 0;
  if (names != getGradients().size())
    return emitOpError() << "has " << getGradients().size() << " gradients for "
                         << names << " parameters";
  return success();
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  ParameterOp parameter = lookupParameter(*this, getParameterAttr(), symbols);
  if (!parameter)
    return emitUnknown(*this, "parameter", getParameterAttr());
  if (parameter.getType() != getResult().getType())
    return (emitOpError() << "reads " << getParameterAttr() << " as "
                          << getResult().getType() << "; it is " << parameter.getType())
               .attachNote(parameter.getLoc())
           << "declared here";
  return success();
}

//===----------------------------------------------------------------------===//
// Updates, buckets, shards
//===----------------------------------------------------------------------===//

LogicalResult UpdateOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  auto parameter = dyn_cast_or_null<ParameterOp>(
      symbols.lookupNearestSymbolFrom(*this, getParameterAttr()));
  if (!parameter)
    return emitUnknown(*this, "parameter", getParameterAttr());
  if (parameter.getFrozen())
    return emitOpError() << "updates " << getParameterAttr() << ", which is frozen";
  if (parameter.getType() != getGradient().getType())
    return emitOpError() << "updates " << getParameterAttr() << " of type "
                         << parameter.getType() << " by a gradient of type "
                         << getGradient().getType();
  // (C2)
  if (!isa_and_nonnull<OptimizerOp>(
          symbols.lookupNearestSymbolFrom(*this, getOptimizerAttr())))
    return emitUnknown(*this, "optimizer", getOptimizerAttr());
  return success();
}

LogicalResult BucketOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  if (getOffsets().size() != getParameters().size())
    return emitOpError() << "has " << getOffsets().size() << " offsets for "
                         << getParameters().size() << " parameters";
  int64_t end = 0, real = 0;
  for (auto [name, offset] : llvm::zip_equal(
           getParameters().getAsRange<FlatSymbolRefAttr>(), getOffsets())) {
    auto parameter =
        dyn_cast_or_null<ParameterOp>(symbols.lookupNearestSymbolFrom(*this, name));
    if (!parameter)
      return emitUnknown(*this, "parameter", name);
    if (offset < end)
      return emitOpError() << "has " << name << " at element " << offset
                           << ", inside the slot before it, which ends at " << end;
    end = offset + parameter.getTensorType().getNumElements();
    real += parameter.getTensorType().getNumElements();
    // (C2)
    if (parameter.getTensorType().getElementType() != getElementType() ||
        parameter.getFrozen() == getTrainable())
      return emitOpError() << "holds " << name << ", which is of another class";
  }
  // (C3)
  if (real != static_cast<int64_t>(getRealElements()))
    return emitOpError() << "counts " << getRealElements() << " elements; its parameters have "
                         << real;
  return success();
}

FailureOr<int64_t> BucketOp::findOffset(StringRef parameter) {
  for (auto [name, offset] : llvm::zip_equal(
           getParameters().getAsRange<FlatSymbolRefAttr>(), getOffsets()))
    if (name.getValue() == parameter)
      return offset;
  return failure();
}

bool BucketOp::isCut(StringRef value) {
  return llvm::is_contained(getCut().getAsValueRange<StringAttr>(), value);
}

/// The constraints of loads and stores of a bucket's persistent values.
static LogicalResult verifyPersistent(Operation *op, FlatSymbolRefAttr name, StringRef value,
                                      RankedTensorType type, SymbolTableCollection &symbols) {
  // (C1)
  auto bucket = dyn_cast_or_null<BucketOp>(symbols.lookupNearestSymbolFrom(op, name));
  if (!bucket)
    return emitUnknown(op, "bucket", name);
  if (bucket.getElementType() != type.getElementType())
    return op->emitOpError() << "is of type " << type << "; " << name << " has elements of "
                             << bucket.getElementType();
  // (C2)
  int64_t elements = type.getNumElements(), shard = bucket.getShardElements();
  bool isShard = elements == shard;
  bool isWhole = !bucket.isCut(value) && (shard ? elements % shard == 0 : elements == 0);
  if (!isShard && !isWhole)
    return op->emitOpError() << "has " << elements << " elements of " << name << ", whose shard has "
                             << shard << (bucket.isCut(value) ? " and which is cut" : "");
  return success();
}

LogicalResult LoadShardOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyPersistent(*this, getBucketAttr(), getValue(), getResult().getType(), symbols);
}

LogicalResult StoreShardOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyPersistent(*this, getBucketAttr(), getValue(), getSource().getType(), symbols);
}

LogicalResult SlotOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  auto bucket = dyn_cast_or_null<BucketOp>(
      symbols.lookupNearestSymbolFrom(*this, getBucketAttr()));
  if (!bucket)
    return emitUnknown(*this, "bucket", getBucketAttr());
  if (failed(bucket.findOffset(getParameter())))
    return emitOpError() << "takes " << getParameterAttr() << ", which has no slot in "
                         << getBucketAttr();
  auto parameter = dyn_cast_or_null<ParameterOp>(
      symbols.lookupNearestSymbolFrom(*this, getParameterAttr()));
  if (!parameter || parameter.getType() != getResult().getType())
    return emitOpError() << "takes " << getParameterAttr() << " as "
                         << getResult().getType();
  return success();
}

LogicalResult AssembleOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  auto bucket = dyn_cast_or_null<BucketOp>(
      symbols.lookupNearestSymbolFrom(*this, getBucketAttr()));
  if (!bucket)
    return emitUnknown(*this, "bucket", getBucketAttr());
  if (bucket.getParameters().size() != getSlots().size())
    return emitOpError() << "has " << getSlots().size() << " slots; " << getBucketAttr()
                         << " has " << bucket.getParameters().size();
  for (auto [name, slot] : llvm::zip_equal(
           bucket.getParameters().getAsRange<FlatSymbolRefAttr>(), getSlots())) {
    auto parameter =
        dyn_cast_or_null<ParameterOp>(symbols.lookupNearestSymbolFrom(*this, name));
    if (!parameter || parameter.getType() != slot.getType())
      return emitOpError() << "has a slot of type " << slot.getType() << " for " << name;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static LogicalResult verifyShards(Operation *op, RankedTensorType whole,
                                  RankedTensorType shard) {
  int64_t wholeSize = whole.getNumElements(), shardSize = shard.getNumElements();
  // (C1)
  if (whole.getElementType() != shard.getElementType() ||
      (shardSize == 0 ? wholeSize != 0 : wholeSize % shardSize != 0))
    return op->emitOpError() << "has a shard of type " << shard << " of a whole of type "
                             << whole;
  return success();
}

LogicalResult AllGatherOp::verify() {
  return verifyShards(*this, getResult().getType(), getSource().getType());
}

LogicalResult ReduceScatterOp::verify() {
  return verifyShards(*this, getSource().getType(), getResult().getType());
}

LogicalResult ApplyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto optimizer = dyn_cast_or_null<OptimizerOp>(
      symbols.lookupNearestSymbolFrom(*this, getOptimizerAttr()));
  if (!optimizer)
    return emitUnknown(*this, "optimizer", getOptimizerAttr());
  if (!isa_and_nonnull<BucketOp>(symbols.lookupNearestSymbolFrom(*this, getBucketAttr())))
    return emitUnknown(*this, "bucket", getBucketAttr());
  // (C1)
  if (optimizer.getStates().size() != getStates().size() ||
      getStates().size() != getNewStates().size())
    return emitOpError() << "has " << getStates().size() << " states; "
                         << getOptimizerAttr() << " has " << optimizer.getStates().size();
  // (C2)
  int64_t elements = getParameter().getType().getNumElements();
  auto differs = [&](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements() != elements;
  };
  if (differs(getGradient()) || llvm::any_of(getStates(), differs) ||
      llvm::any_of(getResults(), differs))
    return emitOpError() << "has operands of different numbers of elements";
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels and products
//===----------------------------------------------------------------------===//

YieldOp KernelOp::getYield() { return cast<YieldOp>(getBlock().getTerminator()); }

LogicalResult KernelOp::verifyRegions() {
  FunctionType type = getFunctionType();
  size_t operands = type.getNumInputs() - getNumScalars();
  if (!llvm::hasSingleElement(getBody()) ||
      getBlock().getArgumentTypes() != type.getInputs() ||
      operands < type.getNumResults())
    return emitOpError() << "has a body that does not fit its type " << type;
  // (C1)
  for (Type input : type.getInputs().take_front(operands))
    if (!isStaticTensor(input))
      return emitOpError() << "has an operand of type " << input
                           << "; want static tensors, then i64 scalars";
  // (C2)
  if (type.getInputs().take_front(operands).take_back(getNumOuts()) != type.getResults())
    return emitOpError() << "has outs of other types than its results";
  // (C3)
  auto yield = dyn_cast<YieldOp>(getBlock().getTerminator());
  if (!yield || TypeRange(yield.getValues()) != TypeRange(type.getResults()))
    return emitOpError() << "does not yield values of its result types";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = dyn_cast_or_null<KernelOp>(
      symbols.lookupNearestSymbolFrom(*this, getKernelAttr()));
  if (!kernel) {
    // Once kernels are machine code, a launch is gone too.
    return emitUnknown(*this, "kernel", getKernelAttr());
  }
  // (C1)
  FunctionType type = kernel.getFunctionType();
  if (getOperandTypes() !=
          type.getInputs().drop_back(kernel.getNumScalars()) ||
      getResultTypes() != type.getResults())
    return emitOpError() << "does not fit " << getKernelAttr() << " of type " << type;
  return success();
}

/// The largest element position that strides reach over sizes.
static int64_t lastElement(int64_t offset, ArrayRef<int64_t> sizes,
                           ArrayRef<int64_t> strides) {
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    offset += (size - 1) * stride;
  return offset;
}

LogicalResult ProductOp::verify() {
  // (C1)
  if (getSizes().size() != 4 || getAStrides().size() != 3 ||
      getBStrides().size() != 3 || getCStrides().size() != 2)
    return emitOpError() << "wants 4 sizes, 3 strides of a and b, and 2 of c";
  int64_t batch = getSizes()[0], m = getSizes()[1], n = getSizes()[2], k = getSizes()[3];
  // (C3)
  if (getInit() && getInit().getType() != getResult().getType())
    return emitOpError() << "accumulates into " << getInit().getType() << " and gives "
                         << getResult().getType();
  // (C2)
  auto fits = [](Value operand, int64_t last) {
    return last < cast<RankedTensorType>(operand.getType()).getNumElements();
  };
  if (batch * m * n == 0)
    return success();
  if ((k && (!fits(getA(), lastElement(getAOffset(), {batch, m, k}, getAStrides())) ||
             !fits(getB(), lastElement(getBOffset(), {batch, k, n}, getBStrides())))) ||
      !fits(getResult(), lastElement(n - 1, {batch, m}, getCStrides())) ||
      (getBias() && !fits(getBias(), getBiasOffset() + n - 1)))
    return emitOpError() << "addresses elements outside an operand";
  return success();
}

} // namespace zero
