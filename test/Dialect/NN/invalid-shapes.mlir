// RUN: zero-opt %s --split-input-file --verify-diagnostics

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.embedding' op operand #1 must be statically shaped tensor of 32-bit signless integer values, but got 'tensor<6x4xf32>'}}
  %0 = nn.embedding %table, %x : (tensor<8x4xf32>, tensor<6x4xf32>) -> tensor<6x4x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.embedding' op mixes floating-point element types}}
  %0 = nn.embedding %table, %ids : (tensor<8x4xf32>, tensor<6xi32>) -> tensor<6x4xf64>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.embedding_grad' op result is of type 'tensor<4x8xf32>'; want 'tensor<8x4xf32>'}}
  %0 = nn.embedding_grad %ids, %x into %table : (tensor<6xi32>, tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.embedding_grad' op dy has shape [4]; want [6x4]}}
  %0 = nn.embedding_grad %ids, %c into %table : (tensor<6xi32>, tensor<4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.layer_norm' op beta has shape [6]; want [4]}}
  %0, %1, %2 = nn.layer_norm %x, %c, %rows {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.layer_norm' op result is of type 'tensor<4x6xf32>'; want 'tensor<6x4xf32>'}}
  %0, %1, %2 = nn.layer_norm %x, %c, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.layer_norm' op rstd has shape [4]; want [6]}}
  %0, %1, %2 = nn.layer_norm %x, %c, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.layer_norm' op epsilon is INF; want 0 or more}}
  %0, %1, %2 = nn.layer_norm %x, %c, %c {epsilon = 0x7FF0000000000000 : f64} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.layer_norm_grad' op dy is of type 'tensor<4xf32>'; want 'tensor<6x4xf32>'}}
  %0, %1, %2 = nn.layer_norm_grad %c, %x, %c, %rows, %rows : (tensor<4xf32>, tensor<6x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.layer_norm_grad' op mean has shape [4]; want [6]}}
  %0, %1, %2 = nn.layer_norm_grad %x, %x, %c, %c, %rows : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.layer_norm_grad' op dgamma has shape [6]; want [4]}}
  %0, %1, %2 = nn.layer_norm_grad %x, %x, %c, %rows, %rows : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.rms_norm' op gamma has shape [6]; want [4]}}
  %0, %1 = nn.rms_norm %x, %rows {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.rms_norm' op epsilon is -1.000000e-05; want 0 or more}}
  %0, %1 = nn.rms_norm %x, %c {epsilon = -1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.rms_norm' op rstd has shape [4]; want [6]}}
  %0, %1 = nn.rms_norm %x, %c {epsilon = 1.0e-5 : f64} : (tensor<6x4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.rms_norm_grad' op gamma has shape [6]; want [4]}}
  %0, %1 = nn.rms_norm_grad %x, %x, %rows, %rows : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.softmax' op x is of rank 0; want at least one dimension}}
  %0 = nn.softmax %scalar : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.softmax_grad' op dy is of type 'tensor<6x4xf32>'; want 'tensor<8x4xf32>'}}
  %0 = nn.softmax_grad %x, %table : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.cross_entropy' op weight has shape [1]; want []}}
  %0, %1, %2 = nn.cross_entropy %x, %ids : (tensor<6x4xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<1xf32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.cross_entropy' op lse has shape [4]; want [6]}}
  %0, %1, %2 = nn.cross_entropy %x, %ids : (tensor<6x4xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.cross_entropy' op logits has shape [4]; want 2 dimensions}}
  %0, %1, %2 = nn.cross_entropy %c, %ids : (tensor<4xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<f32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.cross_entropy_rows' op loss has shape [4]; want [6]}}
  %0, %1, %2 = nn.cross_entropy_rows %x, %ids : (tensor<6x4xf32>, tensor<6xi32>) -> (tensor<4xf32>, tensor<6xf32>, tensor<6xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.cross_entropy_grad' op dsum has shape [4]; want []}}
  %0 = nn.cross_entropy_grad %c, %x, %ids, %rows : (tensor<4xf32>, tensor<6x4xf32>, tensor<6xi32>, tensor<6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.cross_entropy_grad' op lse has shape [4]; want [6]}}
  %0 = nn.cross_entropy_grad %scalar, %x, %ids, %c : (tensor<f32>, tensor<6x4xf32>, tensor<6xi32>, tensor<4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.linear_cross_entropy' op bias has shape [4]; want [8]}}
  %0, %1 = nn.linear_cross_entropy %x, %table, %ids bias %c : (tensor<6x4xf32>, tensor<8x4xf32>, tensor<6xi32>, tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.linear_cross_entropy' op labels has shape [6]; want [8]}}
  %0, %1 = nn.linear_cross_entropy %table, %table, %ids : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.linear_cross_entropy_grad' op dx is of type 'tensor<8x4xf32>'; want 'tensor<6x4xf32>'}}
  %0, %1, %2, %3 = nn.linear_cross_entropy_grad %scalar, %x, %table, %ids : (tensor<f32>, tensor<6x4xf32>, tensor<8x4xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<f32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.attention' op v has shape [2x3x2x2]; want [2x3x4x2]}}
  %0, %1 = nn.attention %q, %q, %kv {scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.attention' op q has shape [6x4]; want 4 dimensions}}
  %0, %1 = nn.attention %x, %kv, %kv {scale = 0.5 : f64} : (tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> (tensor<6x4xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.attention' op dropout is 1.500000e+00; want at least 0 and less than 1}}
  %0, %1 = nn.attention %q, %kv, %kv {dropout = 1.5 : f64, scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.attention' op segments has shape [2]; want [2x3]}}
  %0, %1 = nn.attention %q, %kv, %kv segments %lengths {scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>, tensor<2xi32>) -> (tensor<2x3x4x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.attention' op result is of type 'tensor<2x3x2x2xf32>'; want 'tensor<2x3x4x2xf32>'}}
  %0, %1 = nn.attention %q, %kv, %kv {scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> (tensor<2x3x2x2xf32>, tensor<2x4x3xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.attention_grad' op y is of type 'tensor<2x3x2x2xf32>'; want 'tensor<2x3x4x2xf32>'}}
  %0, %1, %2 = nn.attention_grad %q, %q, %kv, %kv, %kv, %lse {scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>, tensor<2x4x3xf32>) -> (tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.attention_grad' op dq is of type 'tensor<2x3x2x2xf32>'; want 'tensor<2x3x4x2xf32>'}}
  %0, %1, %2 = nn.attention_grad %q, %q, %kv, %kv, %q, %lse {scale = 0.5 : f64} : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x4x2xf32>, tensor<2x4x3xf32>) -> (tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>)
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.rope' op x has shape [6x4]; want 4 dimensions}}
  %0 = nn.rope %x {base = 5.0e+2 : f64} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.rope' op result is of type 'tensor<2x3x2x2xf32>'; want 'tensor<2x3x4x2xf32>'}}
  %0 = nn.rope %q {base = 5.0e+2 : f64} : (tensor<2x3x4x2xf32>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.dropout' op x is of rank 0; want at least one dimension}}
  %0 = nn.dropout %scalar site %site random %random {probability = 1.0e-1 : f64, rows_per_sample = 1 : i64} : (tensor<f32>, i64, tensor<4xi64>) -> tensor<f32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.dropout' op probability is -1.000000e-01; want at least 0 and less than 1}}
  %0 = nn.dropout %x site %site random %random {probability = -1.0e-1 : f64, rows_per_sample = 3 : i64} : (tensor<6x4xf32>, i64, tensor<4xi64>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.dropout' op has 0 rows per sample; want a divisor of 6}}
  %0 = nn.dropout %x site %site random %random {probability = 1.0e-1 : f64, rows_per_sample = 0 : i64} : (tensor<6x4xf32>, i64, tensor<4xi64>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%table: tensor<8x4xf32>, %ids: tensor<6xi32>, %x: tensor<6x4xf32>, %c: tensor<4xf32>, %rows: tensor<6xf32>, %scalar: tensor<f32>,
    %q: tensor<2x3x4x2xf32>, %kv: tensor<2x3x2x2xf32>, %lse: tensor<2x4x3xf32>, %lengths: tensor<2xi32>, %random: tensor<4xi64>, %site: i64) {
  // expected-error @+1 {{'nn.dropout' op result is of type 'tensor<4x6xf32>'; want 'tensor<6x4xf32>'}}
  %0 = nn.dropout %x site %site random %random {probability = 1.0e-1 : f64, rows_per_sample = 3 : i64} : (tensor<6x4xf32>, i64, tensor<4xi64>) -> tensor<4x6xf32>
  return
}
