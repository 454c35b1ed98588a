// RUN: zero-opt %s --select-kernel-config --convert-kernels-to-gpu=chip=sm_80 | FileCheck %s

// Elements are strided over the grid, 16 bytes a thread.
// CHECK: module @add attributes {zero.ptx = "{{.*}}.target sm_80{{.*}}ld.global.v4{{.*}}st.global.v4
// CHECK: llvm.func @zero_kernel_add(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) attributes {{.*}}nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>
// CHECK-DAG: nvvm.read.ptx.sreg.ctaid.x
// CHECK-DAG: nvvm.read.ptx.sreg.nctaid.x
// CHECK-NOT: nvvm.barrier0
zero.kernel @add(%a: tensor<4096xf32>, %b: tensor<4096xf32>, %o: tensor<4096xf32>) -> (tensor<4096xf32>) {
  %0 = arith.addf %a, %b : tensor<4096xf32>
  zero.yield %0 : tensor<4096xf32>
}

// A row is one block's: a butterfly in each warp, then the warps' parts in shared memory.
// CHECK: module @sum attributes
// CHECK: llvm.mlir.global internal @warp_parts() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i64>
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier0
zero.kernel @sum(%a: tensor<6x1000xf32>, %o: tensor<6xf32>) -> (tensor<6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<6x1000xf32>) outs(%z : tensor<6xf32>) dimensions = [1]
  zero.yield %0 : tensor<6xf32>
}
