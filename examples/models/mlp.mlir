module {
  zero.parameter @"fc1.weight" : tensor<16x32xf32> {init = #zero.normal<0.0, 0.25>}
  zero.parameter @"fc1.bias" : tensor<32xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"fc2.weight" : tensor<32x8xf32> {init = #zero.normal<0.0, 0.18>}
  zero.parameter @"fc2.bias" : tensor<8xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.step @train(%x: tensor<4x16xf32> {zero.input = "x"},
                   %target: tensor<4x8xf32> {zero.input = "target"})
      optimizer #zero.adamw<beta1 = 0.9, beta2 = 0.95, epsilon = 1.0e-8, weight_decay = 0.1>
      attributes {samples = 4 : i64} {
    %0 = zero.read @"fc1.weight" : tensor<16x32xf32>
    %1 = arith.constant 0.0 : f32
    %2 = tensor.empty() : tensor<4x32xf32>
    %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %4 = linalg.matmul ins(%x, %0 : tensor<4x16xf32>, tensor<16x32xf32>) outs(%3 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %5 = zero.read @"fc1.bias" : tensor<32xf32>
    %6 = tensor.empty() : tensor<4x32xf32>
    %7 = linalg.broadcast ins(%5 : tensor<32xf32>) outs(%6 : tensor<4x32xf32>) dimensions = [0]
    %8 = arith.addf %4, %7 : tensor<4x32xf32>
    %9 = math.tanh %8 : tensor<4x32xf32>
    %10 = zero.block_boundary %9 : tensor<4x32xf32>
    %11 = zero.read @"fc2.weight" : tensor<32x8xf32>
    %12 = tensor.empty() : tensor<4x8xf32>
    %13 = linalg.fill ins(%1 : f32) outs(%12 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %14 = linalg.matmul ins(%10, %11 : tensor<4x32xf32>, tensor<32x8xf32>) outs(%13 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %15 = zero.read @"fc2.bias" : tensor<8xf32>
    %16 = tensor.empty() : tensor<4x8xf32>
    %17 = linalg.broadcast ins(%15 : tensor<8xf32>) outs(%16 : tensor<4x8xf32>) dimensions = [0]
    %18 = arith.addf %14, %17 : tensor<4x8xf32>
    %19 = arith.subf %18, %target : tensor<4x8xf32>
    %20 = arith.mulf %19, %19 : tensor<4x8xf32>
    %21 = tensor.empty() : tensor<f32>
    %22 = linalg.fill ins(%1 : f32) outs(%21 : tensor<f32>) -> tensor<f32>
    %23 = linalg.reduce { arith.addf } ins(%20 : tensor<4x8xf32>) outs(%22 : tensor<f32>) dimensions = [0, 1]
    %24 = arith.constant dense<4.0> : tensor<f32>
    zero.yield %23, %24 : tensor<f32>, tensor<f32>
  }
}
