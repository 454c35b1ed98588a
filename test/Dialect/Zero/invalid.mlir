// RUN: zero-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'zero.parameter' op is of type 'tensor<?xf32>'; dynamic shapes are not supported}}
zero.parameter @parameter_c1_dynamic : tensor<?xf32> {init = #zero.zeros}

// -----

// expected-error @+1 {{'zero.parameter' op has elements of type 'i32'; want a floating-point type}}
zero.parameter @parameter_c1_integer : tensor<4xi32> {init = #zero.zeros}

// -----

// expected-error @+1 {{'zero.parameter' op has an unknown init 7 : i64}}
zero.parameter @parameter_c2 : tensor<4xf32> {init = 7}

// -----

// expected-error @+1 {{'zero.parameter' op has a weight_decay or lr_scale of -1.000000e+00; want a finite value that is not negative}}
zero.parameter @parameter_c3 : tensor<4xf32> {init = #zero.zeros, weight_decay = -1.0}

// -----

// expected-error @+1 {{a normal needs a finite mean and a standard deviation that is finite and not negative}}
zero.parameter @normal : tensor<4xf32> {init = #zero.normal<0.0, -1.0>}

// -----

// expected-error @+1 {{a uniform needs finite bounds, low first}}
zero.parameter @uniform : tensor<4xf32> {init = #zero.uniform<1.0, 0.0>}

// -----

// expected-error @+1 {{'zero.alias' op names an unknown parameter @nothing}}
zero.alias @alias_c1 = @nothing

// -----

// expected-error @+1 {{'zero.optimizer' op has 3 arguments and 0 states; want 5 + states}}
zero.optimizer @optimizer_c1 states [] {
^bb0(%p: f32, %g: f32, %lr: f32):
  zero.yield %p : f32
}

// -----

// expected-error @+1 {{'zero.optimizer' op must yield 2 values: the parameter and its states}}
zero.optimizer @optimizer_c2 states ["m"] {
^bb0(%p: f32, %g: f32, %m: f32, %lr: f32, %step: f32, %decay: f32):
  zero.yield %p : f32
}

// -----

zero.optimizer @optimizer_c3 states [] {
^bb0(%p: f32, %g: f32, %lr: f32, %step: f32, %decay: f32):
  // expected-error @+1 {{is not an elementwise operation; an optimizer takes arith and math operations on scalars}}
  %t = tensor.empty() : tensor<4xf32>
  zero.yield %p : f32
}

// -----

// expected-error @+1 {{'zero.optimizer' op has two values named "m"}}
zero.optimizer @optimizer_c4 states ["m", "m"] {
^bb0(%p: f32, %g: f32, %m: f32, %v: f32, %lr: f32, %step: f32, %decay: f32):
  zero.yield %p, %m, %v : f32, f32, f32
}

// -----

// expected-error @+1 {{does not end in zero.yield, so it has no loss}}
zero.step @step_c1() optimizer #zero.sgd {
  %0 = arith.constant 0 : i32
}

// -----

// expected-error @+1 {{step input is of type 'tensor<?xf32>'; want a tensor of static shape, dynamic shapes are not supported}}
zero.step @step_c2_dynamic(%x: tensor<?xf32> {zero.input = "x"}) optimizer #zero.sgd {
  %loss = arith.constant dense<0.0> : tensor<f32>
  zero.yield %loss : tensor<f32>
}

// -----

// expected-error @+1 {{step input has no role; want a string attribute zero.input}}
zero.step @step_c2_role(%x: tensor<4xf32>) optimizer #zero.sgd {
  %loss = arith.constant dense<0.0> : tensor<f32>
  zero.yield %loss : tensor<f32>
}

// -----

// expected-error @+1 {{'zero.step' op has an unknown optimizer 3 : i64}}
zero.step @step_c3() optimizer 3 {
  %loss = arith.constant dense<0.0> : tensor<f32>
  zero.yield %loss : tensor<f32>
}

// -----

// expected-error @+1 {{'zero.step' op has 0 samples; want at least 1}}
zero.step @step_c4() optimizer #zero.sgd attributes {samples = 0 : i64} {
  %loss = arith.constant dense<0.0> : tensor<f32>
  zero.yield %loss : tensor<f32>
}

// -----

// expected-error @+1 {{two step inputs have the role "x"}}
zero.step @step_c5(%x: tensor<4xf32> {zero.input = "x"}, %y: tensor<4xf32> {zero.input = "x"}) optimizer #zero.sgd {
  %loss = arith.constant dense<0.0> : tensor<f32>
  zero.yield %loss : tensor<f32>
}

// -----

// expected-error @+1 {{this optimizer has no hyper-parameter 'speed'}}
zero.step @hyper_unknown() optimizer #zero.sgd<speed = 1.0> {
}

// -----

// expected-error @+1 {{'beta1' is 2.000000e+00 and must be in [0, 1.000000e+00)}}
zero.step @hyper_range() optimizer #zero.adam<beta1 = 2.0> {
}

// -----

zero.step @yield_c1_nothing() optimizer #zero.sgd {
  // expected-error @+1 {{'zero.yield' op yields no loss; want a sum and, if it is not 1, a weight}}
  zero.yield
}

// -----

zero.step @yield_c1_three() optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'zero.yield' op yields 3 values; want a sum and a weight}}
  zero.yield %l, %l, %l : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

zero.step @yield_c1_vector() optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error @+1 {{'zero.yield' op yields a loss of type 'tensor<4xf32>'; want a floating-point tensor of rank 0}}
  zero.yield %l : tensor<4xf32>
}

// -----

zero.step @yield_c2() optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'zero.yield' op has 1 gradients for 2 parameters}}
  zero.yield %l : tensor<f32> gradients [@a, @b](%l : tensor<f32>)
}

// -----

zero.step @read_c1_unknown() optimizer #zero.sgd {
  // expected-error @+1 {{'zero.read' op names an unknown parameter @w}}
  %w = zero.read @w : tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// expected-note @+1 {{declared here}}
zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
zero.step @read_c1_type() optimizer #zero.sgd {
  // expected-error @+1 {{'zero.read' op reads @w as 'tensor<5xf32>'; it is 'tensor<4xf32>'}}
  %w = zero.read @w : tensor<5xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.parameter @f : tensor<f32> {init = #zero.zeros, frozen}
zero.step @update_c1_frozen(%d: tensor<f64> {zero.input = "d"}) optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'zero.update' op updates @f, which is frozen}}
  zero.update @f, %l scale %l rate %d step %d using @o : tensor<f32>, tensor<f32>, tensor<f64>, tensor<f64>
  zero.yield %l : tensor<f32>
}

// -----

zero.parameter @w : tensor<f32> {init = #zero.zeros}
zero.step @update_c2(%d: tensor<f64> {zero.input = "d"}) optimizer #zero.sgd {
  %l = arith.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'zero.update' op names an unknown optimizer @o}}
  zero.update @w, %l scale %l rate %d step %d using @o : tensor<f32>, tensor<f32>, tensor<f64>, tensor<f64>
  zero.yield %l : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
// expected-error @+1 {{'zero.bucket' op has 2 offsets for 1 parameters}}
zero.bucket @bucket_c1 {parameters = [@w], offsets = array<i64: 0, 4>, real_elements = 4 : i64,
                        shard_elements = 4 : i64, element_type = f32, trainable}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
zero.parameter @v : tensor<4xf32> {init = #zero.zeros}
// expected-error @+1 {{'zero.bucket' op has @v at element 2, inside the slot before it, which ends at 4}}
zero.bucket @bucket_c1_overlap {parameters = [@w, @v], offsets = array<i64: 0, 2>, real_elements = 8 : i64,
                                shard_elements = 8 : i64, element_type = f32, trainable}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.zeros, frozen}
// expected-error @+1 {{'zero.bucket' op holds @w, which is of another class}}
zero.bucket @bucket_c2 {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64,
                        shard_elements = 4 : i64, element_type = f32, trainable}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
// expected-error @+1 {{'zero.bucket' op counts 5 elements; its parameters have 4}}
zero.bucket @bucket_c3 {parameters = [@w], offsets = array<i64: 0>, real_elements = 5 : i64,
                        shard_elements = 4 : i64, element_type = f32, trainable}

// -----

zero.step @gather_c1(%x: tensor<4xf32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.all_gather' op has a shard of type 'tensor<4xf32>' of a whole of type 'tensor<6xf32>'}}
  %w = zero.all_gather %x : tensor<4xf32> -> tensor<6xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @reduce_scatter_c1(%x: tensor<6xf32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.reduce_scatter' op has a shard of type 'tensor<4xf32>' of a whole of type 'tensor<6xf32>'}}
  %w = zero.reduce_scatter %x : tensor<6xf32> -> tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @slot_c1(%x: tensor<6xf32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.slot' op names an unknown bucket @b}}
  %w = zero.slot %x[@b, @w] : tensor<6xf32> -> tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// expected-error @+1 {{'zero.kernel' op has outs of other types than its results}}
zero.kernel @kernel_c2(%a: tensor<8xf32>) -> (tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  zero.yield %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'zero.kernel' op does not yield values of its result types}}
zero.kernel @kernel_c3(%a: tensor<8xf32>) -> (tensor<8xf32>) {
  zero.yield
}

// -----

zero.step @launch_unknown(%x: tensor<8xf32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.launch' op names an unknown kernel @k}}
  %y = zero.launch @k ins(%x) outs(%x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @product_c1(%a: tensor<4xf32> {zero.input = "a"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.product' op wants 4 sizes, 3 strides of a and b, and 2 of c}}
  %c = zero.product %a, %a {sizes = array<i64: 1, 2, 2>, a_strides = array<i64: 0, 2, 1>,
       b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 2>} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @product_c2(%a: tensor<4xf32> {zero.input = "a"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.product' op addresses elements outside an operand}}
  %c = zero.product %a, %a {sizes = array<i64: 1, 3, 2, 2>, a_strides = array<i64: 0, 2, 1>,
       b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 2>} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.step @load_shard_c1() optimizer #zero.sgd {
  // expected-error @+1 {{'zero.load_shard' op names an unknown bucket @b}}
  %w = zero.load_shard @b["parameter"] : tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
zero.bucket @b {parameters = [@w], offsets = array<i64: 0>, real_elements = 4 : i64,
                shard_elements = 2 : i64, element_type = f32, trainable, cut = ["parameter"]}
zero.step @load_shard_c2() optimizer #zero.sgd {
  // expected-error @+1 {{'zero.load_shard' op has 4 elements of @b, whose shard has 2 and which is cut}}
  %w = zero.load_shard @b["parameter"] : tensor<4xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// expected-error @+1 {{'zero.parameter' op is named '__metadata__', which a parameter file can't hold as the name of a tensor}}
zero.parameter @__metadata__ : tensor<f32> {init = #zero.ones}

// -----

// expected-error @+1 {{'zero.parameter' op is named '', which a parameter file can't hold as the name of a tensor}}
zero.parameter @"" : tensor<f32> {init = #zero.ones}
