// RUN: zero-opt %s --zero-differentiate --split-input-file --verify-diagnostics

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.step @no_rule() optimizer #zero.sgd {
  %w = zero.read @w : tensor<4xf32>
  %n = arith.negf %w : tensor<4xf32>
  // expected-error @+1 {{'math.cbrt' has no differentiation rule (@w -> arith.negf -> math.cbrt -> linalg.reduce -> the loss)}}
  %c = math.cbrt %n : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%c : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  zero.yield %s : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.step @odd_reduction() optimizer #zero.sgd {
  %w = zero.read @w : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  // expected-error @+1 {{'linalg.reduce' has a rule for add, mul, max and min only}}
  %s = linalg.reduce { arith.subf } ins(%w : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  zero.yield %s : tensor<f32>
}
