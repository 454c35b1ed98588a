#ifndef ZERO_TRANSFORMS_PASSES_TD
#define ZERO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlattenControlFlowPass : Pass<"zero-flatten-control-flow", "::mlir::ModuleOp"> {
  let summary = "make each step one flat block";
  let description = [{
    Requires: steps written with scf.for of constant bounds and scf.if.
    Ensures: loops are unrolled, both branches of a pure scf.if are computed and
    selected, calls of functions are inlined; no region but the step's own holds a
    zero.read.
    Fails: on a loop or branch that is not known before the run (a bound or predicate
    that depends on data or on the rank, around a parameter's use), at the operation.
    Leaves alone: regions of elementwise operations such as linalg.reduce.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandStructuredPass : Pass<"zero-expand-structured", "::mlir::ModuleOp"> {
  let summary = "rewrite what importers write as operations that have rules";
  let description = [{
    Requires: flat steps (`zero-flatten-control-flow`).
    Ensures: no linalg.generic, linalg.map, linalg.softmax, tensor.pad or named
    elementwise operation is left in a step: arith and math on whole tensors, reductions,
    contractions, nn.softmax, nn.embedding and tensor.insert_slice stand for them.
    Fails: on a map that is no choice and order of loops, and on a body that is not made of
    arith, math, linalg.index and tensor.extract, naming the part.
    Leaves alone: products, broadcasts, transpositions, fills and linalg.reduce.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
                           "::zero::nn::NNDialect"];
}

def DifferentiatePass : Pass<"zero-differentiate", "::mlir::ModuleOp"> {
  let summary = "add the backward pass of each step";
  let description = [{
    Requires: flat steps (`zero-flatten-control-flow`) whose yield is the loss.
    Ensures: the yield carries one gradient of the loss's sum per trainable parameter
    that the step or another reads; one that does not reach the loss has a gradient of
    zero.
    Fails: on an operation without a rule between a parameter and the loss, at its
    location, naming the operation and the path.
    Leaves alone: the forward pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
                           "::zero::ZeroDialect", "::zero::nn::NNDialect"];
}

def InsertUpdatePass : Pass<"zero-insert-update", "::mlir::ModuleOp"> {
  let summary = "turn gradients into updates: a complete, unsharded step";
  let description = [{
    Requires: steps whose zero.yield carries gradients (`zero-differentiate`).
    Ensures: the optimizer is a zero.optimizer symbol; the step has the inputs
    `learning_rate` and `step`, and `random` where an operation draws random
    numbers; each gradient is consumed by a zero.update; the yield holds the loss
    sum and weight.
    Fails: where an optimizer's float type is not that of a parameter.
    Leaves alone: modules without steps.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::zero::ZeroDialect"];
}

def RecomputePass : Pass<"zero-recompute", "::mlir::ModuleOp"> {
  let summary = "compute cheap activations again in the backward pass";
  let description = [{
    Requires: `zero-insert-update`; no common subexpression elimination after.
    Ensures: an elementwise forward operation that stands in no buffer anyhow, and whose
    operands the backward pass has anyhow, is cloned for the backward pass, so that
    fusion keeps nothing of it. Forward operations are those that the loss needs.
    Fails: never.
    Leaves alone: products, norms, attention and losses.
  }];
  let statistics = [
    Statistic<"numRecomputed", "recomputed", "elementwise operations computed again">,
  ];
}

def FormBucketsPass : Pass<"zero-form-buckets", "::mlir::ModuleOp"> {
  let summary = "pack parameters into buckets";
  let description = [{
    Requires: a module with a step.
    Ensures: every parameter has a slot in exactly one zero.bucket. Buckets hold
    parameters of one class (element type, trainable or not) in order of first use;
    a block of the model (zero.block_boundary) ends a bucket. The plan does not
    depend on the stage.
    Fails: on a world size below 1, or alignment that is not a power of two.
    Leaves alone: the step.
  }];
  let options = [
    Option<"worldSize", "world-size", "int64_t", "1", "ranks W that shards are cut for">,
    Option<"alignBytes", "align-bytes", "int64_t", "64",
           "multiple of bytes at which slots and shards start">,
  ];
  let statistics = [
    Statistic<"numBuckets", "buckets", "buckets formed">,
    Statistic<"paddingElements", "padding-elements", "elements of padding in all buckets">,
  ];
  let dependentDialects = ["::zero::ZeroDialect"];
}

def PartitionPass : Pass<"zero-partition", "::mlir::ModuleOp"> {
  let summary = "cut the step over ranks, one collective per bucket";
  let description = [{
    Requires: `zero-insert-update` and `zero-form-buckets`.
    Ensures: no zero.read or zero.update is left; parameters, gradients and states
    are slots of buckets, whole or cut as the stage says: 1 cuts the optimizer's
    states, 2 the gradients too, 3 the parameters too. Stage 0 all-reduces gradients.
    Fails: on a stage outside 0 to 3 or a world size that the buckets do not fit.
    Leaves alone: forward and backward arithmetic.
  }];
  let options = [
    Option<"stage", "stage", "int64_t", "0", "ZeRO stage, 0 to 3">,
    Option<"worldSize", "world-size", "int64_t", "1", "ranks W">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::zero::ZeroDialect"];
}

def FormKernelsPass : Pass<"zero-form-kernels", "::mlir::ModuleOp"> {
  let summary = "fuse tensor operations into kernels";
  let description = [{
    Requires: `zero-partition`.
    Ensures: a step holds shards, collectives, zero.product, zero.launch and
    reshapes only; kernels of one body and type are one zero.kernel.
    Fails: on an operation that no kernel can hold, at its location.
    Leaves alone: collectives and their order.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "different kernels">,
    Statistic<"numLaunches", "launches", "launches">,
    Statistic<"numProducts", "products", "matrix products">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::zero::ZeroDialect"];
}

def SelectKernelConfigPass : Pass<"select-kernel-config", "::mlir::ModuleOp"> {
  let summary = "choose tiles, lanes and threads of each kernel";
  let description = [{
    Requires: `zero-form-kernels`.
    Ensures: every zero.kernel has a `config` dictionary with at least `extent` (its
    outer parallel extent), `grain` (the extent is cut over threads at multiples of it)
    and `thread_scratch_bytes`. A pure function of body, shapes and target.
    Fails: on a kernel that no generator takes, at its operation.
    Leaves alone: bodies.
  }];
}

#endif
