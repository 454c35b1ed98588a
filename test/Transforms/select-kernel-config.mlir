// RUN: zero-opt %s --select-kernel-config | FileCheck %s

// CHECK-LABEL: zero.kernel @flat
// CHECK-SAME: extent = 96 : i64, grain = 1024 : i64, strategy = "flat", thread_scratch_bytes = 0 : i64
zero.kernel @flat(%a: tensor<4x24xf32>, %o: tensor<4x24xf32>) -> (tensor<4x24xf32>) {
  %0 = arith.addf %a, %a : tensor<4x24xf32>
  zero.yield %0 : tensor<4x24xf32>
}

// What is repeated along rows needs the column.
// CHECK-LABEL: zero.kernel @bias
// CHECK-SAME: columns = 24 : i64, extent = 4 : i64, grain = 170 : i64, rows = 4 : i64, strategy = "rows"
zero.kernel @bias(%a: tensor<4x24xf32>, %b: tensor<24xf32>, %o: tensor<4x24xf32>) -> (tensor<4x24xf32>) {
  %e = tensor.empty() : tensor<4x24xf32>
  %c = linalg.broadcast ins(%b : tensor<24xf32>) outs(%e : tensor<4x24xf32>) dimensions = [0]
  %0 = arith.addf %a, %c : tensor<4x24xf32>
  zero.yield %0 : tensor<4x24xf32>
}

// CHECK-LABEL: zero.kernel @softmax
// CHECK-SAME: columns = 5000 : i64, extent = 6 : i64, grain = 1 : i64, rows = 6 : i64, strategy = "rows"
zero.kernel @softmax(%a: tensor<2x3x5000xf32>, %o: tensor<2x3x5000xf32>) -> (tensor<2x3x5000xf32>) {
  %0 = nn.softmax %a : (tensor<2x3x5000xf32>) -> tensor<2x3x5000xf32>
  zero.yield %0 : tensor<2x3x5000xf32>
}

// The sum of everything is one row.
// CHECK-LABEL: zero.kernel @sum
// CHECK-SAME: columns = 96 : i64, extent = 1 : i64, {{.*}}rows = 1 : i64, strategy = "rows"
zero.kernel @sum(%a: tensor<4x24xf32>, %o: tensor<f32>) -> (tensor<f32>) {
  %c = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x24xf32>) outs(%c : tensor<f32>) dimensions = [0, 1]
  zero.yield %0 : tensor<f32>
}

// Two sums of 40 columns, padded to 48, in f64.
// CHECK-LABEL: zero.kernel @columns
// CHECK-SAME: block_rows = 8 : i64, columns = 40 : i64, extent = 3 : i64, grain = 4 : i64, rows = 9 : i64, strategy = "columns", thread_scratch_bytes = 768 : i64
zero.kernel @columns(%dy: tensor<9x40xf64>, %x: tensor<9x40xf64>, %g: tensor<40xf64>, %m: tensor<9xf64>, %r: tensor<9xf64>,
                     %o: tensor<40xf64>, %p: tensor<40xf64>) -> (tensor<40xf64>, tensor<40xf64>) {
  %dx, %dg, %db = nn.layer_norm_grad %dy, %x, %g, %m, %r
      : (tensor<9x40xf64>, tensor<9x40xf64>, tensor<40xf64>, tensor<9xf64>, tensor<9xf64>)
      -> (tensor<9x40xf64>, tensor<40xf64>, tensor<40xf64>)
  zero.yield %dg, %db : tensor<40xf64>, tensor<40xf64>
}

// No more rows than are summed in registers: no scratch.
// CHECK-LABEL: zero.kernel @few_rows
// CHECK-SAME: strategy = "columns", thread_scratch_bytes = 0 : i64
zero.kernel @few_rows(%a: tensor<8x40xf32>, %o: tensor<40xf32>) -> (tensor<40xf32>) {
  %c = arith.constant dense<0.0> : tensor<40xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x40xf32>) outs(%c : tensor<40xf32>) dimensions = [0]
  zero.yield %0 : tensor<40xf32>
}

// CHECK-LABEL: zero.kernel @embedding_grad
// CHECK-SAME: extent = 2 : i64, grain = 4 : i64, {{.*}}strategy = "embedding_grad"
zero.kernel @embedding_grad(%i: tensor<3xi32>, %d: tensor<3x20xf32>, %o: tensor<5x20xf32>) -> (tensor<5x20xf32>) {
  %0 = nn.embedding_grad %i, %d into %o : (tensor<3xi32>, tensor<3x20xf32>, tensor<5x20xf32>) -> tensor<5x20xf32>
  zero.yield %0 : tensor<5x20xf32>
}

// One part per sample and head; for gradients, per sample and key/value head.
// CHECK-LABEL: zero.kernel @attention
// CHECK-SAME: extent = 12 : i64, grain = 1 : i64, strategy = "attention", thread_scratch_bytes = {{[1-9][0-9]*}} : i64
zero.kernel @attention(%q: tensor<2x8x6x4xf32>, %k: tensor<2x8x3x4xf32>, %o: tensor<2x8x6x4xf32>, %p: tensor<2x6x8xf32>)
    -> (tensor<2x8x6x4xf32>, tensor<2x6x8xf32>) {
  %y, %l = nn.attention %q, %k, %k {scale = 0.5 : f64}
      : (tensor<2x8x6x4xf32>, tensor<2x8x3x4xf32>, tensor<2x8x3x4xf32>) -> (tensor<2x8x6x4xf32>, tensor<2x6x8xf32>)
  zero.yield %y, %l : tensor<2x8x6x4xf32>, tensor<2x6x8xf32>
}

// CHECK-LABEL: zero.kernel @attention_grad
// CHECK-SAME: extent = 6 : i64, grain = 1 : i64, strategy = "attention_grad"
zero.kernel @attention_grad(%q: tensor<2x8x6x4xf32>, %k: tensor<2x8x3x4xf32>, %l: tensor<2x6x8xf32>, %o: tensor<2x8x6x4xf32>)
    -> (tensor<2x8x6x4xf32>) {
  %a, %b, %c = nn.attention_grad %q, %q, %k, %k, %q, %l {scale = 0.5 : f64}
      : (tensor<2x8x6x4xf32>, tensor<2x8x6x4xf32>, tensor<2x8x3x4xf32>, tensor<2x8x3x4xf32>, tensor<2x8x6x4xf32>, tensor<2x6x8xf32>)
      -> (tensor<2x8x6x4xf32>, tensor<2x8x3x4xf32>, tensor<2x8x3x4xf32>)
  zero.yield %a : tensor<2x8x6x4xf32>
}
