//===- ConvertKernelsToCPU.cpp - Kernels as functions of the LLVM dialect -===//

#include "CpuEvaluator.h"

#include "zero/Conversion/KernelSupport.h"
#include "zero/Conversion/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_CONVERTKERNELSTOCPUPASS
#include "zero/Conversion/Passes.h.inc"

/// void(void *const *operands, const int64_t *scalars, int64_t begin, int64_t
/// end).
static LLVM::LLVMFunctionType kernelType(MLIRContext *context) {
  Type pointer = LLVM::LLVMPointerType::get(context),
       i64 = IntegerType::get(context, 64);
  return LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                     {pointer, pointer, i64, i64});
}

FailureOr<ModuleOp> emitKernel(KernelOp kernel) {
  OpBuilder builder(kernel);
  auto module = ModuleOp::create(builder, kernel.getLoc(), kernel.getSymName());
  builder.setInsertionPointToStart(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), ("zero_kernel_" + kernel.getSymName()).str(),
      kernelType(kernel.getContext()));
  if (succeeded(CpuEvaluator(kernel, function).emit()))
    return module;
  module.erase();
  return failure();
}

bool isKernelSupported(KernelOp kernel) {
  ScopedDiagnosticHandler silence(kernel.getContext(), [](Diagnostic &) { return success(); });
  FailureOr<ModuleOp> module = emitKernel(kernel);
  if (failed(module))
    return false;
  module->erase();
  return true;
}

void registerKernelDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                  LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect,
                  vector::VectorDialect>();
}

namespace {
struct ConvertKernelsToCPUPass
    : impl::ConvertKernelsToCPUPassBase<ConvertKernelsToCPUPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registerKernelDialects(registry);
  }

  void runOnOperation() override {
    SmallVector<ModuleOp> emitted;
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      FailureOr<ModuleOp> module = emitKernel(kernel);
      if (failed(module))
        return signalPassFailure();
      kernel.erase();
      emitted.push_back(*module);
    }
    if (failed(failableParallelForEach(&getContext(), emitted, lowerToLLVM)))
      signalPassFailure();
  }
};
} // namespace
} // namespace zero
