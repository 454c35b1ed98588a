// RUN: zero-opt %s --zero-expand-structured --split-input-file --verify-diagnostics

zero.step @strided_map(%x: tensor<8xf32> {zero.input = "x"}, %l: tensor<f32> {zero.input = "l"}) optimizer #zero.sgd {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'linalg.generic' reads operand 0 through the map affine_map<(d0) -> (d0 * 2)>, which is no choice and order of loops}}
  %y = linalg.generic {indexing_maps = [affine_map<(a) -> (a * 2)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<4xf32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @difference_of_sums(%x: tensor<8xf32> {zero.input = "x"}, %l: tensor<f32> {zero.input = "l"}) optimizer #zero.sgd {
  // expected-error @+1 {{'linalg.generic' reduces by a body that is not one add, mul, max or min of the accumulator and an element}}
  %y = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%l : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %v = arith.subf %o, %p : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  zero.yield %y : tensor<f32>
}

// -----

zero.step @integer_table(%t: tensor<8xi32> {zero.input = "t"}, %l: tensor<f32> {zero.input = "l"}) optimizer #zero.sgd {
  %e = tensor.empty() : tensor<4xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = ["parallel"]} outs(%e : tensor<4xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    // expected-error @+1 {{'tensor.extract' in 'linalg.generic' reads a 'tensor<8xi32>'; want a static tensor of floats}}
    %v = tensor.extract %t[%i] : tensor<8xi32>
    linalg.yield %v : i32
  } -> tensor<4xi32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @padded_by_data(%x: tensor<8xf32> {zero.input = "x"}, %l: tensor<f32> {zero.input = "l"}) optimizer #zero.sgd {
  // expected-error @+1 {{'tensor.pad' pads with what is not one constant}}
  %y = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    %v = tensor.extract %l[] : tensor<f32>
    tensor.yield %v : f32
  } : tensor<8xf32> to tensor<9xf32>
  zero.yield %l : tensor<f32>
}
