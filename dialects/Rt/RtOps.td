#ifndef ZERO_DIALECTS_RT_RTOPS_TD
#define ZERO_DIALECTS_RT_RTOPS_TD

include "dialects/Rt/RtDialect.td"
include "dialects/Rt/RtInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

//===----------------------------------------------------------------------===//
// Types and enums
//===----------------------------------------------------------------------===//

class Rt_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::zero::rt";
  let genSpecializedAttr = 0;
}

def Rt_Tier : Rt_Enum<"Tier", "the memory a buffer is in", [
  I32EnumAttrCase<"device", 0>, I32EnumAttrCase<"host", 1>, I32EnumAttrCase<"disk", 2>]>;

def Rt_Storage : Rt_Enum<"Storage", "how long a buffer lives", [
  I32EnumAttrCase<"persistent", 0>, I32EnumAttrCase<"transient", 1>,
  I32EnumAttrCase<"external", 2>]>;

def Rt_Queue : Rt_Enum<"Queue", "an in-order queue of a rank", [
  I32EnumAttrCase<"compute", 0>, I32EnumAttrCase<"collective", 1>,
  I32EnumAttrCase<"to_device", 2>, I32EnumAttrCase<"to_host", 3>,
  I32EnumAttrCase<"disk_read", 4>, I32EnumAttrCase<"disk_write", 5>]>;
def Rt_QueueAttr : EnumAttr<Rt_Dialect, Rt_Queue, "queue">;

class Rt_Type<string name, string typeMnemonic> : TypeDef<Rt_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Rt_BufferType : Rt_Type<"Buffer", "buffer"> {
  let summary = "a run of untyped bytes";
  let parameters = (ins "int64_t":$bytes, EnumParameter<Rt_Tier>:$tier,
                        EnumParameter<Rt_Storage>:$storage);
  let assemblyFormat = "`<` $bytes `,` $tier `,` $storage `>`";
  let genVerifyDecl = 1;
}

def Rt_TimepointType : Rt_Type<"Timepoint", "timepoint"> {
  let summary = "the completion of an operation on its queue";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def Rt_GlobalOp : Rt_Op<"global", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a buffer that lives across steps";
  let description = [{
    Holds one value (the parameter, or a state of the optimizer) of a bucket, whole or
    this rank's shard. `offset` is its place in the persistent arena.

    Lifespan: made by `convert-zero-to-rt`; placed by `rt-plan-memory`; consumed by
    `convert-rt-to-llvm`.

    Constraints:
    - (C1) the type is a persistent buffer.
    - (C2) `offset` is not negative.

    Example:
    ```mlir
    rt.global @bucket0.parameter : !rt.buffer<4096, device, persistent> {bucket = @bucket0, value = "parameter"}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, FlatSymbolRefAttr:$bucket,
                       StrAttr:$value, OptionalAttr<I64Attr>:$offset);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
}

def Rt_GlobalRefOp : Rt_Op<"global_ref", [Pure,
                           DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a persistent buffer inside a program";
  let description = [{
    A persistent value has two versions in a program: what it holds at the start, and
    with `updated` what the step makes of it. Who reads a buffer through one of them
    means that version, wherever it stands; `rt-verify-schedule` proves that it gets
    it. What is written is the updated version. An operand that is read and written
    names the version that it reads.

    Lifespan: as rt.program.

    Constraints:
    - (C1) `global` names an rt.global of the result's type.

    Example:
    ```mlir
    %old = rt.global_ref @bucket0.parameter : !rt.buffer<64, device, persistent>
    %new = rt.global_ref @bucket0.parameter updated : !rt.buffer<64, device, persistent>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$updated);
  let results = (outs Rt_BufferType:$result);
  let assemblyFormat = "$global (`updated` $updated^)? attr-dict `:` type($result)";
}

def Rt_AllocOp : Rt_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer that lives from its first to its last use";
  let description = [{
    Its content is undefined until written. `offset` is its place in the transient
    arena.

    Lifespan: made by `convert-zero-to-rt`; placed by `rt-plan-memory`; consumed by
    `convert-rt-to-llvm`.

    Constraints:
    - (C1) the type is a transient buffer.
    - (C2) `offset` is not negative.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Rt_BufferType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Rt_ViewOp : Rt_Op<"view", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "bytes [offset + rank * rank_stride, + size) of a buffer";
  let description = [{
    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.

    Constraints:
    - (C1) `offset` and `rank_stride` are not negative.
    - (C2) the result is of the source's tier and storage.
    - (C3) the bytes of every rank lie in the source.

    Example:
    ```mlir
    %v = rt.view %b {offset = 0 : i64, rank_stride = 512 : i64}
        : !rt.buffer<1024, device, persistent> -> !rt.buffer<512, device, persistent>
    ```
  }];
  let arguments = (ins Rt_BufferType:$source, I64Attr:$offset,
                       DefaultValuedAttr<I64Attr, "0">:$rank_stride);
  let results = (outs Rt_BufferType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def Rt_ProgramOp : Rt_Op<"program", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator,
                                     HasParent<"::mlir::ModuleOp">]> {
  let summary = "what a rank runs for one step";
  let description = [{
    Arguments are the caller's buffers: inputs, then outputs. Each has a `rt.external`
    dictionary: `name`, `role`, `type` (the tensor it holds) and, for an output,
    `output`. Every program starts and ends with all queues drained.

    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.

    Constraints:
    - (C1) arguments are external buffers, each with its attributes and of its tensor's bytes.
    - (C2) `world_size` and `threads_per_rank` are positive.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$world_size,
                       I64Attr:$threads_per_rank, DictArrayAttr:$externals);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `world_size` $world_size `threads_per_rank` $threads_per_rank
    `externals` $externals attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// What runs on a queue
//===----------------------------------------------------------------------===//

class Rt_TimelineOp<string mnemonic, list<Trait> traits = []>
    : Rt_Op<mnemonic, !listconcat([Rt_TimelineOpInterface], traits)> {
  let results = (outs Rt_TimepointType:$timepoint);
  code timelineMethods = [{
    ::llvm::SmallVector<::zero::rt::BufferAccess> getAccesses();
  }];
  let extraClassDeclaration = timelineMethods;
}

def Rt_DispatchOp : Rt_TimelineOp<"dispatch", [AttrSizedOperandSegments,
                                   DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a kernel";
  let description = [{
    Operands are the kernel's inputs, then its outs. `updated` says which outs are
    read too. `scratch`, if there, is cut over the threads. [0, extent) is cut over
    threads at multiples of `grain`. With segments (an update) the extent is the
    elements of this rank's slice, which starts at element rank * rank_elements of the
    bucket, and the kernel runs once per segment, clipped to the slice, with the
    segment's lr_scale and weight_decay as its last scalars.
    The outs are written once the timepoint is reached.

    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.

    Constraints:
    - (C1) `updated` has one entry per out.
    - (C2) `extent` is not negative, `grain` is positive.
    - (C3) the segment tables are of one length, in ascending order.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Rt_BufferType>:$ins,
                       Variadic<Rt_BufferType>:$outs, Optional<Rt_BufferType>:$scratch,
                       Variadic<Rt_TimepointType>:$waits, DenseBoolArrayAttr:$updated,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$scalars,
                       I64Attr:$extent, I64Attr:$grain,
                       DefaultValuedAttr<I64Attr, "0">:$rank_elements,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$segment_begins,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$segment_ends,
                       DefaultValuedAttr<DenseF64ArrayAttr, "{}">:$segment_lr_scales,
                       DefaultValuedAttr<DenseF64ArrayAttr, "{}">:$segment_weight_decays,
                       DefaultValuedAttr<Rt_QueueAttr, "::zero::rt::Queue::compute">:$queue);
  let assemblyFormat = [{
    $kernel `ins` `(` $ins `)` `outs` `(` $outs `)` (`scratch` $scratch^)?
    (`after` $waits^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Rt_MatmulOp : Rt_TimelineOp<"matmul", [AttrSizedOperandSegments]> {
  let summary = "a matrix product by the target's library";
  let description = [{
    `C[b,i,j] = Σ_k A[b,i,k] B[b,k,j] (+ bias[j]) (+ C[b,i,j] if accumulating)`, with
    sizes (batch, m, n, k) and element strides as in zero.product. C is written once
    the timepoint is reached.

    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.

    Constraints:
    - (C1) 4 sizes; 3 strides of a (batch, m, k) and b (batch, k, n); 2 of c (batch, m).
    - (C2) every element addressed lies in its buffer.
  }];
  let arguments = (ins Rt_BufferType:$a, Rt_BufferType:$b, Optional<Rt_BufferType>:$bias,
                       Rt_BufferType:$c, Optional<Rt_BufferType>:$scratch,
                       Variadic<Rt_TimepointType>:$waits,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$a_strides,
                       DenseI64ArrayAttr:$b_strides, DenseI64ArrayAttr:$c_strides,
                       TypeAttr:$element_type, UnitAttr:$accumulate,
                       DefaultValuedAttr<Rt_QueueAttr, "::zero::rt::Queue::compute">:$queue);
  let assemblyFormat = [{
    $a `,` $b (`bias` $bias^)? `into` $c (`scratch` $scratch^)? (`after` $waits^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Rt_FillOp : Rt_TimelineOp<"fill"> {
  let summary = "set the bytes of a buffer to zero";
  let description = [{
    The bytes are zero once the timepoint is reached.

    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.
  }];
  let arguments = (ins Rt_BufferType:$target, Variadic<Rt_TimepointType>:$waits,
                       DefaultValuedAttr<Rt_QueueAttr, "::zero::rt::Queue::compute">:$queue);
  let assemblyFormat = [{
    $target (`after` $waits^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Rt_CopyOp : Rt_TimelineOp<"copy"> {
  let summary = "copy bytes between two buffers";
  let description = [{
    The bytes are in `target` once the timepoint is reached.

    Lifespan: made by `convert-zero-to-rt` and `rt-offload`; consumed by
    `convert-rt-to-llvm`.

    Constraints:
    - (C1) both buffers have the same size.
  }];
  let arguments = (ins Rt_BufferType:$source, Rt_BufferType:$target,
                       Variadic<Rt_TimepointType>:$waits,
                       DefaultValuedAttr<Rt_QueueAttr, "::zero::rt::Queue::compute">:$queue);
  let assemblyFormat = [{
    $source `into` $target (`after` $waits^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

class Rt_CollectiveOp<string mnemonic>
    : Rt_TimelineOp<mnemonic, [Rt_CollectiveOpInterface]> {
  let arguments = (ins Rt_BufferType:$source, Rt_BufferType:$target,
                       Variadic<Rt_TimepointType>:$waits, I64Attr:$elements,
                       TypeAttr:$element_type, UnitAttr:$scalar,
                       DefaultValuedAttr<I64Attr, "0">:$group,
                       DefaultValuedAttr<Rt_QueueAttr, "::zero::rt::Queue::collective">:$queue);
  let assemblyFormat = [{
    $source `into` $target (`after` $waits^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  code collectiveMethods = [{
    int64_t getNumElements() { return getElements(); }
    bool isScalar() { return getScalar(); }
    int64_t getBytesSent(int64_t worldSize);
  }];
  let extraClassDeclaration = timelineMethods # collectiveMethods;
}

def Rt_AllGatherOp : Rt_CollectiveOp<"all_gather"> {
  let summary = "the shards of all ranks, in order of rank";
  let description = [{
    In place where `source` is the rank's slice of `target`. `elements` counts the
    whole. Complete on this rank once the timepoint is reached.

    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.

    Constraints:
    - (C1) `target` holds `elements`, `source` a W-th of them.
  }];
}

def Rt_ReduceScatterOp : Rt_CollectiveOp<"reduce_scatter"> {
  let summary = "this rank's shard of the sum over ranks";
  let description = [{
    In place where `target` is the rank's slice of `source`. Adds in f32 (f64 for f64)
    in order of rank and rounds once. `elements` counts the whole.

    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.

    Constraints:
    - (C1) `source` holds `elements`, `target` a W-th of them.
  }];
}

def Rt_AllReduceOp : Rt_CollectiveOp<"all_reduce"> {
  let summary = "the sum over ranks, on every rank";
  let description = [{
    A reduce-scatter followed by an all-gather of the same segments. In place where
    both buffers are one.

    Lifespan: made by `convert-zero-to-rt`; consumed by `convert-rt-to-llvm`.

    Constraints:
    - (C1) `source` and `target` hold `elements`.
  }];
}

def Rt_JoinOp : Rt_Op<"join", [Pure]> {
  let summary = "the last of several timepoints";
  let description = [{
    Lifespan: made by `rt-schedule`; dropped by `rt-simplify-timepoints`.
  }];
  let arguments = (ins Variadic<Rt_TimepointType>:$timepoints);
  let results = (outs Rt_TimepointType:$result);
  let assemblyFormat = "$timepoints attr-dict `:` functional-type(operands, results)";
}

#endif
