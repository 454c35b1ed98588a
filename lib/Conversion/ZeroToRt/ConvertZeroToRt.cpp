//===- ConvertZeroToRt.cpp - Steps become programs ------------------------===//

#include "StepConverter.h"

#include "zero/Analysis/TransientBuffers.h"
#include "zero/Conversion/Passes.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_CONVERTZEROTORTPASS
#include "zero/Conversion/Passes.h.inc"

namespace {
struct ConvertZeroToRtPass : impl::ConvertZeroToRtPassBase<ConvertZeroToRtPass> {
  using ConvertZeroToRtPassBase::ConvertZeroToRtPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (worldSize < 1 || threadsPerRank < 1) {
      module.emitError() << "world-size is " << int64_t(worldSize) << " and threads-per-rank "
                         << int64_t(threadsPerRank) << "; want 1 or more";
      return signalPassFailure();
    }
    SymbolTable symbols(module);
    for (auto step : llvm::make_early_inc_range(module.getOps<StepOp>())) {
      if (failed(convertStep(step, symbols)))
        return signalPassFailure();
      step.erase();
    }
    createUnusedParameters(symbols);
  }

  /// A reduction lands in place, in the rank's slice of its bucket. From stage 2 on it
  /// gets a buffer of its own, so that the bucket is free again, where that lowers the
  /// peak.
  LogicalResult convertStep(StepOp step, SymbolTable &symbols) {
    auto stage = getOperation()->getAttrOfType<IntegerAttr>("zero.stage");
    StepConverter inPlace(step, symbols, worldSize, threadsPerRank, false);
    if (failed(inPlace.run()))
      return failure();
    if (!stage || stage.getInt() < 2 || worldSize == 1)
      return keep(inPlace);
    StepConverter separate(step, symbols, worldSize, threadsPerRank, true);
    if (failed(separate.run()))
      return failure();
    bool isLower = plannedBytes(separate.program) < plannedBytes(inPlace.program);
    (isLower ? inPlace : separate).program.erase();
    return keep(isLower ? separate : inPlace);
  }

  LogicalResult keep(const StepConverter &converter) {
    packingCopyBytes += converter.packingCopyBytes;
    return success();
  }

  static int64_t plannedBytes(rt::ProgramOp program) {
    return planArena(TransientBuffers(program).buffers, kBufferAlignment).bytes;
  }

  /// A parameter that no step touches is stored all the same.
  void createUnusedParameters(SymbolTable &symbols) {
    for (auto bucket : llvm::make_early_inc_range(getOperation().getOps<BucketOp>())) {
      int64_t elements = bucket.getShardElements() * (bucket.isCut(kParameterValue) ? 1 : worldSize);
      int64_t bytes = elements * llvm::divideCeil(bucket.getElementType().getIntOrFloatBitWidth(), 8);
      findOrCreateGlobal(symbols, bucket, kParameterValue, bytes);
    }
  }
};
} // namespace
} // namespace zero
