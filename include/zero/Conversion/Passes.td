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

def ConvertKernelsToCPUPass : Pass<"convert-kernels-to-cpu", "::mlir::ModuleOp"> {
  let summary = "turn kernels into functions of the LLVM dialect";
  let description = [{
    Requires: zero.kernels with a `config` (`select-kernel-config`).
    Ensures: each zero.kernel @k is a nested module @k that holds one function
    @zero_kernel_k of the runtime's kernel type (zrt_kernel_fn_t), in the LLVM dialect.
    Fails: on a kernel that no generator takes, at its operation.
    Leaves alone: all else.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertKernelsToGPUPass : Pass<"convert-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "turn kernels into PTX";
  let description = [{
    Requires: zero.kernels with a `config` (`select-kernel-config`).
    Ensures: each zero.kernel @k is a nested module @k that holds one function
    @zero_kernel_k(ptr operands..., i64 scalars..., i64 begin, i64 end) in the LLVM and NVVM
    dialects, for blocks of 256 threads and a grid of any size, and its PTX as `zero.ptx`.
    Fails: on a kernel that no generator takes, at its operation; on a
    chip that is not known; where the device library is needed and can't be read.
    Leaves alone: all else.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90\"", "sm_80, sm_90 or sm_100">,
    Option<"libdevice", "libdevice", "std::string",
           "\"/usr/local/cuda/nvvm/libdevice/libdevice.10.bc\"", "the CUDA toolkit's device library">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertRtToLLVMPass : Pass<"convert-rt-to-llvm", "::mlir::ModuleOp"> {
  let summary = "turn programs into one constant command table";
  let description = [{
    Requires: `rt-plan-memory` and `convert-kernels-to-cpu`.
    Ensures: the module holds kernels, the constant bytes of a zrt_image_t, a table of
    kernel addresses and the symbol `zrt_module`; no other operation of ours is left.
    Fails: on a buffer without a place.
    Leaves alone: kernels.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
