// RUN: zero-opt %s --rt-plan-memory | FileCheck %s

// CHECK: module attributes {rt.memory = {lower_bound_bytes = 320 : i64, persistent_bytes = 192 : i64, transient_bytes = 320 : i64}}
// Persistent buffers one after the other, at multiples of 64.
// CHECK: rt.global @b.parameter {{.*}}offset = 0 : i64
rt.global @b.parameter : !rt.buffer<100, device, persistent> {bucket = @b, value = "parameter"}
// CHECK: rt.global @b.m {{.*}}offset = 128 : i64
rt.global @b.m : !rt.buffer<4, device, persistent> {bucket = @b, value = "m"}

// CHECK-LABEL: rt.program @reuses_freed_gap
rt.program @reuses_freed_gap world_size 1 threads_per_rank 1 externals [] {
  // CHECK: %[[A:.*]] = rt.alloc {offset = 0 : i64} : <256, device, transient>
  %a = rt.alloc : !rt.buffer<256, device, transient>
  // CHECK: rt.alloc {offset = 256 : i64} : <64, device, transient>
  %b = rt.alloc : !rt.buffer<64, device, transient>
  // c lives after a has died, in its place; an unused buffer takes none.
  // CHECK: rt.alloc {offset = 0 : i64} : <192, device, transient>
  %c = rt.alloc : !rt.buffer<192, device, transient>
  // CHECK: rt.alloc {offset = 0 : i64} : <4096, device, transient>
  %unused = rt.alloc : !rt.buffer<4096, device, transient>
  %v = rt.view %a {offset = 64} : !rt.buffer<256, device, transient> -> !rt.buffer<64, device, transient>
  %t0 = rt.fill %a : (!rt.buffer<256, device, transient>) -> !rt.timepoint
  %t1 = rt.copy %v into %b : (!rt.buffer<64, device, transient>, !rt.buffer<64, device, transient>) -> !rt.timepoint
  %t2 = rt.fill %c : (!rt.buffer<192, device, transient>) -> !rt.timepoint
  %t3 = rt.fill %b : (!rt.buffer<64, device, transient>) -> !rt.timepoint
}
