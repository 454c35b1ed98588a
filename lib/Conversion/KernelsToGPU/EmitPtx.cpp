//===- EmitPtx.cpp - PTX of a lowered kernel ------------------------------===//

#include "GpuEvaluator.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;

namespace zero {

/// The first PTX version that the chip has and that its features need; empty for a chip
/// that is not known.
static StringRef featuresOf(StringRef chip) {
  return llvm::StringSwitch<StringRef>(chip)
      .Cases({"sm_80", "sm_90"}, "+ptx80")
      .Case("sm_100", "+ptx86")
      .Default("");
}

static std::unique_ptr<llvm::TargetMachine> createMachine(StringRef chip) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  // Fused multiply-adds are operations of the IR, here as on CPUs.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip, featuresOf(chip), options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

static bool needsLibrary(llvm::Module &module) {
  return llvm::any_of(module, [](llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
}

/// Links what the kernel uses of the device library, and hides it.
static LogicalResult linkLibrary(ModuleOp op, llvm::Module &module, StringRef path) {
  if (!needsLibrary(module))
    return success();
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library = llvm::parseIRFile(path, problem, module.getContext());
  if (!library)
    return op.emitError() << "can't read the device library " << path << ": "
                          << problem.getMessage();
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto hide = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded, hide))
    return op.emitError() << "can't link the device library " << path;
  // Denormals are kept, as on CPUs.
  module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", uint32_t(0));
  return success();
}

FailureOr<std::string> emitPtx(ModuleOp op, StringRef chip, StringRef libdevice) {
  if (featuresOf(chip).empty())
    return op.emitError() << "chip '" << chip << "' is not known; want sm_80, sm_90 or sm_100";
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(chip);
  if (!machine)
    return op.emitError() << "LLVM was built without a back end for NVIDIA GPUs";
  registerBuiltinDialectTranslation(*op.getContext());
  registerLLVMDialectTranslation(*op.getContext());
  registerNVVMDialectTranslation(*op.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(op, context, "kernel");
  if (!module)
    return op.emitError() << "no LLVM IR could be made of the kernel";
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  if (failed(linkLibrary(op, *module, libdevice)))
    return failure();
  auto optimize = makeOptimizingTransformer(3, 0, machine.get());
  if (llvm::Error error = optimize(module.get()))
    return op.emitError() << llvm::toString(std::move(error));
  SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return op.emitError() << "the back end writes no PTX";
  passes.run(*module);
  return text.str().str();
}

} // namespace zero
