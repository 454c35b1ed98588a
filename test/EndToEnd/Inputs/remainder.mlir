// The sum of 7 rem n, and of the lowest i32 divided by -1, scaled.
zero.parameter @p : tensor<3xf32> {init = #zero.zeros}
zero.step @train(%n: tensor<3xi32> {zero.input = "n"}) optimizer #zero.sgd attributes {samples = 1 : i64} {
  %p = zero.read @p : tensor<3xf32>
  %seven = arith.constant dense<7> : tensor<3xi32>
  %lowest = arith.constant dense<[-2147483648, 0, 0]> : tensor<3xi32>
  %minus = arith.constant dense<-1> : tensor<3xi32>
  %r = arith.remsi %seven, %n : tensor<3xi32>
  %q = arith.divsi %lowest, %minus : tensor<3xi32>
  %rf = arith.sitofp %r : tensor<3xi32> to tensor<3xf32>
  %qf = arith.sitofp %q : tensor<3xi32> to tensor<3xf32>
  %scale = arith.constant dense<4.656612873077393e-10> : tensor<3xf32>
  %qs = arith.mulf %qf, %scale : tensor<3xf32>
  %s = arith.addf %rf, %qs : tensor<3xf32>
  %t = arith.addf %s, %p : tensor<3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%t : tensor<3xf32>) outs(%z : tensor<f32>) dimensions = [0]
  zero.yield %l : tensor<f32>
}
