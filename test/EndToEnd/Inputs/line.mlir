// Least squares of one vector: loss = sum((w * x - y)^2).
zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.step @train(%x: tensor<4xf32> {zero.input = "x"},
                 %y: tensor<4xf32> {zero.input = "y"}) optimizer #zero.sgd {
  %w = zero.read @w : tensor<4xf32>
  %p = arith.mulf %w, %x : tensor<4xf32>
  %d = arith.subf %p, %y : tensor<4xf32>
  %s = arith.mulf %d, %d : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %loss = linalg.reduce {arith.addf} ins(%s : tensor<4xf32>) outs(%zero : tensor<f32>)
      dimensions = [0]
  zero.yield %loss : tensor<f32>
}
