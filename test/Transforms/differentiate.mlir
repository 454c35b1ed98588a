// RUN: zero-opt %s --zero-differentiate --split-input-file | FileCheck %s

// Two names of one parameter: one read, one gradient, the uses added.
// CHECK-LABEL: zero.step @tied_uses_add
// CHECK: %[[W:.*]] = zero.read @w
// CHECK-NOT: zero.read
// CHECK: %[[DA:.*]] = arith.mulf %cst, %[[W]]
// CHECK: %[[DB:.*]] = arith.mulf %cst, %[[W]]
// CHECK: %[[DW:.*]] = arith.addf %[[DA]], %[[DB]]
// CHECK: gradients [@w](%[[DW]] : tensor<f32>)
zero.parameter @w : tensor<f32> {init = #zero.ones}
zero.alias @v = @w
zero.step @tied_uses_add() optimizer #zero.sgd {
  %w = zero.read @w : tensor<f32>
  %v = zero.read @v : tensor<f32>
  %y = arith.mulf %w, %v : tensor<f32>
  zero.yield %y : tensor<f32>
}

// -----

// A parameter that does not reach the loss gets zeros; a frozen one gets nothing.
// CHECK-LABEL: zero.step @unused_and_frozen
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: gradients [@w, @unused](%{{.*}}, %[[ZERO]] : tensor<f32>, tensor<3xf32>)
zero.parameter @w : tensor<f32> {init = #zero.ones}
zero.parameter @unused : tensor<3xf32> {init = #zero.ones}
zero.parameter @frozen : tensor<f32> {init = #zero.ones, frozen}
zero.step @unused_and_frozen() optimizer #zero.sgd {
  %w = zero.read @w : tensor<f32>
  %f = zero.read @frozen : tensor<f32>
  %y = arith.mulf %w, %f : tensor<f32>
  zero.yield %y : tensor<f32>
}

// -----

// Three slices that make up a value: one concatenation, no zeros.
// CHECK-LABEL: zero.step @slices_become_concat
// CHECK: %[[JOINED:.*]] = tensor.concat dim(0)
// CHECK-NOT: tensor.insert_slice
// CHECK: gradients [@w](%[[JOINED]]
zero.parameter @w : tensor<6xf32> {init = #zero.ones}
zero.step @slices_become_concat() optimizer #zero.sgd {
  %w = zero.read @w : tensor<6xf32>
  %a = tensor.extract_slice %w[0] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %b = tensor.extract_slice %w[2] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %c = tensor.extract_slice %w[4] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %ab = arith.mulf %a, %b : tensor<2xf32>
  %abc = arith.mulf %ab, %c : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%abc : tensor<2xf32>) outs(%z : tensor<f32>) dimensions = [0]
  zero.yield %s : tensor<f32>
}
