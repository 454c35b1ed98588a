#ifndef ZERO_CONVERSION_PASSES_TD
#define ZERO_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertZeroToRtPass : Pass<"convert-zero-to-rt", "::mlir::ModuleOp"> {
  let summary = "give every value of a step a home and list what is run";
  let description = [{
    Requires: `zero-form-kernels` and `select-kernel-config`.
    Ensures: an rt.program per step; no step is left. Every tensor lives in a bucket
    slot, a persistent buffer, another's buffer or a fresh buffer.
    Fails: on an operation that has no runtime form, at its location.
    Leaves alone: kernels, parameters and buckets.
  }];
  let options = [
    Option<"worldSize", "world-size", "int64_t", "1", "ranks W">,
    Option<"threadsPerRank", "threads-per-rank", "int64_t", "1", "threads of a rank">,
  ];
  let statistics = [
    Statistic<"packingCopyBytes", "packing-copy-bytes", "bytes of copies that a value forced">,
  ];
  let dependentDialects = ["::zero::rt::RtDialect"];
}

#endif
