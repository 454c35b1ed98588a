// RUN: zero-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: rt.program @p
rt.program @p world_size 2 threads_per_rank 1 externals [] {
  // CHECK: %[[A:.*]] = rt.alloc : <1024, device, transient>
  %a = rt.alloc : !rt.buffer<1024, device, transient>
  // A view of everything is its source.
  // CHECK: rt.fill %[[A]] :
  %all = rt.view %a {offset = 0} : !rt.buffer<1024, device, transient> -> !rt.buffer<1024, device, transient>
  %t0 = rt.fill %all : (!rt.buffer<1024, device, transient>) -> !rt.timepoint
  // A view of a view is one view.
  // CHECK: %[[V:.*]] = rt.view %[[A]] {offset = 96 : i64, rank_stride = 256 : i64} : <1024, device, transient> -> <16, device, transient>
  // CHECK: rt.fill %[[V]] :
  %outer = rt.view %a {offset = 64, rank_stride = 256} : !rt.buffer<1024, device, transient> -> !rt.buffer<64, device, transient>
  %inner = rt.view %outer {offset = 32} : !rt.buffer<64, device, transient> -> !rt.buffer<16, device, transient>
  %t1 = rt.fill %inner : (!rt.buffer<16, device, transient>) -> !rt.timepoint
}
