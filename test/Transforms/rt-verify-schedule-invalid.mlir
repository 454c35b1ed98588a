// RUN: zero-opt %s --rt-verify-schedule --split-input-file --verify-diagnostics

rt.program @no_place world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  // expected-error @+1 {{touches a buffer that has no place; run rt-plan-memory first}}
  %t0 = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

module attributes {rt.memory = {lower_bound_bytes = 64 : i64, persistent_bytes = 0 : i64, transient_bytes = 64 : i64}} {
  rt.program @outside world_size 1 threads_per_rank 1 externals [] {
    %a = rt.alloc {offset = 64} : !rt.buffer<64, device, transient>
    // expected-error @+1 {{touches byte 128 of an arena of 64}}
    %t0 = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
  }
}
