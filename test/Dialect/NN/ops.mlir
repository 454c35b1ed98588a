// RUN: zero-opt %s | zero-opt | FileCheck %s
// RUN: zero-opt %s --mlir-print-op-generic | zero-opt | FileCheck %s

// Every operation once, with what is optional.
// CHECK-LABEL: func.func @every_operation
func.func @every_operation(
    %table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>,
    %scalar: tensor<f32>, %w: tensor<8x4xf32>, %bias: tensor<8xf32>, %logits: tensor<6x8xf32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>,
    %segments: tensor<2x3xi32>, %random: tensor<4xi64>) {
  %site = arith.constant 3 : i64
  // CHECK: nn.embedding 
  %e = nn.embedding %table, %ids : (tensor<8x4xf32>, tensor<6xi32>) -> tensor<6x4xf32>
  // CHECK: nn.embedding_grad 
  %eg = nn.embedding_grad %ids, %x into %table : (tensor<6xi32>, tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: nn.layer_norm 
  %ln, %mean, %rstd = nn.layer_norm %x, %c, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, tensor<6xf32>)
  // CHECK: nn.layer_norm_grad 
  %lng, %dg, %db = nn.layer_norm_grad %x, %x, %c, %rows, %rows : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: nn.rms_norm 
  %rn, %rs = nn.rms_norm %x, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>)
  // CHECK: nn.rms_norm_grad 
  %rng, %rdg = nn.rms_norm_grad %x, %x, %c, %rows : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<4xf32>)
  // CHECK: nn.softmax 
  %sm = nn.softmax %x : (tensor<6x4xf32>) -> tensor<6x4xf32>
  // CHECK: nn.softmax_grad 
  %smg = nn.softmax_grad %x, %x : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  // CHECK: nn.cross_entropy 
  %sum, %weight, %l = nn.cross_entropy %logits, %ids {ignore_index = 7 : i64} : (tensor<6x8xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<f32>, tensor<6xf32>)
  // CHECK: nn.cross_entropy_rows 
  %rl, %rw, %rlse = nn.cross_entropy_rows %logits, %ids : (tensor<6x8xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
  // CHECK: nn.cross_entropy_grad 
  %dl = nn.cross_entropy_grad %scalar, %logits, %ids, %rows : (tensor<f32>, tensor<6x8xf32>, tensor<6xi32>, tensor<6xf32>) -> tensor<6x8xf32>
  // CHECK: nn.linear_cross_entropy 
  %s2, %w2 = nn.linear_cross_entropy %x, %w, %ids bias %bias : (tensor<6x4xf32>, tensor<8x4xf32>, tensor<6xi32>, tensor<8xf32>) -> (tensor<f32>, tensor<f32>)
  // CHECK: nn.linear_cross_entropy_grad 
  %s3, %w3, %dx, %dw = nn.linear_cross_entropy_grad %scalar, %x, %w, %ids : (tensor<f32>, tensor<6x4xf32>, tensor<8x4xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<f32>, tensor<6x4xf32>, tensor<8x4xf32>)
  // CHECK: nn.attention 
  %o, %lse2 = nn.attention %q, %kv, %kv key_lengths %lengths segments %segments site %site random %random {causal, dropout = 1.0e-1 : f64, scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>, tensor<2xi32>, tensor<2x3xi32>, i64, tensor<4xi64>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  // CHECK: nn.attention_grad 
  %dq, %dk, %dv = nn.attention_grad %q, %q, %kv, %kv, %q, %lse {scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x4x2xf32>, tensor<2x4x3xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>)
  // CHECK: nn.rope 
  %r = nn.rope %q {base = 5.0e+2 : f64, inverse} : (tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  // CHECK: nn.dropout 
  %d = nn.dropout %x site %site random %random {probability = 1.0e-1 : f64, rows_per_sample = 3 : i64} : (tensor<6x4xf32>, i64, tensor<4xi64>) -> tensor<6x4xf32>
  return
}
