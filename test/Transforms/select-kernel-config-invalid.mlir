// RUN: zero-opt %s --split-input-file --verify-diagnostics --select-kernel-config

// expected-error@+1 {{'zero.kernel' op has no result}}
zero.kernel @nothing(%a: tensor<8xf32>) -> () {
  zero.yield
}

// -----

zero.kernel @two_rows(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>, %o: tensor<4x8xf32>, %p: tensor<4x9xf32>) -> (tensor<4x8xf32>, tensor<4x9xf32>) {
  %0 = nn.softmax %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error@+1 {{'nn.softmax' op reduces rows of 9 elements in a kernel with rows of 8}}
  %1 = nn.softmax %b : (tensor<4x9xf32>) -> tensor<4x9xf32>
  zero.yield %0, %1 : tensor<4x8xf32>, tensor<4x9xf32>
}
