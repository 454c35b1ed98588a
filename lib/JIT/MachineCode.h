//===- MachineCode.h - A lowered module as machine code ---------*- C++ -*-===//

#ifndef ZERO_LIB_JIT_MACHINECODE_H
#define ZERO_LIB_JIT_MACHINECODE_H

#include "zrt.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Error.h"

namespace zero {

/// Machine code of this process, and the tables beside it.
class MachineCode {
public:
  /// `module`: tables at top level, one nested module per kernel, all in the LLVM
  /// dialect (`convert-rt-to-llvm`). Kernels are compiled apart, two at a time;
  /// `module` loses them.
  static llvm::Expected<MachineCode> generate(mlir::ModuleOp module);

  const zrt_module_t *getModule() const { return table; }

private:
  MachineCode(std::unique_ptr<llvm::orc::LLJIT> jit, const zrt_module_t *table)
      : jit(std::move(jit)), table(table) {}
  std::unique_ptr<llvm::orc::LLJIT> jit;
  const zrt_module_t *table;
};

} // namespace zero

#endif // ZERO_LIB_JIT_MACHINECODE_H
