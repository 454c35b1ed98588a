// RUN: zero-opt %s --zero-flatten-control-flow --split-input-file --verify-diagnostics

zero.parameter @w : tensor<f32> {init = #zero.ones}
zero.step @rank_bound() optimizer #zero.sgd {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = zero.rank : index
  %l = arith.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'scf.for' has a bound that depends on the rank; the number of trips must be known before the run, it holds a parameter's use}}
  %r = scf.for %i = %c0 to %rank step %c1 iter_args(%a = %l) -> (tensor<f32>) {
    %w = zero.read @w : tensor<f32>
    %n = arith.addf %a, %w : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  zero.yield %r : tensor<f32>
}

// -----

zero.parameter @w : tensor<f32> {init = #zero.ones}
zero.step @data_predicate(%x: tensor<i1> {zero.input = "x"}) optimizer #zero.sgd {
  %on = tensor.extract %x[] : tensor<i1>
  // expected-error @+1 {{'scf.if' has a predicate that depends on data, around a parameter's use; compute both and use a select}}
  %r = scf.if %on -> (tensor<f32>) {
    %w = zero.read @w : tensor<f32>
    scf.yield %w : tensor<f32>
  } else {
    %l = arith.constant dense<0.0> : tensor<f32>
    scf.yield %l : tensor<f32>
  }
  zero.yield %r : tensor<f32>
}

// -----

zero.step @while_loop(%x: tensor<f32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{'scf.while' is control flow that is not known before the run}}
  %r = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %true = arith.constant true
    scf.condition(%true) %a : tensor<f32>
  } do {
  ^bb0(%b: tensor<f32>):
    scf.yield %b : tensor<f32>
  }
  zero.yield %r : tensor<f32>
}

// -----

func.func private @outside(tensor<f32>) -> tensor<f32>
zero.step @external_call(%x: tensor<f32> {zero.input = "x"}) optimizer #zero.sgd {
  // expected-error @+1 {{calls 'outside', which is not a function of one block in this module}}
  %y = func.call @outside(%x) : (tensor<f32>) -> tensor<f32>
  zero.yield %y : tensor<f32>
}

// -----

zero.step @endless(%x: tensor<f32> {zero.input = "x"}) optimizer #zero.sgd {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 9223372036854775807 : index
  // expected-error @+1 {{'scf.for' makes 9223372036854775807 times 2 operations; at most 1000000 are unrolled}}
  %r = scf.for %i = %c0 to %many step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %n = arith.addf %a, %x : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  zero.yield %r : tensor<f32>
}
