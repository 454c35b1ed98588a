#ifndef ZERO_DIALECTS_RT_RTINTERFACES_TD
#define ZERO_DIALECTS_RT_RTINTERFACES_TD

include "mlir/IR/OpBase.td"

def Rt_TimelineOpInterface : OpInterface<"TimelineOpInterface"> {
  let cppNamespace = "::zero::rt";
  let description = [{
    An operation that runs on a queue. Planner, verifier and counters treat all such
    operations alike, by what they touch.
  }];
  let methods = [
    InterfaceMethod<"the queue it runs on", "::zero::rt::Queue", "getQueue">,
    InterfaceMethod<"timepoints it waits for", "::mlir::ValueRange", "getWaits">,
    InterfaceMethod<"the timepoint of its completion", "::mlir::Value", "getTimepoint">,
    InterfaceMethod<"the buffers it touches, and how",
                    "::llvm::SmallVector<::zero::rt::BufferAccess>", "getAccesses">,
  ];
}

def Rt_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::zero::rt";
  let description = [{
    An operation that all ranks of a group take part in, in the same order.
  }];
  let methods = [
    InterfaceMethod<"the buffer it sends from", "::mlir::Value", "getSource">,
    InterfaceMethod<"the buffer it writes", "::mlir::Value", "getTarget">,
    InterfaceMethod<"elements of the whole", "int64_t", "getNumElements">,
    InterfaceMethod<"type of the elements", "::mlir::Type", "getElementType">,
    InterfaceMethod<"loss, weight and the like, counted apart", "bool", "isScalar">,
    InterfaceMethod<"bytes of this rank's memory that others read, by the size of a shard",
                    "int64_t", "getBytesSent", (ins "int64_t":$worldSize)>,
  ];
}

#endif
