// RUN: zero-opt %s --zero-flatten-control-flow --split-input-file | FileCheck %s

// A loop with constant bounds is unrolled; offsets that follow from its variable are static.
// CHECK-LABEL: zero.step @unrolls
// CHECK-NOT: scf.for
// CHECK: tensor.extract_slice %{{.*}}[0] [2] [1]
// CHECK: tensor.extract_slice %{{.*}}[2] [2] [1]
zero.step @unrolls(%x: tensor<4xf32> {zero.input = "x"}) optimizer #zero.sgd {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %sum = scf.for %i = %c0 to %c4 step %c2 iter_args(%acc = %zero) -> (tensor<2xf32>) {
    %s = tensor.extract_slice %x[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %n = arith.addf %acc, %s : tensor<2xf32>
    scf.yield %n : tensor<2xf32>
  }
  %e = tensor.empty() : tensor<f32>
  %loss = linalg.reduce { arith.addf } ins(%sum : tensor<2xf32>) outs(%e : tensor<f32>) dimensions = [0]
  zero.yield %loss : tensor<f32>
}

// -----

// A loop of no trips is its initial values.
// CHECK-LABEL: zero.step @no_trips
// CHECK-NOT: scf.for
// CHECK: zero.yield %[[L:.*]] : tensor<f32>
zero.step @no_trips() optimizer #zero.sgd {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = arith.constant dense<0.0> : tensor<f32>
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%a = %l) -> (tensor<f32>) {
    %n = arith.addf %a, %a : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  zero.yield %r : tensor<f32>
}

// -----

// A branch without parameters: both sides are computed, one is selected.
// CHECK-LABEL: zero.step @branch_becomes_select
// CHECK-NOT: scf.if
// CHECK: %[[ON:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : tensor<f32>
// CHECK-DAG: %[[A:.*]] = arith.addf
// CHECK-DAG: %[[M:.*]] = arith.mulf
// CHECK: arith.select %[[ON]], %[[A]], %[[M]] : tensor<i1>, tensor<f32>
zero.step @branch_becomes_select(%x: tensor<f32> {zero.input = "x"}) optimizer #zero.sgd {
  %v = tensor.extract %x[] : tensor<f32>
  %z = arith.constant 0.0 : f32
  %on = arith.cmpf ogt, %v, %z : f32
  %r = scf.if %on -> (tensor<f32>) {
    %a = arith.addf %x, %x : tensor<f32>
    scf.yield %a : tensor<f32>
  } else {
    %m = arith.mulf %x, %x : tensor<f32>
    scf.yield %m : tensor<f32>
  }
  zero.yield %r : tensor<f32>
}

// -----

// A constant branch is the side that is taken, parameters or not.
// CHECK-LABEL: zero.step @constant_branch
// CHECK: %[[W:.*]] = zero.read @w
// CHECK-NOT: scf.if
// CHECK: zero.yield %[[W]]
zero.parameter @w : tensor<f32> {init = #zero.ones}
zero.step @constant_branch() optimizer #zero.sgd {
  %true = arith.constant true
  %r = scf.if %true -> (tensor<f32>) {
    %w = zero.read @w : tensor<f32>
    scf.yield %w : tensor<f32>
  } else {
    %l = arith.constant dense<0.0> : tensor<f32>
    scf.yield %l : tensor<f32>
  }
  zero.yield %r : tensor<f32>
}

// -----

// Calls are inlined and the function goes.
// CHECK-NOT: func.func
// CHECK-LABEL: zero.step @inlines
// CHECK: arith.mulf
// CHECK-NOT: call
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %y = arith.mulf %x, %x : tensor<f32>
  return %y : tensor<f32>
}
zero.step @inlines(%x: tensor<f32> {zero.input = "x"}) optimizer #zero.sgd {
  %y = func.call @square(%x) : (tensor<f32>) -> tensor<f32>
  zero.yield %y : tensor<f32>
}
