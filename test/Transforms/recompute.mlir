// RUN: zero-opt %s --zero-differentiate --cse --zero-insert-update --zero-recompute | FileCheck %s

// The square stands in no buffer, and w is there in the backward pass: the exponential
// that it needs is computed again, not kept.
// CHECK-LABEL: zero.step @cheap_chain
// CHECK: %[[W:.*]] = zero.read @w
// CHECK: %[[S:.*]] = arith.mulf %[[W]], %[[W]]
// CHECK: math.exp %[[S]]
// CHECK: %[[AGAIN:.*]] = arith.mulf %[[W]], %[[W]]
// CHECK: math.exp %[[AGAIN]]
// CHECK: zero.update
zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.step @cheap_chain() optimizer #zero.sgd {
  %w = zero.read @w : tensor<4xf32>
  %s = arith.mulf %w, %w : tensor<4xf32>
  %x = math.exp %s : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%x : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  zero.yield %l : tensor<f32>
}
