//===- MachineCode.cpp - A lowered module as machine code -----------------===//

#include "MachineCode.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/IRTransformLayer.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::orc;

namespace zero {

/// The target is this machine, with all its vector instructions.
static Expected<JITTargetMachineBuilder> makeTarget() {
  static const bool initialized = [] {
    return !InitializeNativeTarget() && !InitializeNativeTargetAsmPrinter();
  }();
  if (!initialized)
    return createStringError("LLVM was built without a back end for this machine");
  Expected<JITTargetMachineBuilder> target = JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  target->setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  // A contraction that LLVM formed would make results depend on how a kernel happens
  // to be compiled; fused multiply-adds are operations of the IR.
  target->getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  return target;
}

/// Runs the O3 pipeline on each module, in the thread that compiles it. Target
/// machines are not safe to share between threads, so each module gets its own.
static IRTransformLayer::TransformFunction makeOptimizer(JITTargetMachineBuilder target) {
  return [target](ThreadSafeModule module, MaterializationResponsibility &) mutable
             -> Expected<ThreadSafeModule> {
    JITTargetMachineBuilder builder = target;
    auto machine = builder.createTargetMachine();
    if (!machine)
      return machine.takeError();
    auto optimize = mlir::makeOptimizingTransformer(3, 0, machine->get());
    if (Error error = module.withModuleDo([&](Module &m) { return optimize(&m); }))
      return error;
    return module;
  };
}

static Expected<std::unique_ptr<LLJIT>> makeJit() {
  Expected<JITTargetMachineBuilder> target = makeTarget();
  if (!target)
    return target.takeError();
  auto jit = LLJITBuilder()
                 .setJITTargetMachineBuilder(*target)
                 .setNumCompileThreads(2)
                 .create();
  if (jit)
    (*jit)->getIRTransformLayer().setTransform(makeOptimizer(*target));
  return jit;
}

/// Translates `op` to LLVM IR in a context of its own, so that modules can be
/// compiled by several threads, and hands it to the JIT.
static Error addModule(LLJIT &jit, mlir::ModuleOp op, StringRef name) {
  auto context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(op, *context, name);
  if (!module)
    return createStringError("no LLVM IR could be made of " + name);
  module->setDataLayout(jit.getDataLayout());
  module->setTargetTriple(jit.getTargetTriple());
  for (Function &function : *module)
    if (!function.isDeclaration())
      function.addFnAttr("prefer-vector-width", "512");
  return jit.addIRModule(ThreadSafeModule(std::move(module), std::move(context)));
}

Expected<MachineCode> MachineCode::generate(mlir::ModuleOp module) {
  Expected<std::unique_ptr<LLJIT>> jit = makeJit();
  if (!jit)
    return jit.takeError();
  for (mlir::ModuleOp kernel :
       llvm::make_early_inc_range(module.getOps<mlir::ModuleOp>())) {
    if (Error error = addModule(**jit, kernel, kernel.getName().value_or("kernel")))
      return error;
    kernel.erase();
  }
  if (Error error = addModule(**jit, module, "tables"))
    return error;
  Expected<ExecutorAddr> table = (*jit)->lookup("zrt_module");
  if (!table)
    return table.takeError();
  return MachineCode(std::move(*jit), table->toPtr<const zrt_module_t *>());
}

} // namespace zero
