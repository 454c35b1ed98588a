// RUN: zero-opt %s | zero-opt | FileCheck %s
// RUN: zero-opt %s --mlir-print-op-generic | zero-opt | FileCheck %s

// CHECK: zero.parameter @w : tensor<4x8xf32> {init = #zero.normal<0.000000e+00, 2.000000e-02>}
zero.parameter @w : tensor<4x8xf32> {init = #zero.normal<0.0, 0.02>}
// CHECK: zero.parameter @b : tensor<8xf32> {init = #zero.zeros, lr_scale = 2.000000e+00 : f64, weight_decay = 0.000000e+00 : f64}
zero.parameter @b : tensor<8xf32> {init = #zero.zeros, weight_decay = 0.0, lr_scale = 2.0}
// CHECK: zero.parameter @f : tensor<f32> {frozen, init = #zero.constant<3.000000e+00>}
zero.parameter @f : tensor<f32> {init = #zero.constant<3.0>, frozen}
// CHECK: #zero.ones
zero.parameter @o : tensor<0xf32> {init = #zero.ones}
// CHECK: #zero.uniform<-1.000000e+00, 1.000000e+00>
zero.parameter @u : tensor<2xf64> {init = #zero.uniform<-1.0, 1.0>}
// CHECK: #zero.iota<1.000000e+00, 5.000000e-01>
zero.parameter @i : tensor<2xf64> {init = #zero.iota<1.0, 0.5>}
// CHECK: zero.alias @tied = @w
zero.alias @tied = @w

// CHECK: zero.optimizer @plain states ["m"] attributes {weight_decay = 1.000000e-01 : f64} {
zero.optimizer @plain states ["m"] attributes {weight_decay = 0.1} {
^bb0(%p: f32, %g: f32, %m: f32, %lr: f32, %step: f32, %decay: f32):
  %d = arith.mulf %lr, %g : f32
  %p1 = arith.subf %p, %d : f32
  zero.yield %p1, %m : f32, f32
}

// CHECK: zero.bucket @bucket0 {cut = ["parameter", "m"], element_type = f32, offsets = array<i64: 0, 32>, parameters = [@w, @b], real_elements = 40 : i64, shard_elements = 24 : i64, trainable}
zero.bucket @bucket0 {parameters = [@w, @b], offsets = array<i64: 0, 32>, real_elements = 40 : i64,
                      shard_elements = 24 : i64, element_type = f32, trainable, cut = ["parameter", "m"]}

// CHECK: zero.step @train(%{{.*}}: tensor<4xf32> {zero.input = "x"}) optimizer #zero.adamw<{{.*}}> attributes {samples = 4 : i64} {
zero.step @train(%x: tensor<4xf32> {zero.input = "x"}) optimizer #zero.adamw<beta1 = 0.5>
    attributes {samples = 4 : i64} {
  // CHECK: zero.read @tied : tensor<4x8xf32>
  %w = zero.read @tied : tensor<4x8xf32>
  // CHECK: zero.block_boundary
  %c = zero.block_boundary %w : tensor<4x8xf32>
  // CHECK: zero.after
  %a = zero.after %c, %x : tensor<4x8xf32>, tensor<4xf32>
  // CHECK: zero.rank : index
  %r = zero.rank : index
  %loss = arith.constant dense<0.0> : tensor<f32>
  // CHECK: zero.yield %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32> gradients [@w](%{{.*}} : tensor<4x8xf32>)
  zero.yield %loss, %loss : tensor<f32>, tensor<f32> gradients [@w](%a : tensor<4x8xf32>)
}

// CHECK-LABEL: zero.step @update
zero.step @update(%rate: tensor<f64> {zero.input = "learning_rate"},
                  %step: tensor<f64> {zero.input = "step"}) optimizer @plain {
  %loss = arith.constant dense<1.0> : tensor<f32>
  %g = arith.constant dense<1.0> : tensor<4x8xf32>
  // CHECK: zero.update @w, %{{.*}} scale %{{.*}} rate %{{.*}} step %{{.*}} using @plain
  zero.update @w, %g scale %loss rate %rate step %step using @plain
      : tensor<4x8xf32>, tensor<f32>, tensor<f64>, tensor<f64>
  zero.yield %loss : tensor<f32>
}

// CHECK-LABEL: zero.step @sharded
zero.step @sharded(%rate: tensor<f64> {zero.input = "learning_rate"},
                   %step: tensor<f64> {zero.input = "step"}) optimizer @plain {
  // CHECK: zero.load_shard @bucket0["parameter"] : tensor<24xf32>
  %s = zero.load_shard @bucket0["parameter"] : tensor<24xf32>
  // CHECK: zero.all_gather %{{.*}} {use = #zero.use<forward>} : tensor<24xf32> -> tensor<48xf32>
  %whole = zero.all_gather %s {use = #zero.use<forward>} : tensor<24xf32> -> tensor<48xf32>
  // CHECK: zero.slot %{{.*}}[@bucket0, @w] : tensor<48xf32> -> tensor<4x8xf32>
  %w = zero.slot %whole[@bucket0, @w] : tensor<48xf32> -> tensor<4x8xf32>
  %b = zero.slot %whole[@bucket0, @b] : tensor<48xf32> -> tensor<8xf32>
  // CHECK: zero.assemble @bucket0(%{{.*}}, %{{.*}}) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<48xf32>
  %g = zero.assemble @bucket0(%w, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<48xf32>
  // CHECK: zero.reduce_scatter
  %gs = zero.reduce_scatter %g : tensor<48xf32> -> tensor<24xf32>
  %one = arith.constant dense<1.0> : tensor<f32>
  // CHECK: zero.all_reduce
  %scale = zero.all_reduce %one : tensor<f32>
  %m = zero.load_shard @bucket0["m"] : tensor<24xf32>
  // CHECK: zero.apply @bucket0 using @plain parameter(%{{.*}}) gradient(%{{.*}}) states(%{{.*}}) scale(%{{.*}}) rate(%{{.*}}) step(%{{.*}})
  %p1, %m1 = zero.apply @bucket0 using @plain parameter(%s) gradient(%gs) states(%m)
      scale(%scale) rate(%rate) step(%step)
      : (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<f32>, tensor<f64>, tensor<f64>)
      -> (tensor<24xf32>, tensor<24xf32>)
  // CHECK: zero.store_shard %{{.*}}, @bucket0["parameter"] : tensor<24xf32>
  zero.store_shard %p1, @bucket0["parameter"] : tensor<24xf32>
  zero.yield %scale : tensor<f32>
}

// CHECK: zero.kernel @add(%{{.*}}: tensor<8xf32>, %{{.*}}: tensor<8xf32>, %{{.*}}: i64) -> (tensor<8xf32>) attributes {config = {extent = 8 : i64}} {
zero.kernel @add(%a: tensor<8xf32>, %o: tensor<8xf32>, %n: i64) -> (tensor<8xf32>)
    attributes {config = {extent = 8 : i64}} {
  %0 = arith.addf %a, %o : tensor<8xf32>
  zero.yield %0 : tensor<8xf32>
}

// CHECK-LABEL: zero.step @kernels
zero.step @kernels(%x: tensor<8xf32> {zero.input = "x"}, %a: tensor<64x16xf32> {zero.input = "a"},
                   %b: tensor<16x8xf32> {zero.input = "b"}, %i: tensor<64x8xf32> {zero.input = "i"}) optimizer #zero.sgd {
  // CHECK: zero.launch @add ins(%{{.*}}) outs(%{{.*}}) {scalars = array<i64: 3>}
  %y = zero.launch @add ins(%x) outs(%x) {scalars = array<i64: 3>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK: zero.product %{{.*}}, %{{.*}} bias %{{.*}} : tensor<8xf32> into %{{.*}} : tensor<64x8xf32>
  %c = zero.product %a, %b bias %y : tensor<8xf32> into %i : tensor<64x8xf32>
      {sizes = array<i64: 1, 64, 8, 16>, a_strides = array<i64: 0, 16, 1>,
       b_strides = array<i64: 0, 8, 1>, c_strides = array<i64: 0, 8>}
      : tensor<64x16xf32>, tensor<16x8xf32> -> tensor<64x8xf32>
  %loss = arith.constant dense<0.0> : tensor<f32>
  zero.yield %loss : tensor<f32>
}
