// RUN: zero-opt %s --convert-zero-to-rt --split-input-file --verify-diagnostics

// What no kernel was formed of is refused, not a crash.
zero.step @not_formed(%x: tensor<f32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'arith.addf' has no runtime form}}
  %y = arith.addf %x, %x : tensor<f32>
  zero.yield %y : tensor<f32>
}

// -----

zero.step @rank(%x: tensor<f32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'zero.rank' has no runtime form}}
  %r = zero.rank : index
  zero.yield %x : tensor<f32>
}
