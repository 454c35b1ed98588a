// RUN: zero-opt %s --split-input-file --verify-diagnostics

func.func @embedding_c1(%t: tensor<8xf32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{'nn.embedding' op table has shape [8]; want 2 dimensions}}
  %0 = nn.embedding %t, %i : (tensor<8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @embedding_c2(%t: tensor<8x4xf32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{'nn.embedding' op result has shape [3x5]; want [3x4]}}
  %0 = nn.embedding %t, %i : (tensor<8x4xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @embedding_grad_c1(%t: tensor<8x4xf32>, %i: tensor<3xi32>, %d: tensor<3x4xf32>) {
  // expected-error @+1 {{'nn.embedding_grad' op result is of type 'tensor<8x5xf32>'; want 'tensor<8x4xf32>'}}
  %0 = nn.embedding_grad %i, %d into %t : (tensor<3xi32>, tensor<3x4xf32>, tensor<8x4xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @embedding_grad_c2(%t: tensor<8x4xf32>, %i: tensor<3xi32>, %d: tensor<2x4xf32>) {
  // expected-error @+1 {{'nn.embedding_grad' op dy has shape [2x4]; want [3x4]}}
  %0 = nn.embedding_grad %i, %d into %t : (tensor<3xi32>, tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @mixed_types(%x: tensor<6x4xf32>, %c: tensor<4xf64>) {
  // expected-error @+1 {{'nn.rms_norm' op mixes floating-point element types}}
  %0, %1 = nn.rms_norm %x, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf64>) -> (tensor<6x4xf32>, tensor<6xf32>)
  return
}

// -----

func.func @layer_norm_c1(%x: tensor<6x4xf32>, %c: tensor<5xf32>) {
  // expected-error @+1 {{'nn.layer_norm' op gamma has shape [5]; want [4]}}
  %0, %1, %2 = nn.layer_norm %x, %c, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @layer_norm_c2(%x: tensor<6x4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'nn.layer_norm' op mean has shape [5]; want [6]}}
  %0, %1, %2 = nn.layer_norm %x, %c, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<5xf32>, tensor<6xf32>)
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<6x4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'nn.layer_norm' op epsilon is -1.000000e+00; want 0 or more}}
  %0, %1, %2 = nn.layer_norm %x, %c, %c {epsilon = -1.0 : f64} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @rms_norm_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'nn.rms_norm' op x is of rank 0; want at least one dimension}}
  %0, %1 = nn.rms_norm %x, %x {epsilon = 1.0 : f64} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @softmax_c1(%x: tensor<6x4xf32>) {
  // expected-error @+1 {{'nn.softmax' op result is of type 'tensor<4x6xf32>'; want 'tensor<6x4xf32>'}}
  %0 = nn.softmax %x : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @softmax_grad_c1(%x: tensor<6x4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'nn.softmax_grad' op dy is of type 'tensor<4xf32>'; want 'tensor<6x4xf32>'}}
  %0 = nn.softmax_grad %y, %x : (tensor<4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @cross_entropy_c1(%x: tensor<6x4xf32>, %l: tensor<5xi32>) {
  // expected-error @+1 {{'nn.cross_entropy' op labels has shape [5]; want [6]}}
  %0, %1, %2 = nn.cross_entropy %x, %l : (tensor<6x4xf32>, tensor<5xi32>) -> (tensor<f32>, tensor<f32>, tensor<6xf32>)
  return
}

// -----

func.func @cross_entropy_c2(%x: tensor<6x4xf32>, %l: tensor<6xi32>) {
  // expected-error @+1 {{'nn.cross_entropy' op sum has shape [1]; want []}}
  %0, %1, %2 = nn.cross_entropy %x, %l : (tensor<6x4xf32>, tensor<6xi32>) -> (tensor<1xf32>, tensor<f32>, tensor<6xf32>)
  return
}

// -----

func.func @linear_cross_entropy_c1(%x: tensor<6x4xf32>, %w: tensor<8x5xf32>, %l: tensor<6xi32>) {
  // expected-error @+1 {{'nn.linear_cross_entropy' op w has shape [8x5]; want [8x4]}}
  %0, %1 = nn.linear_cross_entropy %x, %w, %l : (tensor<6x4xf32>, tensor<8x5xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @attention_c1(%q: tensor<2x3x4x2xf32>, %k: tensor<2x3x3x2xf32>) {
  // expected-error @+1 {{'nn.attention' op has 4 heads and 3 key/value heads; want a multiple}}
  %0, %1 = nn.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x3x2xf32>, tensor<2x3x3x2xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @attention_c2(%q: tensor<2x3x4x2xf32>) {
  // expected-error @+1 {{'nn.attention' op lse has shape [2x3x4]; want [2x4x3]}}
  %0, %1 = nn.attention %q, %q, %q {scale = 1.0 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x3x4xf32>)
  return
}

// -----

func.func @attention_c3(%q: tensor<2x3x4x2xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'nn.attention' op key_lengths has shape [3]; want [2]}}
  %0, %1 = nn.attention %q, %q, %q key_lengths %n {scale = 1.0 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<3xi32>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @attention_c4(%q: tensor<2x3x4x2xf32>, %k: tensor<2x5x4x2xf32>) {
  // expected-error @+1 {{'nn.attention' op is causal and has 3 queries and 5 keys}}
  %0, %1 = nn.attention %q, %k, %k {causal, scale = 1.0 : f64} : (tensor<2x3x4x2xf32>, tensor<2x5x4x2xf32>, tensor<2x5x4x2xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @attention_c5(%q: tensor<2x3x4x2xf32>) {
  // expected-error @+1 {{'nn.attention' op drops out and has no site}}
  %0, %1 = nn.attention %q, %q, %q {scale = 1.0 : f64, dropout = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @rope_c1(%q: tensor<2x3x4x3xf32>) {
  // expected-error @+1 {{'nn.rope' op has heads of width 3; want an even one}}
  %0 = nn.rope %q : (tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return
}

// -----

func.func @rope_c2(%q: tensor<2x3x4x2xf32>) {
  // expected-error @+1 {{'nn.rope' op base is -1.000000e+00; want a positive number}}
  %0 = nn.rope %q {base = -1.0 : f64} : (tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @dropout_c2(%x: tensor<6x4xf32>, %s: i64) {
  // expected-error @+1 {{'nn.dropout' op probability is 1.000000e+00; want at least 0 and less than 1}}
  %0 = nn.dropout %x site %s {probability = 1.0 : f64} : (tensor<6x4xf32>, i64) -> tensor<6x4xf32>
  return
}

// -----

func.func @dropout_c3(%x: tensor<6x4xf32>, %s: i64) {
  // expected-error @+1 {{'nn.dropout' op has 4 rows per sample; want a divisor of 6}}
  %0 = nn.dropout %x site %s {probability = 0.5 : f64, rows_per_sample = 4 : i64} : (tensor<6x4xf32>, i64) -> tensor<6x4xf32>
  return
}

// -----

func.func @dropout_c4(%x: tensor<6x4xf32>, %s: i64, %r: tensor<3xi64>) {
  // expected-error @+1 {{'nn.dropout' op random has shape [3]; want [4]}}
  %0 = nn.dropout %x site %s random %r {probability = 0.5 : f64} : (tensor<6x4xf32>, i64, tensor<3xi64>) -> tensor<6x4xf32>
  return
}
