// RUN: zero-opt %s --zero-insert-update --split-input-file --verify-diagnostics

// expected-error @+1 {{has no gradients to update from; run zero-differentiate first}}
zero.step @no_gradients() optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// expected-note @+1 {{declared here}}
zero.optimizer @single states [] {
^bb0(%p: f32, %g: f32, %lr: f32, %step: f32, %decay: f32):
  zero.yield %p : f32
}
zero.parameter @w : tensor<f64> {init = #zero.ones}
// expected-error @+1 {{optimizer @single works on 'f32'; parameter @w has elements of 'f64'}}
zero.step @other_type() optimizer @single {
  %l = arith.constant dense<0.0> : tensor<f64>
  zero.yield %l : tensor<f64> gradients [@w](%l : tensor<f64>)
}
