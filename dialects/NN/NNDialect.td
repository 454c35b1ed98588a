#ifndef ZERO_DIALECTS_NN_NNDIALECT_TD
#define ZERO_DIALECTS_NN_NNDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def NN_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::zero::nn";
  let summary = "differentiable operations of neural networks";
  let description = [{
    Operations that upstream dialects lack and whose structure is worth keeping
    until kernels are formed. All are pure, on tensors of static shape. An operation
    whose backward needs statistics returns them as extra results and has a `_grad`
    operation.

    Shapes: N rows of C channels; V classes; B samples of T positions with H heads
    of width D. All floating-point operands and results of an operation have one
    element type.
  }];
}

class NN_Op<string mnemonic, list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

#endif
