// RUN: zero-opt %s --rt-plan-memory --rt-verify-schedule --split-input-file --verify-diagnostics

// One queue orders everything.
rt.program @in_order world_size 2 threads_per_rank 1 externals [{role = "loss", type = tensor<16xf32>, output}] {
^bb0(%out: !rt.buffer<64, device, external>):
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %t0 = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
  %t1 = rt.copy %a into %out : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, external>) -> !rt.timepoint
}

// -----

// Two queues, ordered by a timepoint that goes through a join.
rt.program @ordered_by_wait world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %b = rt.alloc : !rt.buffer<64, device, transient>
  %t0 = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
  %j = rt.join %t0 : (!rt.timepoint) -> !rt.timepoint
  %t1 = rt.copy %a into %b after %j {queue = #rt<queue to_host>} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>, !rt.timepoint) -> !rt.timepoint
}

// -----

rt.program @race world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %b = rt.alloc : !rt.buffer<64, device, transient>
  // expected-note @+1 {{the other operation}}
  %t0 = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
  // expected-error @+1 {{touches bytes [0, 64) that another operation, not ordered with it, writes, on rank 0}}
  %t1 = rt.copy %a into %b {queue = #rt<queue to_host>} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.program @write_while_read world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %b = rt.alloc : !rt.buffer<64, device, transient>
  %t0 = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
  // expected-note @+1 {{the other operation}}
  %t1 = rt.copy %a into %b after %t0 {queue = #rt<queue to_host>} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>, !rt.timepoint) -> !rt.timepoint
  // expected-error @+1 {{touches bytes [0, 64) that another operation, not ordered with it, reads, on rank 0}}
  %t2 = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.program @read_before_write world_size 1 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %b = rt.alloc : !rt.buffer<64, device, transient>
  %v = rt.view %a {offset = 0} : !rt.buffer<64, device, transient> -> !rt.buffer<32, device, transient>
  %t0 = rt.fill %v : (!rt.buffer<32, device, transient>) -> !rt.timepoint
  // expected-error @+1 {{reads bytes [32, 64) of its arena before anything has written them, on rank 0}}
  %t1 = rt.copy %a into %b : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

// Only this rank's slice is written: rank 1 reads what rank 0's slice would be.
rt.program @rank_slices world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<128, device, transient>
  %b = rt.alloc : !rt.buffer<64, device, transient>
  %mine = rt.view %a {offset = 0, rank_stride = 64} : !rt.buffer<128, device, transient> -> !rt.buffer<64, device, transient>
  %first = rt.view %a {offset = 0} : !rt.buffer<128, device, transient> -> !rt.buffer<64, device, transient>
  %t0 = rt.fill %mine : (!rt.buffer<64, device, transient>) -> !rt.timepoint
  // expected-error @+1 {{of its arena before anything has written them, on rank 1}}
  %t1 = rt.copy %first into %b : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.program @two_collective_queues world_size 2 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %t = rt.fill %a : (!rt.buffer<64, device, transient>) -> !rt.timepoint
  // expected-note @+1 {{the other one}}
  %t0 = rt.all_reduce %a into %a after %t {element_type = f32, elements = 16} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>, !rt.timepoint) -> !rt.timepoint
  // expected-error @+1 {{is a collective on queue compute; another one is on collective}}
  %t1 = rt.all_reduce %a into %a after %t0 {element_type = f32, elements = 16, queue = #rt<queue compute>} : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>, !rt.timepoint) -> !rt.timepoint
}
