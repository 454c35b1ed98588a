// A regression of two names for one parameter, with values that tell where they are from.
zero.parameter @w : tensor<2x3xf32> {init = #zero.iota<1.0, 0.5>}
zero.parameter @b : tensor<f32> {init = #zero.constant<0.25>}
zero.parameter @frozen : tensor<5xf32> {init = #zero.ones, frozen}
zero.alias @head = @w
zero.step @train(%x: tensor<2x3xf32> {zero.input = "x"}) optimizer #zero.adamw {
  %w = zero.read @w : tensor<2x3xf32>
  %head = zero.read @head : tensor<2x3xf32>
  %b = zero.read @b : tensor<f32>
  %p = arith.mulf %w, %x : tensor<2x3xf32>
  %q = arith.mulf %p, %head : tensor<2x3xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%q : tensor<2x3xf32>) outs(%zero : tensor<f32>)
      dimensions = [0, 1]
  %loss = arith.mulf %sum, %b : tensor<f32>
  zero.yield %loss : tensor<f32>
}
