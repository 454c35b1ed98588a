// RUN: zero-opt %s --convert-zero-to-rt="world-size=2" | FileCheck %s

// The product and the kernel write their slots of the bucket; padding is zeroed; the
// reduction lands in the rank's slice; nothing is copied.
// CHECK-LABEL: rt.program @gradients_in_place
// CHECK: %[[B:.*]] = rt.alloc : <64, device, transient>
// CHECK: %[[W:.*]] = rt.view %[[B]] {offset = 0 : i64} : <64, device, transient> -> <16, device, transient>
// CHECK: rt.matmul %{{.*}}, %{{.*}} into %[[W]]
// CHECK: %[[V:.*]] = rt.view %[[B]] {offset = 32 : i64} : <64, device, transient> -> <8, device, transient>
// CHECK: rt.dispatch @k ins(%{{.*}}) outs(%[[V]])
// CHECK: %[[G1:.*]] = rt.view %[[B]] {offset = 16 : i64} : <64, device, transient> -> <16, device, transient>
// CHECK: rt.fill %[[G1]]
// CHECK: %[[G2:.*]] = rt.view %[[B]] {offset = 40 : i64} : <64, device, transient> -> <24, device, transient>
// CHECK: rt.fill %[[G2]]
// CHECK: %[[S:.*]] = rt.view %[[B]] {offset = 0 : i64, rank_stride = 32 : i64} : <64, device, transient> -> <32, device, transient>
// CHECK: rt.reduce_scatter %[[B]] into %[[S]]
// CHECK-NOT: rt.copy
zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
zero.parameter @v : tensor<2xf32> {init = #zero.zeros}
zero.bucket @b {parameters = [@w, @v], offsets = array<i64: 0, 8>, real_elements = 6 : i64,
                shard_elements = 8 : i64, element_type = f32, trainable}
zero.kernel @k(%x: tensor<2xf32>, %o: tensor<2xf32>) -> (tensor<2xf32>)
    attributes {config = {extent = 2 : i64, grain = 1 : i64, thread_scratch_bytes = 0 : i64}} {
  zero.yield %x : tensor<2xf32>
}
zero.step @gradients_in_place(%a: tensor<2x2xf32> {zero.input = "a"}, %x: tensor<2xf32> {zero.input = "x"},
                              %l: tensor<f32> {zero.input = "l"}) optimizer #zero.sgd {
  %p = zero.product %a, %a {sizes = array<i64: 1, 2, 2, 2>, a_strides = array<i64: 0, 2, 1>,
      b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 2>} : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %dw = tensor.collapse_shape %p [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %e = tensor.empty() : tensor<2xf32>
  %dv = zero.launch @k ins(%x) outs(%e) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %g = zero.assemble @b(%dw, %dv) : (tensor<4xf32>, tensor<2xf32>) -> tensor<16xf32>
  %s = zero.reduce_scatter %g : tensor<16xf32> -> tensor<8xf32>
  zero.yield %l : tensor<f32>
}
