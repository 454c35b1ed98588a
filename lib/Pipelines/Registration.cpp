//===- Registration.cpp - Every dialect and pass, from one place ----------===//

#include "zero/Pipelines/Registration.h"

#include "dialects/NN/NNDialect.h"
#include "dialects/Rt/RtDialect.h"
#include "dialects/Zero/ZeroDialect.h"
#include "zero/Conversion/Passes.h"
#include "zero/Differentiation/Rules.h"
#include "zero/Pipelines/Passes.h"
#include "zero/Pipelines/Pipelines.h"
#include "zero/Transforms/Passes.h"
#include "zero/Transforms/RtPasses.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

void zero::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<ZeroDialect, nn::NNDialect, rt::RtDialect>();
  registerDifferentiationRules(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
}

void zero::registerAllPasses() {
  mlir::registerAllPasses();
  registerTransformsPasses();
  registerRtTransformsPasses();
  registerConversionPasses();
  registerPipelinesPasses();
  registerPipelines();
}
