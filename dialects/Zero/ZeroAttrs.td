#ifndef ZERO_DIALECTS_ZERO_ZEROATTRS_TD
#define ZERO_DIALECTS_ZERO_ZEROATTRS_TD

include "dialects/Zero/ZeroDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Zero_Attr<string name, string attrMnemonic> : AttrDef<Zero_Dialect, name> {
  let mnemonic = attrMnemonic;
}

class Zero_Double<string desc = ""> : APFloatParameter<desc> {
  let parser = "::zero::parseDouble($_parser)";
  let printer = "$_printer.printFloat($_self)";
}

//===----------------------------------------------------------------------===//
// How a parameter gets its first value
//===----------------------------------------------------------------------===//

def Zero_ZerosAttr : Zero_Attr<"Zeros", "zeros"> {
  let summary = "every element is 0";
}
def Zero_OnesAttr : Zero_Attr<"Ones", "ones"> {
  let summary = "every element is 1";
}
def Zero_ConstantAttr : Zero_Attr<"Constant", "constant"> {
  let summary = "every element has one value";
  let parameters = (ins Zero_Double<>:$value);
  let assemblyFormat = "`<` $value `>`";
}
def Zero_NormalAttr : Zero_Attr<"Normal", "normal"> {
  let summary = "normal with a mean and a standard deviation, by element index";
  let parameters = (ins Zero_Double<>:$mean, Zero_Double<>:$stddev);
  let assemblyFormat = "`<` $mean `,` $stddev `>`";
  let genVerifyDecl = 1;
}
def Zero_UniformAttr : Zero_Attr<"Uniform", "uniform"> {
  let summary = "uniform in [low, high), by element index";
  let parameters = (ins Zero_Double<>:$low, Zero_Double<>:$high);
  let assemblyFormat = "`<` $low `,` $high `>`";
  let genVerifyDecl = 1;
}
def Zero_IotaAttr : Zero_Attr<"Iota", "iota"> {
  let summary = "start + step * flat index";
  let parameters = (ins Zero_Double<>:$start, Zero_Double<>:$step);
  let assemblyFormat = "`<` $start `,` $step `>`";
}

//===----------------------------------------------------------------------===//
// Optimizers, expanded to a zero.optimizer by zero-insert-update
//===----------------------------------------------------------------------===//

def Zero_SgdAttr : Zero_Attr<"Sgd", "sgd"> {
  let summary = "p - lr * (g + weight_decay * p)";
  let parameters = (ins Zero_Double<>:$weight_decay);
  let hasCustomAssemblyFormat = 1;
}
def Zero_MomentumAttr : Zero_Attr<"Momentum", "momentum"> {
  let summary = "momentum SGD: m = momentum * m + g + weight_decay * p; p - lr * m";
  let description = "Sutskever et al. 2013, eq. 1 and 2, in the form of PyTorch's SGD.";
  let parameters = (ins Zero_Double<>:$momentum, Zero_Double<>:$weight_decay);
  let hasCustomAssemblyFormat = 1;
}
def Zero_AdamAttr : Zero_Attr<"Adam", "adam"> {
  let summary = "Adam; weight decay is added to the gradient";
  let description = "Kingma and Ba 2015, algorithm 1.";
  let parameters = (ins Zero_Double<>:$beta1, Zero_Double<>:$beta2, Zero_Double<>:$epsilon,
                        Zero_Double<>:$weight_decay);
  let hasCustomAssemblyFormat = 1;
}
def Zero_AdamWAttr : Zero_Attr<"AdamW", "adamw"> {
  let summary = "Adam with decoupled weight decay";
  let description = "Loshchilov and Hutter 2019, algorithm 2.";
  let parameters = (ins Zero_Double<>:$beta1, Zero_Double<>:$beta2, Zero_Double<>:$epsilon,
                        Zero_Double<>:$weight_decay);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def Zero_GatherUse : I32EnumAttr<"GatherUse", "the pass of the step a gather is for",
    [I32EnumAttrCase<"forward", 0>, I32EnumAttrCase<"backward", 1>]> {
  let cppNamespace = "::zero";
  let genSpecializedAttr = 0;
}
def Zero_GatherUseAttr : EnumAttr<Zero_Dialect, Zero_GatherUse, "use"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif
