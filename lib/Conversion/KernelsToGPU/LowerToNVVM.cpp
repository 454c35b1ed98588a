//===- LowerToNVVM.cpp - Emitted kernels to the NVVM dialect --------------===//

#include "GpuEvaluator.h"

#include "../Kernels/LoweringPatterns.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace zero {

/// LLVM's square root is rounded; the library's may be an approximation.
static void roundSquareRoots(ModuleOp module) {
  module.walk([](math::SqrtOp op) {
    OpBuilder builder(op);
    Value root = LLVM::SqrtOp::create(builder, op.getLoc(), op.getType(), op.getOperand());
    op.replaceAllUsesWith(root);
    op.erase();
  });
}

LogicalResult lowerToNVVM(ModuleOp module) {
  roundSquareRoots(module);
  MLIRContext *context = module.getContext();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  populateKernelLoweringPatterns(converter, patterns);
  // The device library comes first: LLVM has no code for most functions on this target.
  populateLibDeviceConversionPatterns(converter, patterns, /*benefit=*/2);
  populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false,
                                       /*benefit=*/1);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  target.addLegalDialect<NVVM::NVVMDialect>();
  return applyFullConversion(module, target, std::move(patterns));
}

} // namespace zero
