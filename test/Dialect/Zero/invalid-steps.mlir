// RUN: zero-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'zero.parameter' op is of type 'f32'; dynamic shapes are not supported}}
zero.parameter @w : f32 {init = #zero.ones}

// -----

// expected-error @+1 {{'zero.parameter' op has a weight_decay or lr_scale of INF; want a finite value that is not negative}}
zero.parameter @w : tensor<4xf32> {init = #zero.ones, lr_scale = 0x7FF0000000000000 : f64}

// -----

// expected-error @+1 {{a uniform needs finite bounds, low first}}
zero.parameter @w : tensor<4xf32> {init = #zero.uniform<2.0, 1.0>}

// -----

// expected-error @+1 {{'zero.optimizer' op works on 'i32'; want a float type}}
zero.optimizer @o states [] {
^bb0(%p: i32, %g: i32, %lr: i32, %step: i32, %decay: i32):
  zero.yield %p : i32
}

// -----

// expected-error @+1 {{'zero.optimizer' op has arguments of different types}}
zero.optimizer @o states [] {
^bb0(%p: f32, %g: f32, %lr: f64, %step: f32, %decay: f32):
  zero.yield %p : f32
}

// -----

// expected-error @+1 {{'zero.optimizer' op must yield 2 values: the parameter and its states}}
zero.optimizer @o states ["m"] {
^bb0(%p: f32, %g: f32, %m: f32, %lr: f32, %step: f32, %decay: f32):
  zero.yield %p : f32
}

// -----

zero.optimizer @o states [] {
^bb0(%p: f32, %g: f32, %lr: f32, %step: f32, %decay: f32):
  %d = arith.extf %p : f32 to f64
  // expected-error @+1 {{'zero.yield' op yields 'f64'; want 'f32'}}
  zero.yield %d : f64
}

// -----

// expected-error @+1 {{step input has no role; want a string attribute zero.input}}
zero.step @s(%x: tensor<4xf32> {zero.input = 3 : i64}) optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// expected-error @+1 {{step input is of type 'f32'; want a tensor of static shape, dynamic shapes are not supported}}
zero.step @s(%x: f32 {zero.input = "x"}) optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @s() optimizer #zero.sgd {
  %l = arith.constant dense<0> : tensor<i32>
  // expected-error @+1 {{'zero.yield' op yields a loss of type 'tensor<i32>'; want a floating-point tensor of rank 0}}
  zero.yield %l : tensor<i32>
}

// -----

zero.step @s() optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  %w = arith.constant dense<1.0> : tensor<2xf32>
  // expected-error @+1 {{'zero.yield' op yields a loss of type 'tensor<2xf32>'; want a floating-point tensor of rank 0}}
  zero.yield %l, %w : tensor<f32>, tensor<2xf32>
}

// -----

// expected-error @+1 {{'beta1' is -5.000000e-01 and must be in [0, 1.000000e+00)}}
zero.step @s() optimizer #zero.adamw<beta1 = -0.5> {
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// expected-error @+1 {{this optimizer has no hyper-parameter 'beta1'}}
zero.step @s() optimizer #zero.momentum<beta1 = 0.5> {
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.optimizer @o states [] {
^bb0(%p: f32, %g: f32, %lr: f32, %step: f32, %decay: f32):
  zero.yield %p : f32
}
zero.step @s(%g: tensor<5xf32> {zero.input = "g"}, %s: tensor<f32> {zero.input = "s"}) optimizer @o {
  // expected-error @+1 {{'zero.update' op updates @w of type 'tensor<4xf32>' by a gradient of type 'tensor<5xf32>'}}
  zero.update @w, %g scale %s rate %s step %s using @o : tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  zero.yield %s : tensor<f32>
}

// -----

zero.step @s(%g: tensor<5xf32> {zero.input = "g"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.update' op names an unknown parameter @w}}
  zero.update @w, %g scale %s rate %s step %s using @o : tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  zero.yield %s : tensor<f32>
}

// -----

// expected-error @+1 {{'zero.bucket' op names an unknown parameter @nothing}}
zero.bucket @b {parameters = [@nothing], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
// expected-error @+1 {{'zero.bucket' op has @w at element -1, inside the slot before it, which ends at 0}}
zero.bucket @b {parameters = [@w], offsets = array<i64: -1>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}

// -----

zero.parameter @w : tensor<4xf64> {init = #zero.ones}
// expected-error @+1 {{'zero.bucket' op holds @w, which is of another class}}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @s(%s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.load_shard' op is of type 'tensor<4xf64>'; @b has elements of 'f32'}}
  %p = zero.load_shard @b["parameter"] : tensor<4xf64>
  zero.yield %s : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @s(%x: tensor<6xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.store_shard' op has 6 elements of @b, whose shard has 4}}
  zero.store_shard %x, @b["parameter"] : tensor<6xf32>
  zero.yield %s : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.parameter @v : tensor<4xf32> {init = #zero.ones}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @s(%x: tensor<4xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.slot' op takes @v, which has no slot in @b}}
  %p = zero.slot %x[@b, @v] : tensor<4xf32> -> tensor<4xf32>
  zero.yield %s : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @s(%x: tensor<4xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.slot' op takes @w as 'tensor<2x2xf32>'}}
  %p = zero.slot %x[@b, @w] : tensor<4xf32> -> tensor<2x2xf32>
  zero.yield %s : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @s(%x: tensor<4xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.assemble' op has 2 slots; @b has 1}}
  %p = zero.assemble @b(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  zero.yield %s : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64, shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @s(%x: tensor<2x2xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.assemble' op has a slot of type 'tensor<2x2xf32>' for @w}}
  %p = zero.assemble @b(%x) : (tensor<2x2xf32>) -> tensor<4xf32>
  zero.yield %s : tensor<f32>
}

// -----

zero.step @s(%x: tensor<4xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.all_gather' op has a shard of type 'tensor<4xf32>' of a whole of type 'tensor<8xf64>'}}
  %p = zero.all_gather %x : tensor<4xf32> -> tensor<8xf64>
  zero.yield %s : tensor<f32>
}

// -----

zero.step @s(%x: tensor<4xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.reduce_scatter' op has a shard of type 'tensor<2xf64>' of a whole of type 'tensor<4xf32>'}}
  %p = zero.reduce_scatter %x : tensor<4xf32> -> tensor<2xf64>
  zero.yield %s : tensor<f32>
}

// -----

// expected-error @+1 {{'zero.kernel' op has an operand of type 'tensor<?xf32>'; want static tensors, then i64 scalars}}
zero.kernel @k(%a: tensor<?xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>) {
  zero.yield %o : tensor<4xf32>
}

// -----

// expected-error @+1 {{'zero.kernel' op does not yield values of its result types}}
zero.kernel @k(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>) {
  zero.yield %a, %o : tensor<4xf32>, tensor<4xf32>
}

// -----

zero.kernel @k(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>) {
  zero.yield %a : tensor<4xf32>
}
zero.step @s(%x: tensor<5xf32> {zero.input = "x"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  %e = tensor.empty() : tensor<5xf32>
  // expected-error @+1 {{'zero.launch' op does not fit @k of type '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
  %p = zero.launch @k ins(%x) outs(%e) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  zero.yield %s : tensor<f32>
}

// -----

zero.step @s(%a: tensor<4xf32> {zero.input = "a"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.product' op wants 4 sizes, 3 strides of a and b, and 2 of c}}
  %c = zero.product %a, %a {sizes = array<i64: 1, 2, 2, 2>, a_strides = array<i64: 0, 2>, b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 2>} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  zero.yield %s : tensor<f32>
}

// -----

zero.step @s(%a: tensor<4xf32> {zero.input = "a"}, %s: tensor<f32> {zero.input = "s"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.product' op addresses elements outside an operand}}
  %c = zero.product %a, %a {sizes = array<i64: 1, 2, 2, 2>, a_strides = array<i64: 0, 2, 1>, b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 3>} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  zero.yield %s : tensor<f32>
}

// -----

// expected-error @+1 {{'zero.step' op has -1 samples; want at least 1}}
zero.step @s() optimizer #zero.sgd attributes {samples = -1 : i64} {
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}
