// RUN: zero-opt %s --zero-partition="stage=0 world-size=2" | FileCheck %s --check-prefixes=CHECK,S0
// RUN: zero-opt %s --zero-partition="stage=1 world-size=2" | FileCheck %s --check-prefixes=CHECK,S12
// RUN: zero-opt %s --zero-partition="stage=2 world-size=2" | FileCheck %s --check-prefixes=CHECK,S12
// RUN: zero-opt %s --zero-partition="stage=3 world-size=2" | FileCheck %s --check-prefixes=CHECK,S3
// RUN: zero-opt %s --zero-partition="stage=3 world-size=1" | FileCheck %s --check-prefix=ALONE

// CHECK-LABEL: zero.step @one_collective_per_bucket
// S0: %[[W:.*]] = zero.load_shard @b["parameter"] : tensor<8xf32>
// S0: zero.slot %[[W]][@b, @w]
// S0: zero.all_reduce %{{.*}} : tensor<f32>
// S0: zero.all_reduce %{{.*}} : tensor<f32>
// S0: %[[G:.*]] = zero.assemble @b(%{{.*}}, %{{.*}})
// S0: %[[R:.*]] = zero.all_reduce %[[G]] : tensor<8xf32>
// S0-NOT: zero.all_gather
// S0: zero.apply @b {{.*}} gradient(%[[R]])
// S0: zero.store_shard %{{.*}}, @b["parameter"] : tensor<8xf32>

// S12: %[[G:.*]] = zero.assemble
// S12: %[[R:.*]] = zero.reduce_scatter %[[G]] : tensor<8xf32> -> tensor<4xf32>
// S12: %[[P:.*]], %{{.*}} = zero.apply @b {{.*}} gradient(%[[R]])
// S12: %[[N:.*]] = zero.all_gather %[[P]] : tensor<4xf32> -> tensor<8xf32>
// S12: zero.store_shard %[[N]], @b["parameter"] : tensor<8xf32>
// S12: zero.store_shard %{{.*}}, @b["m"] : tensor<4xf32>

// The one bucket is the last that forward uses, so it is gathered once.
// S3: zero.load_shard @b["parameter"] : tensor<4xf32>
// S3: zero.all_gather %{{.*}} {use = #zero.use<forward>}
// S3-NOT: use<backward>
// S3: %[[R:.*]] = zero.reduce_scatter
// S3: %[[P:.*]], %{{.*}} = zero.apply @b {{.*}} gradient(%[[R]])
// S3-NOT: zero.all_gather
// S3: zero.store_shard %[[P]], @b["parameter"] : tensor<4xf32>

// Over one rank there is nothing to send.
// ALONE-NOT: zero.all_gather
// ALONE-NOT: zero.reduce_scatter
// ALONE-NOT: zero.all_reduce
zero.optimizer @o states ["m"] {
^bb0(%p: f32, %g: f32, %m: f32, %lr: f32, %step: f32, %decay: f32):
  zero.yield %p, %m : f32, f32
}
zero.parameter @w : tensor<4xf32> {init = #zero.ones}
zero.parameter @v : tensor<4xf32> {init = #zero.ones}
zero.bucket @b {parameters = [@w, @v], offsets = array<i64: 0, 4>, real_elements = 8 : i64,
                shard_elements = 4 : i64, element_type = f32, trainable}
zero.step @one_collective_per_bucket(%rate: tensor<f64> {zero.input = "learning_rate"},
    %step: tensor<f64> {zero.input = "step"}) optimizer @o {
  %w = zero.read @w : tensor<4xf32>
  %v = zero.read @v : tensor<4xf32>
  %x = arith.mulf %w, %v : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %loss = linalg.reduce { arith.addf } ins(%x : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  %one = arith.constant dense<1.0> : tensor<f32>
  zero.update @w, %v scale %one rate %rate step %step using @o : tensor<4xf32>, tensor<f32>, tensor<f64>, tensor<f64>
  %dv = arith.negf %w : tensor<4xf32>
  zero.update @v, %dv scale %one rate %rate step %step using @o : tensor<4xf32>, tensor<f32>, tensor<f64>, tensor<f64>
  zero.yield %loss, %one : tensor<f32>, tensor<f32>
}
