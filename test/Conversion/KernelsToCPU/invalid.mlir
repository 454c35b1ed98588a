// RUN: zero-opt %s --split-input-file --verify-diagnostics --select-kernel-config --convert-kernels-to-cpu

zero.kernel @combiner(%x: tensor<4x8xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>) {
  %c = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error@+1 {{'linalg.reduce' with this combiner has no generator}}
  %0 = linalg.reduce { arith.subf } ins(%x : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  zero.yield %0 : tensor<4xf32>
}

// -----

zero.kernel @matmul(%x: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> (tensor<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' has no generator}}
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  zero.yield %0 : tensor<4x4xf32>
}

// -----

zero.kernel @type(%a: tensor<8xi4>, %o: tensor<8xi4>) -> (tensor<8xi4>) {
  // expected-error@+1 {{'arith.addi' has tensors of a type that no generator takes}}
  %0 = arith.addi %a, %a : tensor<8xi4>
  zero.yield %0 : tensor<8xi4>
}

// -----

zero.kernel @other_row(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> (tensor<4x8xf32>) {
  // expected-error@+1 {{'nn.softmax' is read at another row than its own}}
  %0 = nn.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%0 : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<8x4xf32> into tensor<32xf32>
  %f = tensor.expand_shape %c [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  zero.yield %f : tensor<4x8xf32>
}

// -----

zero.kernel @no_random(%x: tensor<6x37xf32>, %o: tensor<6x37xf32>, %s: i64) -> (tensor<6x37xf32>) {
  // expected-error@+1 {{'nn.dropout' draws random numbers but has no 'random' operand}}
  %0 = nn.dropout %x site %s {probability = 0.3 : f64} : (tensor<6x37xf32>, i64) -> tensor<6x37xf32>
  zero.yield %0 : tensor<6x37xf32>
}

// -----

zero.kernel @after_attention(%x: tensor<1x3x2x4xf32>, %o: tensor<1x3x2x4xf32>) -> (tensor<1x3x2x4xf32>) {
  %y, %l = nn.attention %x, %x, %x {scale = 0.3 : f64} : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) -> (tensor<1x3x2x4xf32>, tensor<1x2x3xf32>)
  // expected-error@+1 {{'arith.addf' can't follow attention in one kernel}}
  %z = arith.addf %y, %y : tensor<1x3x2x4xf32>
  zero.yield %z : tensor<1x3x2x4xf32>
}
