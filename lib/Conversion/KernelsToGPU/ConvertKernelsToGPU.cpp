//===- ConvertKernelsToGPU.cpp - Kernels as PTX ---------------------------===//

#include "GpuEvaluator.h"

#include "zero/Conversion/KernelSupport.h"
#include "zero/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_CONVERTKERNELSTOGPUPASS
#include "zero/Conversion/Passes.h.inc"

/// void(ptr operands..., i64 scalars..., i64 begin, i64 end).
static LLVM::LLVMFunctionType kernelType(KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context), i64 = IntegerType::get(context, 64);
  SmallVector<Type> arguments(kernel.getNumInputs() + kernel.getNumOuts(), pointer);
  arguments.append(kernel.getScalars().size() + 2, i64);
  return LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), arguments);
}

static FailureOr<ModuleOp> emitGpuKernel(KernelOp kernel) {
  OpBuilder builder(kernel);
  auto module = ModuleOp::create(builder, kernel.getLoc(), kernel.getSymName());
  builder.setInsertionPointToStart(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), ("zero_kernel_" + kernel.getSymName()).str(), kernelType(kernel));
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    builder.getDenseI32ArrayAttr({int32_t(kBlockThreads), 1, 1}));
  if (succeeded(GpuEvaluator(kernel, function).emit()) && succeeded(lowerToNVVM(module)))
    return module;
  module.erase();
  return failure();
}

namespace {
struct ConvertKernelsToGPUPass : impl::ConvertKernelsToGPUPassBase<ConvertKernelsToGPUPass> {
  using ConvertKernelsToGPUPassBase::ConvertKernelsToGPUPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerKernelDialects(registry);
    registry.insert<NVVM::NVVMDialect>();
  }

  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      FailureOr<ModuleOp> module = emitGpuKernel(kernel);
      if (failed(module))
        return signalPassFailure();
      kernel.erase();
      FailureOr<std::string> ptx = emitPtx(*module, chip, libdevice);
      if (failed(ptx))
        return signalPassFailure();
      (*module)->setAttr("zero.ptx", StringAttr::get(&getContext(), *ptx));
    }
  }
};
} // namespace
} // namespace zero
