#ifndef ZERO_PIPELINES_PASSES_TD
#define ZERO_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanCutsPass : Pass<"zero-plan-cuts", "::mlir::ModuleOp"> {
  let summary = "choose the buckets that stage 3 keeps whole";
  let description = [{
    Requires: `zero-form-buckets`.
    Ensures: stage 3 plans no more bytes a rank than stage 2. Where cutting everything
    would, the smallest buckets become `whole`, as few as bisection finds.
    Fails: where the rest of the pipeline fails.
    Leaves alone: the step; stages 0 to 2; a single rank.
  }];
  let options = [
    Option<"stage", "stage", "int64_t", "0", "ZeRO stage, 0 to 3">,
    Option<"worldSize", "world-size", "int64_t", "1", "ranks W">,
    Option<"threadsPerRank", "threads-per-rank", "int64_t", "1", "threads of a rank">,
    Option<"alignBytes", "align-bytes", "int64_t", "64", "multiple at which slots start">,
  ];
  let statistics = [Statistic<"numWhole", "whole", "buckets kept whole">];
}

#endif
