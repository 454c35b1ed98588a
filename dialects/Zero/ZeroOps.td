#ifndef ZERO_DIALECTS_ZERO_ZEROOPS_TD
#define ZERO_DIALECTS_ZERO_ZEROOPS_TD

include "dialects/Zero/ZeroAttrs.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Zero_Float : AnyTypeOf<[F32, F64, F16, BF16]>;
def Zero_Tensor : StaticShapeTensorOf<[AnyType]>;
def Zero_FloatTensor : StaticShapeTensorOf<[F32, F64, F16, BF16]>;
/// The elements of a bucket, or of a rank's shard of it.
def Zero_FlatTensor : 1DTensorOf<[F32, F64, F16, BF16]>;
def Zero_Scalar : 0DTensorOf<[F32, F64, F16, BF16]>;

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

def Zero_ParameterOp : Zero_Op<"parameter", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a trainable or frozen tensor that lives across steps";
  let description = [{
    Declares a parameter, its type and how it gets its first value. `frozen` ones
    are read and never updated. `weight_decay` and `lr_scale` replace the
    optimizer's decay and multiply its learning rate.

    Lifespan: written by models; stays to the end, where the runtime's parameter
    table is made from it.

    Constraints:
    - (C1) the type is a static tensor of floating-point elements.
    - (C2) `init` is one of the init attributes of this dialect.
    - (C3) `weight_decay` and `lr_scale` are finite and not negative.
    - (C4) the name is neither empty nor `__metadata__`, the key of a parameter file that
      is no tensor.

    Example:
    ```mlir
    zero.parameter @wte : tensor<256x384xf32> {init = #zero.normal<0.0, 0.02>}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, AnyAttr:$init,
                       UnitAttr:$frozen, OptionalAttr<F64Attr>:$weight_decay,
                       OptionalAttr<F64Attr>:$lr_scale);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
}

def Zero_AliasOp : Zero_Op<"alias", [Symbol, HasParent<"::mlir::ModuleOp">,
                                     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "another name of a parameter";
  let description = [{
    Tied parameters: one storage, one gradient, two names.

    Lifespan: written by models; stays to the end.

    Constraints:
    - (C1) `target` names a zero.parameter (not another alias).

    Example:
    ```mlir
    zero.alias @head = @wte
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$target);
  let assemblyFormat = "$sym_name `=` $target attr-dict";
}

def Zero_OptimizerOp : Zero_Op<"optimizer", [Symbol, IsolatedFromAbove,
                                             HasParent<"::mlir::ModuleOp">]> {
  let summary = "how one element of a parameter is updated";
  let description = [{
    An elementwise region on scalars of one float type: (parameter, mean gradient,
    states..., learning rate, step counted from 1, weight decay) to (parameter,
    states...). Being elementwise it is sharded, fused and vectorised like a
    built-in optimizer. `weight_decay` is the decay of parameters that have none of
    their own.

    Lifespan: written by models, or made by `zero-insert-update` from an optimizer
    attribute; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) the region has 5 + number of states arguments of one float type.
    - (C2) it yields 1 + number of states values of that type.
    - (C3) its operations are arith and math operations on scalars.
    - (C4) state names are different from each other and from "parameter".

    Example:
    ```mlir
    zero.optimizer @plain states [] {
    ^bb0(%p: f32, %g: f32, %lr: f32, %step: f32, %weight_decay: f32):
      %d = arith.mulf %lr, %g : f32
      %p1 = arith.subf %p, %d : f32
      zero.yield %p1 : f32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$states,
                       DefaultValuedAttr<F64Attr, "0.0">:$weight_decay);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `states` $states attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Zero_StepOp : Zero_Op<"step", [Symbol, IsolatedFromAbove, HasParent<"::mlir::ModuleOp">]> {
  let summary = "one training step";
  let description = [{
    One block that reads parameters, computes a loss and yields it. The loss of the
    step is Σ sum / Σ weight over ranks; gradients are of the sum. The role of each
    argument, its `zero.input` attribute, says how the argument is fed. `samples` is
    the number of samples in one rank's inputs (1 if absent).

    Lifespan: written by models; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) the body is one block that ends in zero.yield.
    - (C2) arguments are static tensors and have a `zero.input` string attribute.
    - (C3) `optimizer` is an optimizer attribute or names a zero.optimizer.
    - (C4) `samples` is positive.
    - (C5) roles are different from each other.

    Example:
    ```mlir
    zero.step @train(%x: tensor<8xf32> {zero.input = "x"}) optimizer #zero.sgd {
      ...
      zero.yield %loss : tensor<f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$optimizer, DictArrayAttr:$arg_attrs,
                       OptionalAttr<I64Attr>:$samples);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The role of argument `index`.
    ::llvm::StringRef getRole(unsigned index);
    /// The argument with a role, or null.
    ::mlir::BlockArgument findInput(::llvm::StringRef role);
    /// Appends an argument with a role.
    ::mlir::BlockArgument addInput(::mlir::Type type, ::llvm::StringRef role);
    ::zero::YieldOp getYield();
  }];
}

def Zero_YieldOp : Zero_Op<"yield", [Pure, Terminator, AttrSizedOperandSegments]> {
  let summary = "ends a step, an optimizer or a kernel";
  let description = [{
    In a step: `sum` and `weight` of the loss (weight 1 if absent), and between
    `zero-differentiate` and `zero-insert-update` one gradient per trainable
    parameter. In an optimizer or a kernel: its results.

    Lifespan: as its parent.

    Constraints:
    - (C1) in a step, one or two values, floating-point tensors of rank 0.
    - (C2) there are as many gradients as names.

    Example:
    ```mlir
    zero.yield %sum, %weight : tensor<f32>, tensor<f32> gradients [@w] (%dw : tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values, Variadic<AnyType>:$gradients,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$parameters);
  let assemblyFormat = [{
    attr-dict ($values^ `:` type($values))? (`gradients` $parameters^)?
    (`(` $gradients^ `:` type($gradients) `)`)?
  }];
  let builders = [OpBuilder<(ins CArg<"::mlir::ValueRange", "{}">:$values),
      [{ build($_builder, $_state, values, {}, {}); }]>];
  let hasVerifier = 1;
}

def Zero_ReadOp : Zero_Op<"read", [MemoryEffects<[MemRead]>,
                                   DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a parameter at the start of the step";
  let description = [{
    Lifespan: written by models; consumed by `zero-partition`. A fusion barrier.

    Constraints:
    - (C1) `parameter` names a zero.parameter or zero.alias of the result's type.
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter);
  let results = (outs Zero_FloatTensor:$result);
  let assemblyFormat = "$parameter attr-dict `:` type($result)";
}

def Zero_BlockBoundaryOp : Zero_Op<"block_boundary", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "an identity that marks the end of a block of the model";
  let description = [{
    What comes before and after it belongs to different blocks: buckets end here,
    and per-block recomputation keeps `x`.

    Lifespan: written by models; consumed by `zero-form-kernels`.
  }];
  let arguments = (ins Zero_Tensor:$x);
  let results = (outs Zero_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Zero_AfterOp : Zero_Op<"after", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "x, but not before y is there";
  let description = [{
    Keeps a computation that uses the result from moving ahead of `y`.

    Lifespan: made by `zero-recompute`; consumed by `convert-zero-to-rt`.
  }];
  let arguments = (ins Zero_Tensor:$x, Zero_Tensor:$y);
  let results = (outs Zero_Tensor:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x) `,` type($y)";
}

def Zero_RankOp : Zero_Op<"rank", [Pure]> {
  let summary = "this rank's position in its group";
  let description = [{
    Lifespan: written by models; refused by `convert-zero-to-rt` where it would
    decide what a rank sends.
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// The update of one parameter, unsharded
//===----------------------------------------------------------------------===//

def Zero_UpdateOp : Zero_Op<"update", [MemoryEffects<[MemRead, MemWrite]>,
                                       DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "updates a parameter and its optimizer states";
  let description = [{
    The mean gradient is `gradient / Σ scale`, one division. `rate` and `step` are
    the learning rate and the number of this step, counted from 1.

    Lifespan: made by `zero-insert-update`; replaced by zero.apply in
    `zero-partition`. A fusion barrier.

    Constraints:
    - (C1) `parameter` names a trainable zero.parameter of the gradient's type.
    - (C2) `optimizer` names a zero.optimizer.
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter, Zero_FloatTensor:$gradient,
                       Zero_Scalar:$scale, Zero_Scalar:$rate, Zero_Scalar:$step,
                       FlatSymbolRefAttr:$optimizer);
  let assemblyFormat = [{
    $parameter `,` $gradient `scale` $scale `rate` $rate `step` $step `using` $optimizer
    attr-dict `:` type(operands)
  }];
}

//===----------------------------------------------------------------------===//
// Buckets and shards
//===----------------------------------------------------------------------===//

def Zero_BucketOp : Zero_Op<"bucket", [Symbol, HasParent<"::mlir::ModuleOp">,
                                       DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "parameters that lie together and are cut over ranks together";
  let description = [{
    A run of whole parameters of one element type, trainable or frozen, packed in
    order of first use. Parameter i starts at element offsets[i]. The bucket is
    padded with zeros to W * `shard_elements`; rank r owns elements
    [r * S, (r + 1) * S). `cut` names the values (the parameter and the optimizer's
    states) of which a rank stores its shard only. A `whole` one is treated at stage 3
    as at stage 2, since cutting its parameters would not lower the planned bytes.

    Lifespan: made by `zero-form-buckets`; stays to the end.

    Constraints:
    - (C1) as many offsets as parameters, ascending, slots disjoint.
    - (C2) every name is a zero.parameter of `element_type`, trainable or not alike.
    - (C3) the last slot ends at `real_elements`, counting gaps apart.

    Example:
    ```mlir
    zero.bucket @bucket0 {parameters = [@w, @b], offsets = array<i64: 0, 32>,
                          real_elements = 40 : i64, shard_elements = 24 : i64,
                          element_type = f32, trainable}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefArrayAttr:$parameters,
                       DenseI64ArrayAttr:$offsets, I64Attr:$real_elements,
                       I64Attr:$shard_elements, TypeAttr:$element_type, UnitAttr:$trainable,
                       UnitAttr:$whole, DefaultValuedAttr<StrArrayAttr, "{}">:$cut);
  let assemblyFormat = "$sym_name attr-dict";
  let extraClassDeclaration = [{
    /// The first element of a parameter's slot, or failure if it has none here.
    ::mlir::FailureOr<int64_t> findOffset(::llvm::StringRef parameter);
    bool isCut(::llvm::StringRef value);
  }];
}

def Zero_LoadShardOp : Zero_Op<"load_shard", [MemoryEffects<[MemRead]>,
                               DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a persistent value of a bucket: this rank's shard, or the whole";
  let description = [{
    A result of S elements is the rank's shard, one of W * S the whole. It is the value
    at the start of the step, wherever the operation stands: what a step stores is known
    in the step as the source of the store only.

    Lifespan: made by `zero-partition`; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) `bucket` names a zero.bucket of the element type.
    - (C2) the elements are its shard, or a multiple of it where the value is not cut.
  }];
  let arguments = (ins FlatSymbolRefAttr:$bucket, StrAttr:$value);
  let results = (outs Zero_FlatTensor:$result);
  let assemblyFormat = "$bucket `[` $value `]` attr-dict `:` type($result)";
}

def Zero_StoreShardOp : Zero_Op<"store_shard", [MemoryEffects<[MemWrite]>,
                                DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "replaces a persistent value of a bucket";
  let description = [{
    Lifespan: made by `zero-partition`; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) `bucket` names a zero.bucket of the element type.
    - (C2) the elements are its shard, or a multiple of it where the value is not cut.
  }];
  let arguments = (ins Zero_FlatTensor:$source, FlatSymbolRefAttr:$bucket, StrAttr:$value);
  let assemblyFormat = "$source `,` $bucket `[` $value `]` attr-dict `:` type($source)";
}

def Zero_SlotOp : Zero_Op<"slot", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a parameter's elements in its bucket";
  let description = [{
    Lifespan: made by `zero-partition`; consumed by `convert-zero-to-rt`, where it
    is a view.

    Constraints:
    - (C1) `parameter` has a slot in `bucket` and is of the result's type.
  }];
  let arguments = (ins Zero_FlatTensor:$source, FlatSymbolRefAttr:$bucket,
                       FlatSymbolRefAttr:$parameter);
  let results = (outs Zero_FloatTensor:$result);
  let assemblyFormat = [{
    $source `[` $bucket `,` $parameter `]` attr-dict `:` type($source) `->` type($result)
  }];
}

def Zero_AssembleOp : Zero_Op<"assemble", [Pure,
                              DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a bucket whose slots are the operands";
  let description = [{
    The inverse of zero.slot, for all slots at once. No bytes move: the operands
    are computed in their slots. Padding is zero.

    Lifespan: made by `zero-partition`; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) one operand per parameter of `bucket`, of the parameter's shape.
  }];
  let arguments = (ins FlatSymbolRefAttr:$bucket, Variadic<Zero_FloatTensor>:$slots);
  let results = (outs Zero_FlatTensor:$result);
  let assemblyFormat = [{
    $bucket `(` $slots `)` attr-dict `:` functional-type($slots, $result)
  }];
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def Zero_AllGatherOp : Zero_Op<"all_gather", [Pure]> {
  let summary = "the shards of all ranks, in order of rank";
  let description = [{
    `use` keeps the gathers of forward and backward apart, so that clean-up never
    merges them.

    Lifespan: made by `zero-partition`; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) the result has a multiple of the source's elements, of one type.

    Example:
    ```mlir
    %w = zero.all_gather %s {use = #zero.use<forward>} : tensor<16xf32> -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Zero_FlatTensor:$source, OptionalAttr<Zero_GatherUseAttr>:$use,
                       DefaultValuedAttr<I64Attr, "0">:$group);
  let results = (outs Zero_FlatTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Zero_ReduceScatterOp : Zero_Op<"reduce_scatter", [Pure]> {
  let summary = "this rank's shard of the sum over ranks";
  let description = [{
    Adds in f32 (f64 for f64) in order of rank and rounds once.

    Lifespan: made by `zero-partition`; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) the source has a multiple of the result's elements, of one type.
  }];
  let arguments = (ins Zero_FlatTensor:$source, DefaultValuedAttr<I64Attr, "0">:$group);
  let results = (outs Zero_FlatTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Zero_AllReduceOp : Zero_Op<"all_reduce", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "the sum over ranks, on every rank";
  let description = [{
    Adds as zero.reduce_scatter does. A source of rank 0 is a scalar, counted apart.

    Lifespan: made by `zero-partition`; consumed by `convert-zero-to-rt`.
  }];
  let arguments = (ins Zero_FloatTensor:$source, DefaultValuedAttr<I64Attr, "0">:$group);
  let results = (outs Zero_FloatTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Zero_ApplyOp : Zero_Op<"apply", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one step of an optimizer on a shard, or on the whole";
  let description = [{
    The optimizer's region on every real element; padding stays as it is. The mean
    gradient is `gradient / scale`, one division.

    Lifespan: made by `zero-partition`; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) one state operand per state of `optimizer`.
    - (C2) parameter, gradient, states and results have the same number of elements.
  }];
  let arguments = (ins FlatSymbolRefAttr:$bucket, FlatSymbolRefAttr:$optimizer,
                       Zero_FlatTensor:$parameter, Zero_FlatTensor:$gradient,
                       Variadic<Zero_FlatTensor>:$states, Zero_Scalar:$scale,
                       Zero_Scalar:$rate, Zero_Scalar:$step);
  let results = (outs Zero_FlatTensor:$new_parameter, Variadic<Zero_FlatTensor>:$new_states);
  let assemblyFormat = [{
    $bucket `using` $optimizer `parameter` `(` $parameter `)` `gradient` `(` $gradient `)`
    `states` `(` $states `)` `scale` `(` $scale `)` `rate` `(` $rate `)` `step` `(` $step `)`
    attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Kernels and products
//===----------------------------------------------------------------------===//

def Zero_KernelOp : Zero_Op<"kernel", [Symbol, IsolatedFromAbove,
                                       HasParent<"::mlir::ModuleOp">]> {
  let summary = "tensor operations that run as one kernel";
  let description = [{
    Arguments are inputs, then one out per result, tied in order, then i64 scalars.
    An out that the body does not use is written only; a used one is read and
    updated in place. `config`, written by `select-kernel-config`, is how it is
    cut into tiles, lanes and threads; generators honour it and choose nothing.
    `update` marks the update of a bucket: it runs per segment, and its last two
    scalars are the bits of two f64: lr_scale and weight_decay.

    Lifespan: made by `zero-form-kernels`; consumed by `convert-kernels-to-cpu`.

    Constraints:
    - (C1) arguments and results are static tensors, scalars are i64.
    - (C2) out i is of the type of result i.
    - (C3) the body yields the results.

    Example:
    ```mlir
    zero.kernel @add(%a: tensor<8xf32>, %b: tensor<8xf32>, %o: tensor<8xf32>) -> (tensor<8xf32>) {
      %0 = arith.addf %a, %b : tensor<8xf32>
      zero.yield %0 : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       I64Attr:$num_scalars, UnitAttr:$update,
                       OptionalAttr<DictionaryAttr>:$config);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumOuts() { return getFunctionType().getNumResults(); }
    unsigned getNumInputs() {
      return getFunctionType().getNumInputs() - getNumOuts() - getNumScalars();
    }
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::Block::BlockArgListType getInputs() {
      return getBlock().getArguments().take_front(getNumInputs());
    }
    ::mlir::Block::BlockArgListType getOuts() {
      return getBlock().getArguments().slice(getNumInputs(), getNumOuts());
    }
    ::mlir::Block::BlockArgListType getScalars() {
      return getBlock().getArguments().take_back(getNumScalars());
    }
    ::zero::YieldOp getYield();
  }];
}

def Zero_LaunchOp : Zero_Op<"launch", [Pure, AttrSizedOperandSegments,
                            DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    Destination-passing style: result i is out i after the kernel. `bucket` is the
    bucket that an update kernel works on.

    Lifespan: made by `zero-form-kernels`; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) operands and results are of the types of `kernel`.

    Example:
    ```mlir
    %r = zero.launch @add ins(%a, %b) outs(%e) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Zero_Tensor>:$ins,
                       Variadic<Zero_Tensor>:$outs,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$scalars,
                       OptionalAttr<FlatSymbolRefAttr>:$bucket);
  let results = (outs Variadic<Zero_Tensor>:$results);
  let assemblyFormat = [{
    $kernel `ins` `(` $ins `)` `outs` `(` $outs `)` attr-dict `:`
    functional-type(operands, $results)
  }];
}

def Zero_ProductOp : Zero_Op<"product", [Pure, AttrSizedOperandSegments]> {
  let summary = "a matrix product for the target's library";
  let description = [{
    `C[b,i,j] = Σ_k A[b,i,k] B[b,k,j] (+ bias[j]) (+ init[b,i,j])`. A and B are read
    from `a` and `b`, contiguous buffers of any shape, at an element offset with
    element strides; so a transposition or a slice is never a buffer. C is
    contiguous in j.

    Lifespan: made by `zero-form-kernels`; consumed by `convert-zero-to-rt`.

    Constraints:
    - (C1) `sizes` is (batch, m, n, k), `a_strides` (batch, m, k), `b_strides`
      (batch, k, n), `c_strides` (batch, m).
    - (C2) every element addressed lies in its operand.
    - (C3) `init` is of the result's type; `bias` has n elements.

    Example:
    ```mlir
    %c = zero.product %a, %b {sizes = array<i64: 1, 64, 32, 16>, a_strides = array<i64: 0, 16, 1>,
                              b_strides = array<i64: 0, 32, 1>, c_strides = array<i64: 0, 32>}
        : tensor<64x16xf32>, tensor<16x32xf32> -> tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Zero_FloatTensor:$a, Zero_FloatTensor:$b,
                       Optional<Zero_FloatTensor>:$bias, Optional<Zero_FloatTensor>:$init,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$a_strides,
                       DenseI64ArrayAttr:$b_strides, DenseI64ArrayAttr:$c_strides,
                       DefaultValuedAttr<I64Attr, "0">:$a_offset,
                       DefaultValuedAttr<I64Attr, "0">:$b_offset,
                       DefaultValuedAttr<I64Attr, "0">:$bias_offset);
  let results = (outs Zero_FloatTensor:$result);
  let assemblyFormat = [{
    $a `,` $b (`bias` $bias^ `:` type($bias))? (`into` $init^ `:` type($init))? attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
