//===- KernelHarness.cpp - Compiles and runs one kernel -------------------===//

#include "KernelHarness.h"

#include "dialects/NN/NNDialect.h"
#include "dialects/Rt/RtDialect.h"
#include "dialects/Rt/RtOps.h"
#include "dialects/Zero/ZeroOps.h"
#include "zero/Conversion/Passes.h"
#include "zero/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>

using namespace llvm;
using namespace llvm::orc;

namespace zero::test {

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static mlir::MLIRContext &context() {
  static mlir::MLIRContext *context = [] {
    mlir::DialectRegistry registry;
    registry.insert<ZeroDialect, nn::NNDialect, rt::RtDialect, mlir::arith::ArithDialect,
                    mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                    mlir::tensor::TensorDialect>();
    mlir::registerAllToLLVMIRTranslations(registry);
    return new mlir::MLIRContext(registry);
  }();
  return *context;
}

static mlir::OwningOpRef<mlir::ModuleOp> lower(const std::string &text, std::string &errors,
                                               int64_t &extent, int64_t &scratch) {
  mlir::ScopedDiagnosticHandler handler(&context(), [&](mlir::Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context());
  if (!module)
    return {};
  mlir::PassManager select(&context()), convert(&context());
  select.addPass(createSelectKernelConfigPass());
  convert.addPass(createConvertKernelsToCPUPass());
  if (failed(select.run(*module)))
    return {};
  for (auto kernel : module->getOps<KernelOp>()) {
    auto number = [&](StringRef name) {
      return kernel.getConfigAttr().getAs<mlir::IntegerAttr>(name).getInt();
    };
    extent = number("extent");
    scratch = number("thread_scratch_bytes");
  }
  if (failed(convert.run(*module)))
    return {};
  if (std::getenv("ZERO_DUMP_KERNELS"))
    module->dump();
  return module;
}

std::string compileError(const std::string &text) {
  std::string errors;
  int64_t extent, scratch;
  bool succeeded = bool(lower(text, errors, extent, scratch));
  return succeeded ? "" : errors;
}

std::vector<KernelText> readKernels(const char *path) {
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context());
  std::vector<KernelText> kernels;
  if (!module)
    return kernels;
  for (auto kernel : module->getOps<KernelOp>()) {
    KernelText result{kernel.getSymName().str()};
    module->walk([&](rt::DispatchOp dispatch) {
      result.count += dispatch.getKernel() == kernel.getSymName();
    });
    for (mlir::Type type : kernel.getFunctionType().getInputs())
      if (auto tensor = dyn_cast<mlir::RankedTensorType>(type))
        result.operandBytes.push_back(
            tensor.getNumElements() *
            std::max(1u, tensor.getElementTypeBitWidth() / 8));
    result.scalars.resize(kernel.getNumScalars());
    kernel.setSymName("k");
    raw_string_ostream stream(result.text);
    kernel->print(stream, mlir::OpPrintingFlags().useLocalScope());
    kernel.setSymName(result.name);
    kernels.push_back(std::move(result));
  }
  return kernels;
}

/// A JIT of the compiler's settings: O3, 512-bit vectors, nothing contracted.
static std::unique_ptr<LLJIT> makeJit() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto target = cantFail(JITTargetMachineBuilder::detectHost());
  target.setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  target.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  auto jit = cantFail(LLJITBuilder().setJITTargetMachineBuilder(target).create());
  jit->getIRTransformLayer().setTransform(
      [target](ThreadSafeModule module, MaterializationResponsibility &) mutable
      -> Expected<ThreadSafeModule> {
        auto machine = cantFail(target.createTargetMachine());
        auto optimize = mlir::makeOptimizingTransformer(3, 0, machine.get());
        if (Error error = module.withModuleDo([&](Module &m) { return optimize(&m); }))
          return error;
        return module;
      });
  return jit;
}

CompiledKernel::CompiledKernel(const std::string &text) {
  std::string errors;
  double start = now();
  auto module = lower(text, errors, extentValue, scratchBytes);
  passSeconds = now() - start;
  if (!module) {
    ADD_FAILURE() << errors << text;
    return;
  }
  start = now();
  jit = makeJit();
  for (auto kernel : module->getOps<mlir::ModuleOp>()) {
    auto llvmContext = std::make_unique<LLVMContext>();
    auto translated = mlir::translateModuleToLLVMIR(kernel, *llvmContext, "kernel");
    if (!translated) {
      ADD_FAILURE() << "no LLVM IR could be made of " << text;
      return;
    }
    translated->setDataLayout(jit->getDataLayout());
    translated->setTargetTriple(jit->getTargetTriple());
    for (Function &function : *translated)
      if (!function.isDeclaration())
        function.addFnAttr("prefer-vector-width", "512");
    cantFail(jit->addIRModule({std::move(translated), std::move(llvmContext)}));
  }
  auto symbol = jit->lookup("zero_kernel_k");
  if (!symbol) {
    ADD_FAILURE() << toString(symbol.takeError());
    return;
  }
  function = symbol->toPtr<zrt_kernel_fn_t>();
  codeSeconds = now() - start;
}

void CompiledKernel::runPart(const std::vector<void *> &operands,
                             const std::vector<int64_t> &scalars, int64_t begin,
                             int64_t end) const {
  if (!function)
    return;
  std::vector<void *> all = operands;
  static thread_local Buffer<float> scratch(0);
  if (scratch.size() * 4 < size_t(scratchBytes)) {
    scratch.~Buffer<float>();
    new (&scratch) Buffer<float>(scratchBytes / 4 + 16, NAN);
  }
  if (scratchBytes > 0)
    all.push_back(scratch.data());
  function(all.data(), scalars.data(), begin, end);
}

void CompiledKernel::run(const std::vector<void *> &operands,
                         const std::vector<int64_t> &scalars, int64_t parts) const {
  for (int64_t part = 0; part < parts; ++part)
    runPart(operands, scalars, extentValue * part / parts, extentValue * (part + 1) / parts);
}

void expectNear(const std::vector<double> &want, const std::vector<double> &got,
                double tolerance, const std::string &what) {
  ASSERT_EQ(want.size(), got.size()) << what;
  for (size_t i = 0; i < want.size(); ++i) {
    bool isNear = std::abs(got[i] - want[i]) <= tolerance * (1 + std::abs(want[i])) ||
                  (std::isnan(got[i]) && std::isnan(want[i])) || got[i] == want[i];
    ASSERT_TRUE(isNear) << what << "[" << i << "]: got " << got[i] << ", wanted " << want[i];
  }
}

} // namespace zero::test
