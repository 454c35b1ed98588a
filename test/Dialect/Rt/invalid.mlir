// RUN: zero-opt %s --split-input-file --verify-diagnostics

zero.parameter @w : tensor<4xf32> {init = #zero.zeros}
// expected-error @+1 {{'rt.global' op is of type '!rt.buffer<16, device, transient>'; want a persistent buffer}}
rt.global @global_c1 : !rt.buffer<16, device, transient> {bucket = @b, value = "parameter"}

// -----

// expected-error @+1 {{'rt.global' op has offset -4; want 0 or more}}
rt.global @global_c2 : !rt.buffer<16, device, persistent> {bucket = @b, value = "parameter", offset = -4}

// -----

rt.program @global_ref_c1 world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.global_ref' op names an unknown global @g}}
  %g = rt.global_ref @g : !rt.buffer<16, device, persistent>
}

// -----

rt.program @alloc_c1 world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.alloc' op is of type '!rt.buffer<16, device, external>'; want a transient buffer}}
  %a = rt.alloc : !rt.buffer<16, device, external>
}

// -----

rt.program @view_c1 world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.view' op has offset -1 and rank stride 0; want 0 or more}}
  %v = rt.view %a {offset = -1} : !rt.buffer<16, device, transient> -> !rt.buffer<4, device, transient>
}

// -----

rt.program @view_c2 world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.view' op is of type '!rt.buffer<4, host, transient>', a view of '!rt.buffer<16, device, transient>'}}
  %v = rt.view %a {offset = 0} : !rt.buffer<16, device, transient> -> !rt.buffer<4, host, transient>
}

// -----

rt.program @view_c3 world_size 4 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.view' op ends at byte 20 of a buffer of 16}}
  %v = rt.view %a {offset = 4, rank_stride = 4} : !rt.buffer<16, device, transient> -> !rt.buffer<4, device, transient>
}

// -----

// expected-error @+1 {{'rt.program' op has 1 arguments and 0 externals}}
rt.program @program_c1 world_size 1 threads_per_rank 1 externals [] {
^bb0(%x: !rt.buffer<16, device, external>):
}

// -----

// expected-error @+1 {{'rt.program' op has an argument of type '!rt.buffer<12, device, external>' that does not hold its external}}
rt.program @program_c1_bytes world_size 1 threads_per_rank 1 externals [{role = "x", type = tensor<4xf32>}] {
^bb0(%x: !rt.buffer<12, device, external>):
}

// -----

// expected-error @+1 {{'rt.program' op has world size 0 and 1 threads; want 1 or more}}
rt.program @program_c2 world_size 0 threads_per_rank 1 externals [] {
^bb0:
}

// -----

zero.kernel @k(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>) {
  zero.yield %a : tensor<4xf32>
}
rt.program @dispatch_c1 world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.dispatch' op says of 0 outs whether they are read; has 1}}
  %t = rt.dispatch @k ins(%a) outs(%a) {extent = 4, grain = 1, updated = array<i1>}
      : (!rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>) -> !rt.timepoint
}

// -----

rt.program @dispatch_c2 world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.dispatch' op has extent 4 and grain 0}}
  %t = rt.dispatch @k ins() outs() {extent = 4, grain = 0, updated = array<i1>} : () -> !rt.timepoint
}

// -----

rt.program @dispatch_c3 world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.dispatch' op has a segment [2, 1) after 0}}
  %t = rt.dispatch @k ins() outs() {extent = 4, grain = 1, updated = array<i1>, segment_begins = array<i64: 2>,
      segment_ends = array<i64: 1>, segment_lr_scales = array<f64: 1.0>, segment_weight_decays = array<f64: 0.0>} : () -> !rt.timepoint
}

// -----

rt.program @dispatch_kernel world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.dispatch' op names an unknown kernel @k}}
  %t = rt.dispatch @k ins() outs() {extent = 4, grain = 1, updated = array<i1>} : () -> !rt.timepoint
}

// -----

rt.program @matmul_c2 world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.matmul' op addresses elements outside a buffer}}
  %t = rt.matmul %a, %a into %a {sizes = array<i64: 1, 4, 4, 4>, a_strides = array<i64: 0, 4, 1>,
      b_strides = array<i64: 0, 4, 1>, c_strides = array<i64: 0, 4>, element_type = f32}
      : (!rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>) -> !rt.timepoint
}

// -----

rt.program @copy_c1 world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %b = rt.alloc : !rt.buffer<128, device, transient>
  // expected-error @+1 {{'rt.copy' op copies 64 bytes into a buffer of 128}}
  %t = rt.copy %a into %b : (!rt.buffer<64, device, transient>, !rt.buffer<128, device, transient>) -> !rt.timepoint
}

// -----

rt.program @gather_c1_whole world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  // expected-error @+1 {{'rt.all_gather' op has 8 elements of 'f32' in a buffer of 64 bytes}}
  %t = rt.all_gather %a into %a {element_type = f32, elements = 8} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.program @gather_c1_shard world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  // expected-error @+1 {{'rt.all_gather' op has a shard of 64 bytes of 64 over 2 ranks}}
  %t = rt.all_gather %a into %a {element_type = f32, elements = 16} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.program @all_reduce_c1 world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  // expected-error @+1 {{'rt.all_reduce' op has 8 elements of 'f32' in buffers of 64 and 64 bytes}}
  %t = rt.all_reduce %a into %a {element_type = f32, elements = 8} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}
