// RUN: zero-opt %s --zero-form-kernels --split-input-file --verify-diagnostics

zero.step @no_kernel(%x: tensor<4xf32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'tensor.generate' can't run in a kernel}}
  %g = tensor.generate {
  ^bb0(%i: index):
    %c = arith.constant 0.0 : f32
    tensor.yield %c : f32
  } : tensor<4xf32>
  %y = arith.addf %g, %x : tensor<4xf32>
  %e = tensor.empty() : tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%y : tensor<4xf32>) outs(%e : tensor<f32>) dimensions = [0]
  zero.yield %l : tensor<f32>
}
