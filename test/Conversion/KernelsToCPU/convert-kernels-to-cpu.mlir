// RUN: zero-opt %s --select-kernel-config --convert-kernels-to-cpu | FileCheck %s

// A kernel becomes a module of its own, with one function of the runtime's type, on 16
// lanes, in the LLVM dialect alone and without fast-math flags.
// CHECK-LABEL: module @add {
// CHECK: llvm.func @zero_kernel_add(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) {
// CHECK-NOT: fastmath
// CHECK-NOT: {{arith|scf|vector|math|tensor}}.
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: llvm.return
zero.kernel @add(%a: tensor<32xf32>, %b: tensor<32xf32>, %o: tensor<32xf32>) -> (tensor<32xf32>) {
  %0 = arith.addf %a, %b fastmath<fast> : tensor<32xf32>
  zero.yield %0 : tensor<32xf32>
}

// What depends on the row alone is made once a row: the division stands before the
// loop over the columns.
// CHECK-LABEL: module @scale_rows {
// CHECK: llvm.fdiv %{{.*}}, %{{.*}} : f32
// CHECK: llvm.fmul %{{.*}}, %{{.*}} : vector<16xf32>
zero.kernel @scale_rows(%a: tensor<4x32xf32>, %s: tensor<4xf32>, %o: tensor<4x32xf32>) -> (tensor<4x32xf32>) {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %r = arith.divf %one, %s : tensor<4xf32>
  %e = tensor.empty() : tensor<4x32xf32>
  %b = linalg.broadcast ins(%r : tensor<4xf32>) outs(%e : tensor<4x32xf32>) dimensions = [1]
  %0 = arith.mulf %a, %b : tensor<4x32xf32>
  zero.yield %0 : tensor<4x32xf32>
}

// Exponentials of f32 are polynomials on all lanes; those of f64 are libm's.
// CHECK-LABEL: module @exp32 {
// CHECK-NOT: llvm.intr.exp
// CHECK: llvm.intr.fma({{.*}}) : (vector<16xf32>
zero.kernel @exp32(%a: tensor<32xf32>, %o: tensor<32xf32>) -> (tensor<32xf32>) {
  %0 = math.exp %a : tensor<32xf32>
  zero.yield %0 : tensor<32xf32>
}

// CHECK-LABEL: module @exp64 {
// CHECK: llvm.call @_ZGV{{[bde]}}N{{[248]}}v_exp({{.*}})
zero.kernel @exp64(%a: tensor<32xf64>, %o: tensor<32xf64>) -> (tensor<32xf64>) {
  %0 = math.exp %a : tensor<32xf64>
  zero.yield %0 : tensor<32xf64>
}

// Columns that don't fill a vector are masked.
// CHECK-LABEL: module @tail {
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
zero.kernel @tail(%a: tensor<4x20xf32>, %b: tensor<20xf32>, %o: tensor<4x20xf32>) -> (tensor<4x20xf32>) {
  %e = tensor.empty() : tensor<4x20xf32>
  %c = linalg.broadcast ins(%b : tensor<20xf32>) outs(%e : tensor<4x20xf32>) dimensions = [0]
  %0 = arith.addf %a, %c : tensor<4x20xf32>
  zero.yield %0 : tensor<4x20xf32>
}
