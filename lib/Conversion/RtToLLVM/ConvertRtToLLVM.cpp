//===- ConvertRtToLLVM.cpp - Programs as one constant command table -------===//

#include "ImageBuilder.h"

#include "zero/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MD5.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_CONVERTRTTOLLVMPASS
#include "zero/Conversion/Passes.h.inc"

/// Writes the MD5 of the image and of every kernel into the image.
static void setFingerprint(std::string &image, ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto kernel : module.getOps<ModuleOp>())
    kernel->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
  llvm::MD5 hash;
  hash.update(image);
  hash.update(text);
  auto [low, high] = hash.final().words();
  auto *header = reinterpret_cast<zrt_image_t *>(image.data());
  header->fingerprint[0] = low;
  header->fingerprint[1] = high;
}

namespace {
/// Writes the globals that make up a zrt_module_t.
class ModuleWriter {
public:
  explicit ModuleWriter(ModuleOp module)
      : builder(OpBuilder::atBlockEnd(module.getBody())), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void writeImage(StringRef bytes) {
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                           "zrt_image", builder.getStringAttr(bytes), /*alignment=*/64);
  }

  void writeKernelTable(const KernelTable &kernels) {
    auto functionType = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(builder.getContext()),
        {pointer, pointer, builder.getI64Type(), builder.getI64Type()});
    SmallVector<std::string> names;
    for (auto &[name, index] : kernels) {
      names.push_back(("zero_kernel_" + name.getValue()).str());
      LLVM::LLVMFuncOp::create(builder, loc, names.back(), functionType);
    }
    writeAddresses("zrt_kernels", LLVM::LLVMArrayType::get(pointer, names.size()), names,
                   LLVM::Linkage::Internal);
  }

  void writeModule() {
    auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer});
    writeAddresses("zrt_module", type, {"zrt_image", "zrt_kernels"}, LLVM::Linkage::External);
  }

private:
  /// A constant aggregate of the addresses of symbols.
  void writeAddresses(StringRef name, Type type, ArrayRef<std::string> symbols,
                      LLVM::Linkage linkage) {
    OpBuilder::InsertionGuard guard(builder);
    auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, linkage, name,
                                         Attribute());
    builder.createBlock(&global.getInitializerRegion());
    Value value = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [index, symbol] : llvm::enumerate(symbols)) {
      Value address = LLVM::AddressOfOp::create(builder, loc, pointer, symbol);
      value = LLVM::InsertValueOp::create(builder, loc, value, address, int64_t(index));
    }
    LLVM::ReturnOp::create(builder, loc, value);
  }

  OpBuilder builder;
  Location loc;
  Type pointer;
};

struct ConvertRtToLLVMPass : impl::ConvertRtToLLVMPassBase<ConvertRtToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    ImageTables tables;
    KernelTable kernels;
    if (failed(fillHeader(module, tables)) || failed(addParameters(module, tables)))
      return signalPassFailure();
    SymbolTable symbols(module);
    for (auto program : module.getOps<rt::ProgramOp>())
      if (failed(addProgram(program, symbols, kernels, tables)))
        return signalPassFailure();
    tables.header.kernel_count = kernels.size();
    std::string image = tables.serialize();
    setFingerprint(image, module);
    eraseOurs(module);
    ModuleWriter writer(module);
    writer.writeImage(image);
    writer.writeKernelTable(kernels);
    writer.writeModule();
  }

  LogicalResult fillHeader(ModuleOp module, ImageTables &tables) {
    auto memory = module->getAttrOfType<DictionaryAttr>(rt::kMemoryAttr);
    if (!memory)
      return module.emitError() << "has no planned memory; run rt-plan-memory first";
    auto value = [&](StringRef name) -> uint64_t {
      auto attr = memory.getAs<IntegerAttr>(name);
      return attr ? attr.getInt() : 0;
    };
    auto stage = module->getAttrOfType<IntegerAttr>("zero.stage");
    zrt_image_t &header = tables.header;
    header.magic = ZRT_IMAGE_MAGIC;
    header.abi_version = ZRT_ABI_VERSION;
    header.stage = stage ? stage.getInt() : 0;
    header.persistent_bytes = value("persistent_bytes");
    header.transient_bytes = value("transient_bytes");
    header.lower_bound_bytes = value("lower_bound_bytes");
    return success();
  }

  void eraseOurs(ModuleOp module) {
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<rt::RtDialect, ZeroDialect>(op.getDialect()))
        op.erase();
    for (StringRef name : {StringRef("zero.stage"), StringRef("zero.world_size"),
                           StringRef(rt::kMemoryAttr)})
      module->removeAttr(name);
  }
};
} // namespace
} // namespace zero
