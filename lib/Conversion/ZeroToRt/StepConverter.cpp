//===- StepConverter.cpp - The program of one step ------------------------===//

#include "StepConverter.h"

#include "zero/Analysis/RuntimeTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace zero {

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static rt::BufferType bufferType(MLIRContext *context, int64_t bytes, rt::Storage storage) {
  return rt::BufferType::get(context, bytes, rt::Tier::device, storage);
}

rt::GlobalOp findOrCreateGlobal(SymbolTable &symbols, BucketOp bucket, StringRef value,
                                       int64_t bytes) {
  std::string name = (bucket.getSymName() + "." + value).str();
  if (auto global = symbols.lookup<rt::GlobalOp>(name))
    return global;
  OpBuilder builder(bucket.getContext());
  auto type = bufferType(bucket.getContext(), bytes, rt::Storage::persistent);
  auto global = rt::GlobalOp::create(builder, bucket.getLoc(), name, type, bucket.getSymName(),
                                     value, IntegerAttr());
  symbols.insert(global, bucket->getBlock()->end());
  return global;
}

Version versionOf(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (isa<LoadShardOp>(def))
      return Version::Start;
    Value source = viewSource(def);
    if (!source)
      break;
    value = source;
  }
  return Version::Updated;
}

/// The buffer of a storage; transient ones are allocated at the top of the program,
/// which says nothing about when they live.
Value StepConverter::createRoot(const Storage &storage, Version version) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&program.getBody().front());
  switch (storage.kind) {
  case Storage::Kind::Persistent: {
    rt::GlobalOp global =
        findOrCreateGlobal(symbols, storage.bucket, storage.name, storage.bytes);
    return rt::GlobalRefOp::create(builder, loc, global.getType(),
                                   FlatSymbolRefAttr::get(global.getSymNameAttr()),
                                   version == Version::Updated ? builder.getUnitAttr()
                                                               : UnitAttr());
  }
  case Storage::Kind::Transient:
    return rt::AllocOp::create(
        builder, loc, bufferType(builder.getContext(), storage.bytes, rt::Storage::transient),
        IntegerAttr());
  case Storage::Kind::Input:
    return program.getBody().getArgument(storage.input);
  case Storage::Kind::Output:
    for (auto [argument, attrs] : llvm::zip_equal(program.getBody().getArguments(),
                                                  program.getExternals().getAsRange<DictionaryAttr>()))
      if (attrs.contains("output") && attrs.get("role") == storage.name)
        return argument;
    break;
  }
  llvm_unreachable("output without an argument");
}

Value StepConverter::rootOf(unsigned storage, Version version) {
  bool hasVersions = homes.storage(storage).kind == Storage::Kind::Persistent;
  Value &root = roots[{storage, hasVersions ? unsigned(version) : 0}];
  if (!root)
    root = createRoot(homes.storage(storage), version);
  return root;
}

Value StepConverter::bufferAt(const Home &home, Version version) {
  Value root = rootOf(home.storage, version);
  auto type = cast<rt::BufferType>(root.getType());
  if (home.offset == 0 && home.rankStride == 0 && home.size == type.getBytes())
    return root;
  return rt::ViewOp::create(builder, loc,
                            bufferType(builder.getContext(), home.size, type.getStorage()), root,
                            home.offset, home.rankStride);
}

Value StepConverter::scratch(int64_t bytes) {
  if (bytes == 0)
    return nullptr;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&program.getBody().front());
  return rt::AllocOp::create(
      builder, loc, bufferType(builder.getContext(), bytes, rt::Storage::transient),
      IntegerAttr());
}

/// Copies `value` to `home` if it stands elsewhere.
void StepConverter::ensureAt(Value value, const Home &home) {
  if (homes.of(value) == home || home.size == 0)
    return;
  rt::CopyOp::create(builder, loc, timepoint, bufferOf(value), bufferAt(home), ValueRange());
  packingCopyBytes += home.size;
}

Value StepConverter::bufferInPlace(Value init, const Home &home) {
  bool isThere = homes.of(init) == home;
  ensureAt(init, home);
  return bufferAt(home, isThere ? versionOf(init) : Version::Updated);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static int64_t configValue(KernelOp kernel, StringRef name, int64_t otherwise) {
  if (auto config = kernel.getConfigAttr())
    if (auto value = config.getAs<IntegerAttr>(name))
      return value.getInt();
  return otherwise;
}

SegmentTable StepConverter::segmentsOf(LaunchOp op) {
  SegmentTable table;
  if (!op.getBucketAttr())
    return table;
  auto bucket = symbols.lookup<BucketOp>(*op.getBucket());
  auto decay = op->getAttrOfType<FloatAttr>("weight_decay");
  for (auto [name, offset] : llvm::zip_equal(
           bucket.getParameters().getAsRange<FlatSymbolRefAttr>(), bucket.getOffsets())) {
    auto parameter = symbols.lookup<ParameterOp>(name.getValue());
    table.begins.push_back(offset);
    table.ends.push_back(offset + parameter.getTensorType().getNumElements());
    table.lrScales.push_back(
        parameter.getLrScale() ? parameter.getLrScale()->convertToDouble() : 1.0);
    table.weightDecays.push_back(parameter.getWeightDecay()
                                     ? parameter.getWeightDecay()->convertToDouble()
                                 : decay ? decay.getValueAsDouble()
                                         : 0.0);
  }
  return table;
}

LogicalResult StepConverter::convert(LaunchOp op) {
  auto kernel = symbols.lookup<KernelOp>(op.getKernel());
  SmallVector<Value> ins, outs;
  SmallVector<bool> updated;
  for (Value in : op.getIns())
    ins.push_back(bufferOf(in));
  for (auto [result, init, argument] :
       llvm::zip_equal(op.getResults(), op.getOuts(), kernel.getOuts())) {
    updated.push_back(!argument.use_empty());
    outs.push_back(updated.back() ? bufferInPlace(init, homes.of(result)) : bufferOf(result));
  }
  int64_t elements = kernel.getUpdate() ? cast<RankedTensorType>(op.getResult(0).getType()).getNumElements() : 0;
  int64_t extent = kernel.getUpdate() ? elements : configValue(kernel, "extent", 1);
  SegmentTable table = segmentsOf(op);
  bool whole = !table.begins.empty() &&
               elements != int64_t(symbols.lookup<BucketOp>(*op.getBucket()).getShardElements());
  rt::DispatchOp::create(builder, loc, timepoint, op.getKernelAttr(), ins, outs,
                         scratch(threads * configValue(kernel, "thread_scratch_bytes", 0)),
                         ValueRange(), builder.getDenseBoolArrayAttr(updated),
                         op.getScalarsAttr(), builder.getI64IntegerAttr(extent),
                         builder.getI64IntegerAttr(configValue(kernel, "grain", 1)),
                         builder.getI64IntegerAttr(whole ? 0 : elements),
                         builder.getDenseI64ArrayAttr(table.begins),
                         builder.getDenseI64ArrayAttr(table.ends),
                         builder.getDenseF64ArrayAttr(table.lrScales),
                         builder.getDenseF64ArrayAttr(table.weightDecays),
                         rt::QueueAttr::get(builder.getContext(), rt::Queue::compute));
  return success();
}

/// The scratch that the runtime's product of this form needs.
static FailureOr<int64_t> productScratch(ProductOp op, int64_t threads) {
  auto dtype = runtimeType(op.getResult().getType().getElementType());
  if (failed(dtype))
    return op.emitError() << "has elements of " << op.getResult().getType().getElementType()
                          << ", of which there is no product";
  ArrayRef<int64_t> sizes = op.getSizes(), a = op.getAStrides(), b = op.getBStrides(),
                    c = op.getCStrides();
  zrt_matmul_t matmul{sizes[0], sizes[1], sizes[2], sizes[3], a[0], a[1], a[2], b[0], b[1], b[2],
                      c[0],     c[1],     uint32_t(*dtype), uint32_t(*dtype), uint32_t(*dtype),
                      op.getInit() != nullptr, op.getBias() != nullptr, uint32_t(threads), 0};
  uint64_t bytes = 0;
  if (zrt_status_t *status = zrt_matmul_scratch_bytes(&matmul, &bytes)) {
    InFlightDiagnostic diagnostic = op.emitError() << zrt_status_message(status);
    zrt_status_destroy(status);
    return diagnostic;
  }
  return int64_t(bytes);
}

LogicalResult StepConverter::convert(ProductOp op) {
  FailureOr<int64_t> bytes = productScratch(op, threads);
  if (failed(bytes))
    return failure();
  Type type = op.getResult().getType().getElementType();
  int64_t elementBytes = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  auto from = [&](Value value, int64_t elements) {
    const Home &home = homes.of(value);
    return bufferAt(home.slice(elements * elementBytes, home.size - elements * elementBytes),
                    versionOf(value));
  };
  const Home &home = homes.of(op.getResult());
  Value c = op.getInit() ? bufferInPlace(op.getInit(), home) : bufferAt(home);
  Value bias;
  if (op.getBias())
    bias = bufferAt(homes.of(op.getBias())
                        .slice(op.getBiasOffset() * elementBytes, op.getSizes()[2] * elementBytes),
                    versionOf(op.getBias()));
  rt::MatmulOp::create(builder, loc, timepoint, from(op.getA(), op.getAOffset()),
                       from(op.getB(), op.getBOffset()), bias, c, scratch(*bytes),
                       ValueRange(), op.getSizesAttr(), op.getAStridesAttr(),
                       op.getBStridesAttr(), op.getCStridesAttr(), TypeAttr::get(type),
                       op.getInit() ? builder.getUnitAttr() : UnitAttr(),
                       rt::QueueAttr::get(builder.getContext(), rt::Queue::compute));
  return success();
}

/// Slots are computed in their places; what lies between them is zero.
LogicalResult StepConverter::convert(AssembleOp op) {
  auto bucket = symbols.lookup<BucketOp>(op.getBucket());
  const Home &whole = homes.of(op.getResult());
  int64_t end = 0;
  auto fillTo = [&](int64_t begin) {
    if (begin > end)
      rt::FillOp::create(builder, loc, timepoint, bufferAt(whole.slice(end, begin - end)),
                         ValueRange());
  };
  for (auto [index, value] : llvm::enumerate(op.getSlots())) {
    Home slot = homes.slot(whole, bucket, index, value.getType());
    ensureAt(value, slot);
    fillTo(slot.offset - whole.offset);
    end = slot.offset - whole.offset + slot.size;
  }
  fillTo(whole.size);
  return success();
}

LogicalResult StepConverter::convert(tensor::ConcatOp op) {
  if (op.getDim() != 0)
    return op.emitError() << "concatenates inside rows, outside a kernel";
  const Home &whole = homes.of(op.getResult());
  int64_t begin = 0;
  for (Value input : op.getInputs()) {
    Home part = whole.slice(begin, tensorBytes(input.getType()));
    ensureAt(input, part);
    begin += part.size;
  }
  return success();
}

template <typename RtOp>
LogicalResult StepConverter::convertCollective(Operation *op, Value whole) {
  auto type = cast<RankedTensorType>(whole.getType());
  if (type.getNumElements() == 0)
    return success();
  RtOp::create(builder, loc, timepoint, bufferOf(op->getOperand(0)), bufferOf(op->getResult(0)),
               ValueRange(), builder.getI64IntegerAttr(type.getNumElements()),
               TypeAttr::get(type.getElementType()),
               type.getRank() == 0 ? builder.getUnitAttr() : UnitAttr(),
               builder.getI64IntegerAttr(0),
               rt::QueueAttr::get(builder.getContext(), rt::Queue::compute));
  return success();
}

LogicalResult StepConverter::convert(Operation *op) {
  loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<LoadShardOp, SlotOp, AfterOp, tensor::EmptyOp, tensor::ExtractSliceOp,
            tensor::ExpandShapeOp, tensor::CollapseShapeOp>([](auto) { return success(); })
      .Case<LaunchOp, ProductOp, AssembleOp, tensor::ConcatOp>([&](auto o) { return convert(o); })
      .Case([&](AllGatherOp gather) {
        return convertCollective<rt::AllGatherOp>(gather, gather.getResult());
      })
      .Case([&](ReduceScatterOp scatter) {
        return convertCollective<rt::ReduceScatterOp>(scatter, scatter.getSource());
      })
      .Case([&](AllReduceOp reduce) {
        return convertCollective<rt::AllReduceOp>(reduce, reduce.getResult());
      })
      .Case([&](StoreShardOp store) {
        auto bucket = symbols.lookup<BucketOp>(store.getBucket());
        ensureAt(store.getSource(),
                 homes.persistent(bucket, store.getValue(),
                                  store.getSource().getType().getNumElements()));
        return success();
      })
      .Case([](YieldOp) { return success(); })
      .Default([](Operation *) { return failure(); });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

void StepConverter::createProgram() {
  SmallVector<Attribute> externals;
  SmallVector<Type> types;
  auto add = [&](StringRef role, Type type, bool output) {
    NamedAttrList attrs;
    attrs.set("role", builder.getStringAttr(role));
    attrs.set("type", TypeAttr::get(type));
    if (output)
      attrs.set("output", builder.getUnitAttr());
    externals.push_back(attrs.getDictionary(builder.getContext()));
    types.push_back(bufferType(builder.getContext(), tensorBytes(type), rt::Storage::external));
  };
  for (BlockArgument argument : step.getBody().getArguments())
    add(step.getRole(argument.getArgNumber()), argument.getType(), false);
  for (auto [value, name] :
       llvm::zip(step.getYield().getValues(), kOutputs))
    add(name, value.getType(), true);
  builder.setInsertionPoint(step);
  program = rt::ProgramOp::create(builder, step.getLoc(), builder.getStringAttr(step.getSymName()),
                                  builder.getI64IntegerAttr(worldSize),
                                  builder.getI64IntegerAttr(threads),
                                  builder.getArrayAttr(externals));
  Block &block = program.getBody().emplaceBlock();
  block.addArguments(types, SmallVector<Location>(types.size(), step.getLoc()));
}

/// Homes are found for tensors that operations with a runtime form make.
static LogicalResult checkOperations(StepOp step) {
  for (Operation &op : step.getBody().front())
    if (!isa<LoadShardOp, StoreShardOp, SlotOp, AfterOp, AssembleOp, AllGatherOp, ReduceScatterOp,
             AllReduceOp, LaunchOp, ProductOp, YieldOp, tensor::EmptyOp, tensor::ExtractSliceOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ConcatOp>(op))
      return op.emitError() << "'" << op.getName() << "' has no runtime form";
  return success();
}

LogicalResult StepConverter::run() {
  if (failed(checkOperations(step)) || failed(homes.assign()))
    return failure();
  createProgram();
  builder.setInsertionPointToEnd(&program.getBody().front());
  writeOutputs(nullptr);
  for (Operation &op : step.getBody().front()) {
    if (failed(convert(&op)))
      return failure();
    writeOutputs(&op);
  }
  return success();
}

/// Brings what the step yields to the program's outputs as soon as `op` has made it (or,
/// if null, before all): a loss that is a parameter is overwritten by the update.
void StepConverter::writeOutputs(Operation *op) {
  for (auto [value, name] : llvm::zip(step.getYield().getValues(), kOutputs))
    if (value.getDefiningOp() == op)
      ensureAt(value, homes.output(name, value.getType()));
}

} // namespace zero
