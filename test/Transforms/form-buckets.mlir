// RUN: zero-opt %s --zero-form-buckets="world-size=4 align-bytes=4" --split-input-file | FileCheck %s
// RUN: zero-opt %s --zero-form-buckets="world-size=2" --split-input-file | FileCheck %s --check-prefix=ALIGNED

// Order of first use, not of declaration; the alias is no parameter of its own.
// CHECK: zero.bucket @bucket0 {element_type = f32, offsets = array<i64: 0, 6, 11>, parameters = [@b, @a, @unused], real_elements = 18 : i64, shard_elements = 5 : i64, trainable}
// ALIGNED: zero.bucket @bucket0 {element_type = f32, offsets = array<i64: 0, 16, 32>, parameters = [@b, @a, @unused], real_elements = 18 : i64, shard_elements = 32 : i64, trainable}
// CHECK-LABEL: zero.step @first_use
zero.parameter @a : tensor<5xf32> {init = #zero.zeros}
zero.parameter @b : tensor<6xf32> {init = #zero.zeros}
zero.parameter @unused : tensor<7xf32> {init = #zero.zeros}
zero.alias @c = @b
zero.step @first_use() optimizer #zero.sgd {
  %a = zero.read @a : tensor<5xf32>
  %c = zero.read @c : tensor<6xf32>
  %n = arith.negf %c : tensor<6xf32>
  %m = arith.negf %a : tensor<5xf32>
  %l = arith.constant dense<0.0> : tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// Element types, frozen parameters and blocks of the model have buckets of their own;
// scalars and empty parameters have slots.
// CHECK: zero.bucket @bucket0 {{.*}}parameters = [@w, @scalar]{{.*}}trainable
// CHECK: zero.bucket @bucket1 {element_type = f32, offsets = array<i64: 0>, parameters = [@frozen], real_elements = 4 : i64, shard_elements = 1 : i64}
// CHECK: zero.bucket @bucket2 {element_type = f64, {{.*}}parameters = [@double]{{.*}}trainable
// CHECK: zero.bucket @bucket3 {{.*}}parameters = [@next, @empty], real_elements = 4 : i64, shard_elements = 1 : i64, trainable
zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
zero.parameter @frozen : tensor<4xf32> {init = #zero.zeros, frozen}
zero.parameter @double : tensor<4xf64> {init = #zero.zeros}
zero.parameter @scalar : tensor<f32> {init = #zero.zeros}
zero.parameter @next : tensor<4xf32> {init = #zero.zeros}
zero.parameter @empty : tensor<0xf32> {init = #zero.zeros}
zero.step @classes() optimizer #zero.sgd {
  %w = zero.read @w : tensor<4xf32>
  %f = zero.read @frozen : tensor<4xf32>
  %d = zero.read @double : tensor<4xf64>
  %s = zero.read @scalar : tensor<f32>
  %n = zero.read @next : tensor<4xf32>
  %e = zero.read @empty : tensor<0xf32>
  %x = arith.mulf %w, %f : tensor<4xf32>
  %y = arith.negf %d : tensor<4xf64>
  %s1 = arith.negf %s : tensor<f32>
  %x1 = zero.block_boundary %x : tensor<4xf32>
  %z = arith.mulf %x1, %n : tensor<4xf32>
  %e1 = arith.negf %e : tensor<0xf32>
  zero.yield %s1 : tensor<f32>
}
