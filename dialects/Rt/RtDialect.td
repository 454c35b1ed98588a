#ifndef ZERO_DIALECTS_RT_RTDIALECT_TD
#define ZERO_DIALECTS_RT_RTDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Rt_Dialect : Dialect {
  let name = "rt";
  let cppNamespace = "::zero::rt";
  let summary = "the executable schedule of a step";
  let description = [{
    A flat list of dispatches, products, collectives and copies on buffers of known
    size. The number of ranks W is a constant of the program, the rank is not: one
    program serves all ranks, and bytes [offset + rank * rank_stride, + size) are how a
    view differs from rank to rank.

    Asynchronous operations run on in-order queues. A timepoint stands for (queue,
    position); a wait is a use of an earlier operation's timepoint, so cycles can't be
    written. Bytes written by an operation are there once its timepoint is reached.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Rt_Op<string mnemonic, list<Trait> traits = []> : Op<Rt_Dialect, mnemonic, traits>;

#endif
