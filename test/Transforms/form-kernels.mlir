// RUN: zero-opt %s --zero-form-kernels --split-input-file | FileCheck %s

// Elementwise operations that follow each other are one kernel; the bias is part of the
// product; a transposition is strides.
// CHECK-LABEL: zero.step @fuses
// CHECK: %[[P:.*]] = zero.product %{{.*}}, %{{.*}} bias %{{.*}} : tensor<8xf32> {a_strides = array<i64: 0, 16, 1>, b_strides = array<i64: 0, 1, 16>, c_strides = array<i64: 0, 8>, sizes = array<i64: 1, 4, 8, 16>}
// CHECK: %[[Y:.*]] = zero.launch @map ins(%[[P]])
// CHECK-NOT: zero.launch @map
// CHECK: zero.launch @reduce ins(%[[Y]])
// CHECK: zero.kernel @map
// CHECK: math.tanh
// CHECK: arith.mulf
zero.step @fuses(%x: tensor<4x16xf32> {zero.input = "x"}, %w: tensor<8x16xf32> {zero.input = "w"},
                 %b: tensor<8xf32> {zero.input = "b"}) optimizer #zero.sgd {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %te = tensor.empty() : tensor<16x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x16xf32>) outs(%te : tensor<16x8xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%x, %t : tensor<4x16xf32>, tensor<16x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %bb = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %h = arith.addf %p, %bb : tensor<4x8xf32>
  %a = math.tanh %h : tensor<4x8xf32>
  %s = arith.mulf %a, %a : tensor<4x8xf32>
  %ez = tensor.empty() : tensor<f32>
  %zz = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%s : tensor<4x8xf32>) outs(%zz : tensor<f32>) dimensions = [0, 1]
  zero.yield %l : tensor<f32>
}

// -----

// Two layers of one body and type share a kernel; integer constants are operands of it.
// CHECK-LABEL: zero.step @shares
// CHECK: zero.launch @dropout ins({{.*}}) outs({{.*}}) {scalars = array<i64: 3>}
// CHECK: zero.product
// CHECK: zero.launch @dropout ins({{.*}}) outs({{.*}}) {scalars = array<i64: 4>}
// CHECK: zero.kernel @dropout
// CHECK-NOT: zero.kernel @dropout
zero.step @shares(%x: tensor<4x4xf32> {zero.input = "x"}, %r: tensor<4xi64> {zero.input = "random"}) optimizer #zero.sgd {
  %s3 = arith.constant 3 : i64
  %s4 = arith.constant 4 : i64
  %zero = arith.constant 0.0 : f32
  %a = nn.dropout %x site %s3 random %r {probability = 0.5 : f64} : (tensor<4x4xf32>, i64, tensor<4xi64>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = nn.dropout %p site %s4 random %r {probability = 0.5 : f64} : (tensor<4x4xf32>, i64, tensor<4xi64>) -> tensor<4x4xf32>
  %ez = tensor.empty() : tensor<f32>
  %zz = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %q = linalg.matmul ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %l = linalg.reduce { arith.addf } ins(%q : tensor<4x4xf32>) outs(%zz : tensor<f32>) dimensions = [0, 1]
  zero.yield %l : tensor<f32>
}
