// RUN: zero-opt %s --canonicalize --cse | FileCheck %s

// Operations are pure: unused ones go, equal ones are one.
// CHECK-LABEL: func.func @pure
func.func @pure(%x: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  // CHECK-NEXT: %[[Y:.*]] = nn.softmax
  // CHECK-NEXT: return %[[Y]], %[[Y]]
  %0 = nn.softmax %x : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = nn.softmax %x : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %2 = nn.softmax_grad %x, %x : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0, %1 : tensor<6x4xf32>, tensor<6x4xf32>
}
