//===- Report.h - What was planned and what was measured --------*- C++ -*-===//

#ifndef ZERO_RUN_REPORT_H
#define ZERO_RUN_REPORT_H

#include "zero/Compiler.h"
#include "zero/Run/Options.h"
#include "zero/Run/Train.h"

#include "llvm/Support/raw_ostream.h"

namespace zero {

/// Fails where a rank counted or allocated other than the compiler said, naming rank,
/// quantity and both numbers.
llvm::Error compareWithPlan(const CompiledStep &step, const TrainingRecord &record);

/// Writes the report as JSON. `record` is null after --compile-only: then counts are
/// planned for one step, else for all of them.
void writeReport(llvm::raw_ostream &os, const CompiledStep &step, const RunOptions &options,
                 const TrainingRecord *record);

} // namespace zero

#endif // ZERO_RUN_REPORT_H
