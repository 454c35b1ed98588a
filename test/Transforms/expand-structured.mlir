// RUN: zero-opt %s --zero-expand-structured --split-input-file | FileCheck %s

#id = affine_map<(a, b) -> (a, b)>

// Operands come to the shape of the loops; linalg.index is a table.
// CHECK-LABEL: zero.step @masked_scale
zero.parameter @w : tensor<5x4xf32> {init = #zero.ones}
zero.step @masked_scale(%r: tensor<4xf32> {zero.input = "r"}) optimizer #zero.sgd {
  %w = zero.read @w : tensor<5x4xf32>
  %e = tensor.empty() : tensor<5x4xf32>
  // CHECK: %[[R:.*]] = linalg.broadcast ins(%{{.*}} : tensor<4xf32>) {{.*}} dimensions = [0]
  // CHECK: arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>
  // CHECK: arith.cmpi sge, {{.*}} : tensor<5x4xindex>
  // CHECK: arith.mulf %{{.*}}, %[[R]] : tensor<5x4xf32>
  // CHECK: arith.select {{.*}} : tensor<5x4xi1>, tensor<5x4xf32>
  // CHECK-NOT: linalg.generic
  %x = linalg.generic {indexing_maps = [#id, affine_map<(a, b) -> (b)>, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%w, %r : tensor<5x4xf32>, tensor<4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    %s = arith.mulf %p, %q : f32
    %z = arith.constant 0.5 : f32
    %v = arith.select %c, %s, %z : f32
    linalg.yield %v : f32
  } -> tensor<5x4xf32>
  %zero = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<f32>
  %f6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%x : tensor<5x4xf32>) outs(%f6 : tensor<f32>) dimensions = [0, 1]
  zero.yield %l : tensor<f32>
}

// -----

// A sum of products is a contraction; rows of a table are an embedding.
// CHECK-LABEL: zero.step @gather_and_multiply
zero.parameter @t : tensor<7x4xf32> {init = #zero.ones}
zero.step @gather_and_multiply(%ids: tensor<3xi32> {zero.input = "ids"}) optimizer #zero.sgd {
  %t = zero.read @t : tensor<7x4xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  // CHECK: nn.embedding %{{.*}} : (tensor<7x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<3xi32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%p: i32, %o: f32):
    %i = arith.index_cast %p : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%i, %j] : tensor<7x4xf32>
    linalg.yield %v : f32
  } -> tensor<3x4xf32>
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<f32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<f32>) -> tensor<f32>
  // CHECK: linalg.contract
  %l = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
      ins(%g, %g : tensor<3x4xf32>, tensor<3x4xf32>) outs(%f2 : tensor<f32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %v = arith.addf %o, %m : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  zero.yield %l : tensor<f32>
}

// -----

// CHECK-LABEL: zero.step @softmax_and_pad
zero.step @softmax_and_pad(%x: tensor<3x2xf32> {zero.input = "x"}) optimizer #zero.sgd {
  %e = tensor.empty() : tensor<3x2xf32>
  // CHECK: linalg.transpose
  // CHECK: nn.softmax %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: linalg.transpose
  %s = linalg.softmax dimension(0) ins(%x : tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %zero = arith.constant 0.0 : f32
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<4x4xf32>
  %p = tensor.pad %s low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x2xf32> to tensor<4x4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  // CHECK: math.exp %{{.*}} : tensor<4x4xf32>
  %m = linalg.map { math.exp } ins(%p : tensor<4x4xf32>) outs(%e2 : tensor<4x4xf32>)
  // CHECK: arith.addf %{{.*}} : tensor<4x4xf32>
  %a = linalg.add ins(%m, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e6 = tensor.empty() : tensor<f32>
  %f6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<f32>) -> tensor<f32>
  %l = linalg.reduce { arith.addf } ins(%a : tensor<4x4xf32>) outs(%f6 : tensor<f32>) dimensions = [0, 1]
  zero.yield %l : tensor<f32>
}
