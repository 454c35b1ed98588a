//===- LowerToLLVM.cpp - Emitted kernels to the LLVM dialect --------------===//

#include "CpuEvaluator.h"

#include "../Kernels/LoweringPatterns.h"

#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace zero {

/// tanh and erf of f32, which are hot in activations, become polynomials: they are within
/// 4 ulp over the whole range. Other functions of lanes go to a vector library.
static LogicalResult approximateMath(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    return name == math::TanhOp::getOperationName() || name == math::ErfOp::getOperationName();
  });
  GreedyRewriteConfig config;
  // Nothing else is to be changed here: LLVM simplifies better.
  config.enableFolding(false)
      .enableConstantCSE(false)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  SmallVector<Operation *> functions;
  module.walk([&](Operation *op) {
    if (isa<math::MathDialect>(op->getDialect()))
      functions.push_back(op);
  });
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(functions, std::move(patterns), config);
}

LogicalResult lowerToLLVM(ModuleOp module) {
  if (failed(approximateMath(module)))
    return failure();
  callVectorLibrary(module);
  MLIRContext *context = module.getContext();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  populateKernelLoweringPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  // What LLVM has as instructions comes first, fused multiply-adds above all; libm has
  // what is left where there is no vector library.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  populateMathToLibmConversionPatterns(patterns, /*benefit=*/1);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

} // namespace zero
