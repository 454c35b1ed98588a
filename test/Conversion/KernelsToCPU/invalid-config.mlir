// RUN: zero-opt %s --split-input-file --verify-diagnostics --convert-kernels-to-cpu

// expected-error@+1 {{'zero.kernel' op has no config with a strategy}}
zero.kernel @none(%a: tensor<8xf32>, %o: tensor<8xf32>) -> (tensor<8xf32>) {
  zero.yield %a : tensor<8xf32>
}

// -----

// expected-error@+1 {{'zero.kernel' op has the strategy 'spiral', which no generator knows}}
zero.kernel @unknown(%a: tensor<8xf32>, %o: tensor<8xf32>) -> (tensor<8xf32>)
    attributes {config = {extent = 1 : i64, grain = 1 : i64, strategy = "spiral", thread_scratch_bytes = 0 : i64}} {
  zero.yield %a : tensor<8xf32>
}
