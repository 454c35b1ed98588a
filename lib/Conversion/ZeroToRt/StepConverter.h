//===- StepConverter.h - The program of one step ----------------*- C++ -*-===//

#ifndef ZERO_LIB_CONVERSION_ZEROTORT_STEPCONVERTER_H
#define ZERO_LIB_CONVERSION_ZEROTORT_STEPCONVERTER_H

#include "Homes.h"

#include "dialects/Rt/RtOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace zero {

/// The persistent buffer of a bucket's value, made where there is none yet.
rt::GlobalOp findOrCreateGlobal(mlir::SymbolTable &symbols, BucketOp bucket,
                                llvm::StringRef value, int64_t bytes);

/// Element [begin, end) of a bucket with what its update multiplies and decays by.
struct SegmentTable {
  llvm::SmallVector<int64_t> begins, ends;
  llvm::SmallVector<double> lrScales, weightDecays;
};

/// Which value of a persistent buffer: that at the start of the step, or the new one.
enum class Version { Start, Updated };

/// The version that `value` is, or is part of, if it stands in a persistent buffer.
Version versionOf(mlir::Value value);

/// Writes the program of one step.
class StepConverter {
public:
  StepConverter(StepOp step, mlir::SymbolTable &symbols, int64_t worldSize, int64_t threads,
                bool separateShards)
      : step(step), symbols(symbols), worldSize(worldSize), threads(threads),
        homes(step, worldSize, separateShards), builder(step.getContext()),
        timepoint(rt::TimepointType::get(step.getContext())) {}

  mlir::LogicalResult run();

  rt::ProgramOp program;
  int64_t packingCopyBytes = 0;

private:
  void createProgram();
  mlir::Value createRoot(const Storage &storage, Version version);
  mlir::Value rootOf(unsigned storage, Version version);
  /// The bytes of `home`, meaning that version of a persistent value.
  mlir::Value bufferAt(const Home &home, Version version = Version::Updated);
  mlir::Value bufferOf(mlir::Value value) {
    return bufferAt(homes.of(value), versionOf(value));
  }
  /// `init` where the operation that changes it in place wants it, at `home`.
  mlir::Value bufferInPlace(mlir::Value init, const Home &home);
  mlir::Value scratch(int64_t bytes);
  void ensureAt(mlir::Value value, const Home &home);
  void writeOutputs(mlir::Operation *op);

  mlir::LogicalResult convert(mlir::Operation *op);
  mlir::LogicalResult convert(LaunchOp op);
  mlir::LogicalResult convert(ProductOp op);
  mlir::LogicalResult convert(AssembleOp op);
  mlir::LogicalResult convert(mlir::tensor::ConcatOp op);
  template <typename RtOp> mlir::LogicalResult convertCollective(mlir::Operation *op, mlir::Value whole);
  SegmentTable segmentsOf(LaunchOp op);

  StepOp step;
  mlir::SymbolTable &symbols;
  int64_t worldSize, threads;
  Homes homes;
  mlir::OpBuilder builder;
  mlir::Type timepoint;
  mlir::Location loc = mlir::UnknownLoc::get(step.getContext());
  llvm::DenseMap<std::pair<unsigned, unsigned>, mlir::Value> roots; ///< by storage, version
};

} // namespace zero

#endif // ZERO_LIB_CONVERSION_ZEROTORT_STEPCONVERTER_H
