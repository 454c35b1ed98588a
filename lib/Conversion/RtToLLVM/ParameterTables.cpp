//===- ParameterTables.cpp - Parameters and buckets in an image -----------===//

#include "ImageBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace zero {

static void setInit(zrt_parameter_t &entry, Attribute init) {
  auto set = [&](zrt_init_t kind, double arg0 = 0, double arg1 = 0) {
    entry.init = kind;
    entry.init_arg0 = arg0;
    entry.init_arg1 = arg1;
  };
  llvm::TypeSwitch<Attribute>(init)
      .Case([&](ZerosAttr) { set(ZRT_INIT_ZEROS); })
      .Case([&](OnesAttr) { set(ZRT_INIT_ONES); })
      .Case([&](ConstantAttr a) { set(ZRT_INIT_CONSTANT, a.getValue().convertToDouble()); })
      .Case([&](NormalAttr a) {
        set(ZRT_INIT_NORMAL, a.getMean().convertToDouble(), a.getStddev().convertToDouble());
      })
      .Case([&](UniformAttr a) {
        set(ZRT_INIT_UNIFORM, a.getLow().convertToDouble(), a.getHigh().convertToDouble());
      })
      .Case([&](IotaAttr a) {
        set(ZRT_INIT_IOTA, a.getStart().convertToDouble(), a.getStep().convertToDouble());
      });
}

namespace {
class ParameterTableBuilder {
public:
  ParameterTableBuilder(ModuleOp module, ImageTables &tables) : module(module), tables(tables) {}

  LogicalResult run() {
    for (auto bucket : module.getOps<BucketOp>())
      if (failed(addBucket(bucket)))
        return failure();
    for (auto parameter : module.getOps<ParameterOp>())
      if (failed(addParameter(parameter)))
        return failure();
    for (auto alias : module.getOps<AliasOp>())
      addAlias(alias);
    return success();
  }

private:
  LogicalResult addBucket(BucketOp bucket);
  LogicalResult addValues(BucketOp bucket, zrt_dtype_t dtype);
  LogicalResult addParameter(ParameterOp parameter);
  void addAlias(AliasOp alias);

  ModuleOp module;
  ImageTables &tables;
  DenseMap<StringAttr, std::pair<BucketOp, uint32_t>> bucketOf; ///< by parameter
  DenseMap<StringAttr, uint32_t> parameterIndex;
};
} // namespace

/// The parameter first, then the optimizer's states in the order of their creation.
LogicalResult ParameterTableBuilder::addValues(BucketOp bucket, zrt_dtype_t dtype) {
  SmallVector<rt::GlobalOp> globals;
  for (auto global : module.getOps<rt::GlobalOp>())
    if (global.getBucket() == bucket.getSymName())
      globals.push_back(global);
  llvm::stable_sort(globals, [](rt::GlobalOp a, rt::GlobalOp b) {
    return (a.getValue() == kParameterValue) > (b.getValue() == kParameterValue);
  });
  for (rt::GlobalOp global : globals) {
    if (!global.getOffset())
      return global.emitError() << "has no place; run rt-plan-memory first";
    bool isParameter = global.getValue() == kParameterValue;
    tables.bucketValues.push_back({tables.addString(global.getValue()),
                                   bucket.isCut(global.getValue()), uint32_t(dtype), 0,
                                   *global.getOffset()});
    tables.header.state_bytes[isParameter ? 0 : 2] +=
        cast<rt::BufferType>(global.getType()).getBytes();
  }
  return success();
}

LogicalResult ParameterTableBuilder::addBucket(BucketOp bucket) {
  FailureOr<zrt_dtype_t> dtype = runtimeType(bucket.getElementType());
  if (failed(dtype))
    return bucket.emitError() << "has elements of " << bucket.getElementType()
                              << ", which the runtime does not know";
  for (auto name : bucket.getParameters().getAsRange<FlatSymbolRefAttr>())
    bucketOf[name.getAttr()] = {bucket, uint32_t(tables.buckets.size())};
  size_t first = tables.bucketValues.size();
  if (failed(addValues(bucket, *dtype)))
    return failure();
  tables.buckets.push_back({tables.addString(bucket.getSymName()), bucket.getTrainable(),
                            bucket.getShardElements(), bucket.getRealElements(),
                            {first, tables.bucketValues.size() - first}});
  return success();
}

LogicalResult ParameterTableBuilder::addParameter(ParameterOp parameter) {
  auto [bucket, index] = bucketOf.lookup(parameter.getSymNameAttr());
  if (!bucket)
    return parameter.emitError() << "has no bucket; run zero-form-buckets first";
  RankedTensorType type = parameter.getTensorType();
  zrt_parameter_t entry{};
  entry.name = tables.addString(parameter.getSymName());
  entry.alias_of = ZRT_NONE;
  entry.bucket = index;
  entry.dtype = *runtimeType(type.getElementType());
  entry.rank = type.getRank();
  entry.shape_begin = tables.addDims(type.getShape());
  entry.bucket_offset_elements = *bucket.findOffset(parameter.getSymName());
  entry.elements = type.getNumElements();
  entry.is_frozen = parameter.getFrozen();
  setInit(entry, parameter.getInit());
  parameterIndex[parameter.getSymNameAttr()] = tables.parameters.size();
  tables.parameters.push_back(entry);
  return success();
}

void ParameterTableBuilder::addAlias(AliasOp alias) {
  uint32_t target = parameterIndex.lookup(alias.getTargetAttr().getAttr());
  zrt_parameter_t entry = tables.parameters[target];
  entry.name = tables.addString(alias.getSymName());
  entry.alias_of = target;
  tables.parameters.push_back(entry);
}

LogicalResult addParameters(ModuleOp module, ImageTables &tables) {
  return ParameterTableBuilder(module, tables).run();
}

} // namespace zero
