// RUN: zero-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'rt.global' op is of type 'i32'; want a persistent buffer}}
rt.global @g : i32 {bucket = @b, value = "parameter"}

// -----

rt.global @g : !rt.buffer<16, device, persistent> {bucket = @b, value = "parameter"}
rt.program @other_type world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.global_ref' op is of type '!rt.buffer<32, device, persistent>'; @g is '!rt.buffer<16, device, persistent>'}}
  %g = rt.global_ref @g updated : !rt.buffer<32, device, persistent>
}

// -----

rt.program @alloc_offset world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.alloc' op has offset -64; want 0 or more}}
  %a = rt.alloc {offset = -64 : i64} : !rt.buffer<16, device, transient>
}

// -----

rt.program @view_stride world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.view' op has offset 0 and rank stride -4; want 0 or more}}
  %v = rt.view %a {offset = 0 : i64, rank_stride = -4 : i64} : !rt.buffer<16, device, transient> -> !rt.buffer<4, device, transient>
}

// -----

rt.program @view_last_rank world_size 3 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.view' op ends at byte 24 of a buffer of 16}}
  %v = rt.view %a {offset = 0 : i64, rank_stride = 8 : i64} : !rt.buffer<16, device, transient> -> !rt.buffer<8, device, transient>
}

// -----

// expected-error @+1 {{'rt.program' op has elements of type 'index'; want integers or floats}}
rt.program @index_elements world_size 1 threads_per_rank 1 externals [{role = "x", type = tensor<4xindex>}] {
^bb0(%x: !rt.buffer<32, device, external>):
}

// -----

// expected-error @+1 {{'rt.program' op has an argument of type '!rt.buffer<16, device, external>' that does not hold its external {type = tensor<4xf32>}}}
rt.program @no_role world_size 1 threads_per_rank 1 externals [{type = tensor<4xf32>}] {
^bb0(%x: !rt.buffer<16, device, external>):
}

// -----

// expected-error @+1 {{'rt.program' op has an argument of type '!rt.buffer<4, device, external>' that does not hold its external {role = "x", type = f32}}}
rt.program @not_a_tensor world_size 1 threads_per_rank 1 externals [{role = "x", type = f32}] {
^bb0(%x: !rt.buffer<4, device, external>):
}

// -----

// expected-error @+1 {{'rt.program' op has world size 1 and 0 threads; want 1 or more}}
rt.program @no_threads world_size 1 threads_per_rank 0 externals [] {
}

// -----

rt.program @negative_extent world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.dispatch' op has extent -1 and grain 1}}
  %t = rt.dispatch @k ins() outs() {extent = -1 : i64, grain = 1 : i64, updated = array<i1>} : () -> !rt.timepoint
}

// -----

rt.program @segment_lengths world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.dispatch' op has segment tables of different lengths}}
  %t = rt.dispatch @k ins() outs() {extent = 1 : i64, grain = 1 : i64, updated = array<i1>, segment_begins = array<i64: 0>, segment_ends = array<i64: 1>} : () -> !rt.timepoint
}

// -----

rt.program @segments_overlap world_size 1 threads_per_rank 1 externals [] {
  // expected-error @+1 {{'rt.dispatch' op has a segment [2, 6) after 4}}
  %t = rt.dispatch @k ins() outs() {extent = 1 : i64, grain = 1 : i64, updated = array<i1>, segment_begins = array<i64: 0, 2>, segment_ends = array<i64: 4, 6>, segment_lr_scales = array<f64: 1.0, 1.0>, segment_weight_decays = array<f64: 0.0, 0.0>} : () -> !rt.timepoint
}

// -----

rt.program @matmul_sizes world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.matmul' op wants 4 sizes, 3 strides of a and b, and 2 of c}}
  %t = rt.matmul %a, %a into %a {sizes = array<i64: 1, 2, 2>, a_strides = array<i64: 0, 2, 1>, b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 2>, element_type = f32} : (!rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>) -> !rt.timepoint
}

// -----

rt.program @matmul_index world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.matmul' op has elements of type 'index'; want integers or floats}}
  %t = rt.matmul %a, %a into %a {sizes = array<i64: 1, 2, 2, 2>, a_strides = array<i64: 0, 2, 1>, b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 2>, element_type = index} : (!rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>) -> !rt.timepoint
}

// -----

rt.program @matmul_bias world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  %b = rt.alloc : !rt.buffer<4, device, transient>
  // expected-error @+1 {{'rt.matmul' op addresses elements outside a buffer}}
  %t = rt.matmul %a, %a bias %b into %a {sizes = array<i64: 1, 2, 2, 2>, a_strides = array<i64: 0, 2, 1>, b_strides = array<i64: 0, 2, 1>, c_strides = array<i64: 0, 2>, element_type = f32} : (!rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>, !rt.buffer<4, device, transient>, !rt.buffer<16, device, transient>) -> !rt.timepoint
}

// -----

rt.program @gather_index world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.all_gather' op has elements of type 'index'; want integers or floats}}
  %t = rt.all_gather %a into %a {element_type = index, elements = 4 : i64} : (!rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>) -> !rt.timepoint
}

// -----

rt.program @scatter_whole world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  %b = rt.alloc : !rt.buffer<8, device, transient>
  // expected-error @+1 {{'rt.reduce_scatter' op has 8 elements of 'f32' in a buffer of 16 bytes}}
  %t = rt.reduce_scatter %a into %b {element_type = f32, elements = 8 : i64} : (!rt.buffer<16, device, transient>, !rt.buffer<8, device, transient>) -> !rt.timepoint
}

// -----

rt.program @scatter_shard world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  %b = rt.alloc : !rt.buffer<4, device, transient>
  // expected-error @+1 {{'rt.reduce_scatter' op has a shard of 4 bytes of 16 over 2 ranks}}
  %t = rt.reduce_scatter %a into %b {element_type = f32, elements = 4 : i64} : (!rt.buffer<16, device, transient>, !rt.buffer<4, device, transient>) -> !rt.timepoint
}

// -----

rt.program @reduce_index world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  // expected-error @+1 {{'rt.all_reduce' op has elements of type 'index'; want integers or floats}}
  %t = rt.all_reduce %a into %a {element_type = index, elements = 4 : i64} : (!rt.buffer<16, device, transient>, !rt.buffer<16, device, transient>) -> !rt.timepoint
}

// -----

rt.program @reduce_target world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<16, device, transient>
  %b = rt.alloc : !rt.buffer<8, device, transient>
  // expected-error @+1 {{'rt.all_reduce' op has 4 elements of 'f32' in buffers of 16 and 8 bytes}}
  %t = rt.all_reduce %a into %b {element_type = f32, elements = 4 : i64} : (!rt.buffer<16, device, transient>, !rt.buffer<8, device, transient>) -> !rt.timepoint
}
