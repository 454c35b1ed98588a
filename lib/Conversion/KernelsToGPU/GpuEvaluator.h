//===- GpuEvaluator.h - Kernels on the threads of a GPU ---------*- C++ -*-===//

#ifndef ZERO_LIB_CONVERSION_KERNELSTOGPU_GPUEVALUATOR_H
#define ZERO_LIB_CONVERSION_KERNELSTOGPU_GPUEVALUATOR_H

#include "../Kernels/KernelEvaluator.h"

namespace zero {

/// Threads of a block. The tree in which a row is reduced depends on it.
constexpr int64_t kBlockThreads = 256;
constexpr int64_t kWarpThreads = 32;

/// The kernel is `void(ptr operands..., i64 scalars..., i64 begin, i64 end)`: operands
/// at addresses that are multiples of 16; of an update, `begin` is a multiple of 4, other
/// kernels do their whole extent whatever is given.
///
/// A worker is a thread, on vectors of 4 elements (16 bytes of f32). Elements and columns
/// are cut over the grid, strided by it; a row is one block's, strided by the block, so
/// that neighbouring threads touch neighbouring memory.
class GpuEvaluator : public KernelEvaluator {
public:
  GpuEvaluator(KernelOp kernel, mlir::LLVM::LLVMFuncOp function);

  mlir::Value operandPointer(unsigned operand) override;
  mlir::Value scalarOperand(unsigned number) override;
  unsigned alignmentOf(mlir::Type element, Index at) override;
  Values vectorLoop(mlir::Value begin, mlir::Value end, mlir::ValueRange init,
                    VectorBody body) override;
  void rowLoop(llvm::function_ref<void(Index row)> body) override;
  mlir::Value combineWorkers(Combine how, mlir::Value value) override;
  void storeOnce(llvm::function_ref<void()> body) override;
  int64_t vectorsSideBySide() override { return 1; }
  llvm::LogicalResult emitOwn(llvm::StringRef strategy) override;

  /// This worker among those that share a row, or the whole kernel; how many there are.
  std::pair<mlir::Value, mlir::Value> worker();

private:
  template <typename RegisterOp> mlir::Value specialRegister();
  mlir::Value thread();
  mlir::Value shuffle(mlir::Value value, int64_t distance);
  mlir::Value sharedSlot(mlir::Type type, mlir::Value index);
  void barrier();

  bool inRow = false; ///< the workers of a block share a row
};

/// From what the evaluator emits to the LLVM and NVVM dialects.
mlir::LogicalResult lowerToNVVM(mlir::ModuleOp module);

/// The PTX of a module that `lowerToNVVM` has lowered, for `chip` (sm_80, sm_90, sm_100),
/// with what it uses of the library at `libdevice`. Failure comes with a diagnostic.
mlir::FailureOr<std::string> emitPtx(mlir::ModuleOp module, llvm::StringRef chip,
                                     llvm::StringRef libdevice);

} // namespace zero

#endif // ZERO_LIB_CONVERSION_KERNELSTOGPU_GPUEVALUATOR_H
