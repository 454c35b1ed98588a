// RUN: zero-opt %s --select-kernel-config --convert-kernels-to-gpu=chip=sm_42 --verify-diagnostics
// RUN: not zero-opt %s --select-kernel-config "--convert-kernels-to-gpu=libdevice=/nowhere/libdevice.bc" 2>&1 | FileCheck %s --check-prefix=LIBRARY

// LIBRARY: error: can't read the device library /nowhere/libdevice.bc:
// expected-error @+1 {{chip 'sm_42' is not known; want sm_80, sm_90 or sm_100}}
zero.kernel @exp(%a: tensor<4096xf32>, %o: tensor<4096xf32>) -> (tensor<4096xf32>) {
  %0 = math.sin %a : tensor<4096xf32>
  zero.yield %0 : tensor<4096xf32>
}

