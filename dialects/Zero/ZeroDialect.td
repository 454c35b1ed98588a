#ifndef ZERO_DIALECTS_ZERO_ZERODIALECT_TD
#define ZERO_DIALECTS_ZERO_ZERODIALECT_TD

include "mlir/IR/OpBase.td"

def Zero_Dialect : Dialect {
  let name = "zero";
  let cppNamespace = "::zero";
  let summary = "one training step, whole or sharded the ZeRO way";
  let description = [{
    A training step with value semantics: parameters, the step itself, and, once
    partitioned, the buckets that are cut over ranks and the collectives that
    gather and reduce them. There are no addresses here. W is the number of ranks
    and S the elements of a rank's shard of a bucket throughout.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Zero_Op<string mnemonic, list<Trait> traits = []>
    : Op<Zero_Dialect, mnemonic, traits>;

#endif
