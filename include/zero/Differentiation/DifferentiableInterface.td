#ifndef ZERO_DIFFERENTIATION_DIFFERENTIABLEINTERFACE_TD
#define ZERO_DIFFERENTIATION_DIFFERENTIABLEINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::zero";
  let description = [{
    An operation with a rule for reverse mode: a vector-Jacobian product. Rules are
    external models, one file per dialect in lib/Differentiation.
  }];
  let methods = [
    InterfaceMethod<[{
      Reads the gradients of the results from `gradients` and adds to those of the
      operands that want one. Called once per operation, in reverse order, when the
      gradients of all results are complete and at least one of them is there.
      Fails, with a diagnostic, where this form of the operation has no rule.
    }], "::mlir::LogicalResult", "buildVjp", (ins "::zero::GradientMap &":$gradients)>,
  ];
}

#endif
