// A language model of one table: 2 samples of 8 tokens, a vocabulary of 64.
zero.parameter @table : tensor<64x4xf32> {init = #zero.normal<0.0, 0.02>}
zero.step @train(%tokens: tensor<2x8xi32> {zero.input = "tokens"},
                 %next: tensor<2x8xi32> {zero.input = "next_tokens"})
    optimizer #zero.sgd attributes {samples = 2 : i64} {
  %table = zero.read @table : tensor<64x4xf32>
  %ids = tensor.collapse_shape %tokens [[0, 1]] : tensor<2x8xi32> into tensor<16xi32>
  %labels = tensor.collapse_shape %next [[0, 1]] : tensor<2x8xi32> into tensor<16xi32>
  %x = nn.embedding %table, %ids : (tensor<64x4xf32>, tensor<16xi32>) -> tensor<16x4xf32>
  %sum, %weight = nn.linear_cross_entropy %x, %table, %labels
      : (tensor<16x4xf32>, tensor<64x4xf32>, tensor<16xi32>) -> (tensor<f32>, tensor<f32>)
  zero.yield %sum, %weight : tensor<f32>, tensor<f32>
}
