#ifndef ZERO_TRANSFORMS_RTPASSES_TD
#define ZERO_TRANSFORMS_RTPASSES_TD

include "mlir/Pass/PassBase.td"

def RtPlanMemoryPass : Pass<"rt-plan-memory", "::mlir::ModuleOp"> {
  let summary = "place every buffer in its arena";
  let description = [{
    Requires: rt.programs (`convert-zero-to-rt`).
    Ensures: every rt.global and rt.alloc has an `offset`, a multiple of 64; allocs
    that live at the same time do not overlap; the module has an `rt.memory`
    dictionary: `persistent_bytes`, `transient_bytes` (the largest over the programs)
    and `lower_bound_bytes` (largest sum of live transient buffers, aligned).
    Every plan is checked by code that did not make it.
    Fails: where the check fails, naming the two buffers.
    Leaves alone: the order of operations.
  }];
  let statistics = [
    Statistic<"persistentBytes", "persistent-bytes", "bytes of the persistent arena">,
    Statistic<"transientBytes", "transient-bytes", "bytes of the transient arena">,
  ];
}

def RtVerifySchedulePass : Pass<"rt-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "prove that programs are free of races";
  let description = [{
    Requires: `rt-plan-memory`.
    Ensures: nothing is changed. In every program, of two operations that touch
    overlapping bytes, one of them writing, one is ordered before the other by its
    queue or by timepoints; no byte of a transient buffer or an output is read
    before it is written; every access lies in its arena; all collectives are on one
    queue.
    Fails: at the operation at fault, with a note at the other one.
    Leaves alone: everything.
  }];
}

#endif
