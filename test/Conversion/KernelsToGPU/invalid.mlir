// RUN: zero-opt %s --select-kernel-config --convert-kernels-to-gpu=chip=sm_42 --verify-diagnostics --split-input-file
// RUN: not zero-opt %s --select-kernel-config "--convert-kernels-to-gpu=libdevice=/nowhere/libdevice.bc" --split-input-file 2>&1 | FileCheck %s --check-prefix=LIBRARY

// LIBRARY: error: can't read the device library /nowhere/libdevice.bc:
// expected-error @+1 {{chip 'sm_42' is not known; want sm_80, sm_90 or sm_100}}
zero.kernel @exp(%a: tensor<4096xf32>, %o: tensor<4096xf32>) -> (tensor<4096xf32>) {
  %0 = math.sin %a : tensor<4096xf32>
  zero.yield %0 : tensor<4096xf32>
}

// -----

// LIBRARY: error: 'zero.kernel' op has the strategy 'attention', which no generator knows
// expected-error @+1 {{'zero.kernel' op has the strategy 'attention', which no generator knows}}
zero.kernel @attention(%q: tensor<2x3x4x8xf32>, %o: tensor<2x3x4x8xf32>, %l: tensor<2x4x3xf32>) -> (tensor<2x3x4x8xf32>, tensor<2x4x3xf32>) {
  %y, %lse = nn.attention %q, %q, %q {scale = 0.5 : f64} : (tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>) -> (tensor<2x3x4x8xf32>, tensor<2x4x3xf32>)
  zero.yield %y, %lse : tensor<2x3x4x8xf32>, tensor<2x4x3xf32>
}
