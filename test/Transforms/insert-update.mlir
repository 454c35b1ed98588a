// RUN: zero-opt %s --zero-differentiate --zero-insert-update --split-input-file | FileCheck %s

// The optimizer attribute becomes a region; inputs for rate and step, and for random
// numbers where some are drawn, are added; a loss without a weight has weight 1.
// CHECK: zero.optimizer @sgd states []
// CHECK-LABEL: zero.step @adds_inputs(
// CHECK-SAME: %[[RATE:.*]]: tensor<f64> {zero.input = "learning_rate"}, %[[STEP:.*]]: tensor<f64> {zero.input = "step"})
// CHECK: zero.update @w, %{{.*}} scale %[[ONE:.*]] rate %[[RATE]] step %[[STEP]] using @sgd
// CHECK: zero.yield %{{.*}}, %[[ONE]] : tensor<f32>, tensor<f32>
zero.parameter @w : tensor<f32> {init = #zero.ones}
zero.step @adds_inputs() optimizer #zero.sgd {
  %w = zero.read @w : tensor<f32>
  %y = arith.mulf %w, %w : tensor<f32>
  zero.yield %y : tensor<f32>
}

// -----

// CHECK-LABEL: zero.step @random(
// CHECK-SAME: %[[R:.*]]: tensor<4xi64> {zero.input = "random"}
// CHECK: nn.dropout %{{.*}} site %{{.*}} random %[[R]]
// CHECK: nn.dropout %{{.*}} site %{{.*}} random %[[R]]
zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.step @random() optimizer #zero.sgd {
  %w = zero.read @w : tensor<4xf32>
  %site = arith.constant 0 : i64
  %d = nn.dropout %w site %site {probability = 0.5 : f64} : (tensor<4xf32>, i64) -> tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%d : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  zero.yield %s : tensor<f32>
}

// -----

// Parameters of two types have an optimizer each; a named optimizer is used as it is.
// CHECK: zero.optimizer @adam states ["m", "v"]
// CHECK: ^bb0(%{{.*}}: f32
// CHECK: zero.optimizer @adam_0 states ["m", "v"]
// CHECK: ^bb0(%{{.*}}: f64
// CHECK: zero.update @single{{.*}} using @adam :
// CHECK: zero.update @double{{.*}} using @adam_0 :
zero.parameter @single : tensor<f32> {init = #zero.ones}
zero.parameter @double : tensor<f64> {init = #zero.ones}
zero.step @two_types() optimizer #zero.adam {
  %w = zero.read @single : tensor<f32>
  zero.yield %w : tensor<f32>
}
