// RUN: zero-opt %s | zero-opt | FileCheck %s
// RUN: zero-opt %s --mlir-print-op-generic | zero-opt | FileCheck %s

zero.parameter @w : tensor<256xf32> {init = #zero.zeros}
zero.bucket @bucket0 {parameters = [@w], offsets = array<i64: 0>, real_elements = 256 : i64,
                      shard_elements = 128 : i64, element_type = f32, trainable}
// CHECK: rt.global @bucket0.parameter : !rt.buffer<1024, device, persistent> {bucket = @bucket0, offset = 64 : i64, value = "parameter"}
rt.global @bucket0.parameter : !rt.buffer<1024, device, persistent> {bucket = @bucket0, value = "parameter", offset = 64}
zero.kernel @k(%a: tensor<256xf32>, %o: tensor<256xf32>) -> (tensor<256xf32>) {
  zero.yield %a : tensor<256xf32>
}

// CHECK: rt.program @p world_size 2 threads_per_rank 1 externals [{role = "x", type = tensor<256xf32>}, {output, role = "loss", type = tensor<f32>}]
rt.program @p world_size 2 threads_per_rank 1
    externals [{role = "x", type = tensor<256xf32>}, {role = "loss", type = tensor<f32>, output}] {
^bb0(%x: !rt.buffer<1024, device, external>, %loss: !rt.buffer<4, device, external>):
  // CHECK: rt.global_ref @bucket0.parameter
  %g = rt.global_ref @bucket0.parameter : !rt.buffer<1024, device, persistent>
  // CHECK: rt.global_ref @bucket0.parameter updated
  %u = rt.global_ref @bucket0.parameter updated : !rt.buffer<1024, device, persistent>
  // CHECK: rt.alloc {offset = 0 : i64}
  %a = rt.alloc {offset = 0} : !rt.buffer<1024, device, transient>
  %b = rt.alloc : !rt.buffer<1024, device, transient>
  // CHECK: rt.view %{{.*}} {offset = 0 : i64, rank_stride = 512 : i64}
  %v = rt.view %g {offset = 0, rank_stride = 512}
      : !rt.buffer<1024, device, persistent> -> !rt.buffer<512, device, persistent>
  // CHECK: rt.all_gather %{{.*}} into %{{.*}} {element_type = f32, elements = 256 : i64}
  %t0 = rt.all_gather %v into %a {element_type = f32, elements = 256}
      : (!rt.buffer<512, device, persistent>, !rt.buffer<1024, device, transient>) -> !rt.timepoint
  // CHECK: rt.dispatch @k ins(%{{.*}}) outs(%{{.*}}) after %{{.*}} {extent = 256 : i64, grain = 16 : i64, updated = array<i1: false>}
  %t1 = rt.dispatch @k ins(%a) outs(%b) after %t0 {extent = 256, grain = 16, updated = array<i1: false>}
      : (!rt.buffer<1024, device, transient>, !rt.buffer<1024, device, transient>, !rt.timepoint) -> !rt.timepoint
  // CHECK: rt.matmul
  %t2 = rt.matmul %a, %x into %b {sizes = array<i64: 1, 16, 16, 16>, a_strides = array<i64: 0, 16, 1>,
      b_strides = array<i64: 0, 16, 1>, c_strides = array<i64: 0, 16>, element_type = f32, accumulate}
      : (!rt.buffer<1024, device, transient>, !rt.buffer<1024, device, external>, !rt.buffer<1024, device, transient>) -> !rt.timepoint
  // CHECK: rt.join
  %t3 = rt.join %t1, %t2 : (!rt.timepoint, !rt.timepoint) -> !rt.timepoint
  // CHECK: rt.fill %{{.*}} after %{{.*}} {queue = #rt<queue to_host>}
  %t4 = rt.fill %b after %t3 {queue = #rt<queue to_host>} : (!rt.buffer<1024, device, transient>, !rt.timepoint) -> !rt.timepoint
  // CHECK: rt.copy
  %t5 = rt.copy %a into %b : (!rt.buffer<1024, device, transient>, !rt.buffer<1024, device, transient>) -> !rt.timepoint
  // CHECK: rt.reduce_scatter
  %t6 = rt.reduce_scatter %b into %v {element_type = f32, elements = 256}
      : (!rt.buffer<1024, device, transient>, !rt.buffer<512, device, persistent>) -> !rt.timepoint
  // CHECK: rt.all_reduce %{{.*}} into %{{.*}} {element_type = f32, elements = 1 : i64, scalar}
  %t7 = rt.all_reduce %loss into %loss {element_type = f32, elements = 1, scalar}
      : (!rt.buffer<4, device, external>, !rt.buffer<4, device, external>) -> !rt.timepoint
}
