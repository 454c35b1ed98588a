// RUN: zero-opt %s --cse --canonicalize | FileCheck %s

// A gather for the backward pass is not one for the forward pass; two for one pass are
// one. What nothing uses goes; a store stays.
// CHECK-LABEL: zero.step @gathers_stay_apart
zero.parameter @w : tensor<8xf32> {init = #zero.zeros}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 8 : i64,
                shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @gathers_stay_apart() optimizer #zero.sgd {
  %s = zero.load_shard @b["parameter"] : tensor<4xf32>
  // CHECK: %[[F:.*]] = zero.all_gather %{{.*}} {use = #zero.use<forward>}
  // CHECK-NOT: use<forward>
  // CHECK: %[[B:.*]] = zero.all_gather %{{.*}} {use = #zero.use<backward>}
  %f0 = zero.all_gather %s {use = #zero.use<forward>} : tensor<4xf32> -> tensor<8xf32>
  %f1 = zero.all_gather %s {use = #zero.use<forward>} : tensor<4xf32> -> tensor<8xf32>
  %b = zero.all_gather %s {use = #zero.use<backward>} : tensor<4xf32> -> tensor<8xf32>
  // CHECK-NOT: zero.all_reduce
  %unused = zero.all_reduce %f0 : tensor<8xf32>
  %x = arith.mulf %f0, %f1 : tensor<8xf32>
  %y = arith.mulf %x, %b : tensor<8xf32>
  // CHECK: arith.mulf %[[F]], %[[F]]
  // CHECK: zero.reduce_scatter
  %r = zero.reduce_scatter %y : tensor<8xf32> -> tensor<4xf32>
  // CHECK: zero.store_shard
  zero.store_shard %r, @b["parameter"] : tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}
