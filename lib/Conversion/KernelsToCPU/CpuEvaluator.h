//===- CpuEvaluator.h - Kernels on the vectors of a CPU ---------*- C++ -*-===//

#ifndef ZERO_LIB_CONVERSION_KERNELSTOCPU_CPUEVALUATOR_H
#define ZERO_LIB_CONVERSION_KERNELSTOCPU_CPUEVALUATOR_H

#include "../Kernels/KernelEvaluator.h"

namespace zero {

/// Elements of a vector: 16, of which a machine without AVX-512 takes several
/// registers.
constexpr int64_t kLanes = 16;

/// A worker is a thread that is given a part of the parallel extent.
class CpuEvaluator : public KernelEvaluator {
public:
  /// `function` is of the runtime's kernel type (zrt_kernel_fn_t).
  CpuEvaluator(KernelOp kernel, mlir::LLVM::LLVMFuncOp function);

  mlir::Value operandPointer(unsigned operand) override;
  mlir::Value scalarOperand(unsigned number) override;
  unsigned alignmentOf(mlir::Type element, Index) override {
    return bytesOf(element);
  }
  Values vectorLoop(mlir::Value begin, mlir::Value end, mlir::ValueRange init,
                    VectorBody body) override;
  void rowLoop(llvm::function_ref<void(Index row)> body) override;
  mlir::Value combineWorkers(Combine, mlir::Value value) override {
    return value;
  }
  void storeOnce(llvm::function_ref<void()> body) override { body(); }
  int64_t vectorsSideBySide() override { return 4; }
  llvm::LogicalResult emitOwn(llvm::StringRef strategy) override;

private:
  template <typename Op> void emitOnly(void (*emit)(KernelEvaluator &, Op));
};

void emitAttention(KernelEvaluator &evaluator, nn::AttentionOp op);
void emitAttentionGrad(KernelEvaluator &evaluator, nn::AttentionGradOp op);

/// Emits `kernel` as @zero_kernel_NAME into a module of its own, @NAME.
mlir::FailureOr<mlir::ModuleOp> emitKernel(KernelOp kernel);

/// Functions of f32 and f64 lanes become calls of the machine's vector library.
void callVectorLibrary(mlir::ModuleOp module);

/// From what the evaluator emits to the LLVM dialect.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module);

} // namespace zero

#endif // ZERO_LIB_CONVERSION_KERNELSTOCPU_CPUEVALUATOR_H
