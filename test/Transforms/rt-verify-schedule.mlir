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

// -----

// A persistent buffer has two versions: readers of the old one come before its update.
rt.global @g : !rt.buffer<64, device, persistent> {bucket = @b, value = "parameter"}
rt.program @versions world_size 1 threads_per_rank 1 externals [] {
  %old = rt.global_ref @g : !rt.buffer<64, device, persistent>
  %new = rt.global_ref @g updated : !rt.buffer<64, device, persistent>
  %a = rt.alloc : !rt.buffer<64, device, transient>
  %t0 = rt.copy %old into %a : (!rt.buffer<64, device, persistent>, !rt.buffer<64, device, transient>) -> !rt.timepoint
  %t1 = rt.fill %new : (!rt.buffer<64, device, persistent>) -> !rt.timepoint
  %t2 = rt.copy %new into %a : (!rt.buffer<64, device, persistent>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.global @g : !rt.buffer<64, device, persistent> {bucket = @b, value = "parameter"}
rt.program @old_after_update world_size 1 threads_per_rank 1 externals [] {
  %old = rt.global_ref @g : !rt.buffer<64, device, persistent>
  %new = rt.global_ref @g updated : !rt.buffer<64, device, persistent>
  %a = rt.alloc : !rt.buffer<64, device, transient>
  // expected-note @+1 {{the update}}
  %t1 = rt.fill %new : (!rt.buffer<64, device, persistent>) -> !rt.timepoint
  // expected-error @+1 {{means bytes [0, 64) of its arena as they are at the start of the step, and reads them after their update, on rank 0}}
  %t0 = rt.copy %old into %a : (!rt.buffer<64, device, persistent>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.global @g : !rt.buffer<64, device, persistent> {bucket = @b, value = "parameter"}
rt.program @new_before_update world_size 1 threads_per_rank 1 externals [] {
  %new = rt.global_ref @g updated : !rt.buffer<64, device, persistent>
  %a = rt.alloc : !rt.buffer<64, device, transient>
  // expected-error @+1 {{means bytes [0, 64) of its arena after their update, and reads them before, on rank 0}}
  %t0 = rt.copy %new into %a : (!rt.buffer<64, device, persistent>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}

// -----

rt.global @g : !rt.buffer<64, device, persistent> {bucket = @b, value = "parameter"}
rt.program @writes_old world_size 1 threads_per_rank 1 externals [] {
  %old = rt.global_ref @g : !rt.buffer<64, device, persistent>
  // expected-error @+1 {{overwrites @g through a reference to its value at the start of the step}}
  %t0 = rt.fill %old : (!rt.buffer<64, device, persistent>) -> !rt.timepoint
}

// -----

// Of 1024 ranks those are checked at which something changes: only rank 700's slice meets
// the bytes that nobody has written.
rt.program @many_ranks world_size 1024 threads_per_rank 1 externals [] {
  %a = rt.alloc : !rt.buffer<65536, device, transient>
  %b = rt.alloc : !rt.buffer<64, device, transient>
  %low = rt.view %a {offset = 0} : !rt.buffer<65536, device, transient> -> !rt.buffer<44800, device, transient>
  %high = rt.view %a {offset = 44864} : !rt.buffer<65536, device, transient> -> !rt.buffer<20672, device, transient>
  %mine = rt.view %a {offset = 0, rank_stride = 64} : !rt.buffer<65536, device, transient> -> !rt.buffer<64, device, transient>
  %t0 = rt.fill %low : (!rt.buffer<44800, device, transient>) -> !rt.timepoint
  %t1 = rt.fill %high : (!rt.buffer<20672, device, transient>) -> !rt.timepoint
  // expected-error @+1 {{reads bytes [44800, 44864) of its arena before anything has written them, on rank 700}}
  %t2 = rt.copy %mine into %b : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
}
