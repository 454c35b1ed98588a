// RUN: zero-opt %s --zero-flatten-control-flow --zero-differentiate --zero-insert-update --zero-form-buckets="world-size=2" --zero-plan-cuts="stage=3 world-size=2" | FileCheck %s
// RUN: zero-opt %s --zero-flatten-control-flow --zero-differentiate --zero-insert-update --zero-form-buckets="world-size=2" --zero-plan-cuts="stage=2 world-size=2" | FileCheck %s --check-prefix=LOWER

// The gathered copy of the small bucket takes more room than cutting it saves.
// CHECK: zero.bucket @bucket0 {{.*}}, whole}
// LOWER-NOT: whole
zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.step @small() optimizer #zero.sgd {
  %w = zero.read @w : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %s = arith.mulf %w, %w : tensor<4xf32>
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%s : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  zero.yield %l : tensor<f32>
}
