//===- ProgressLog.h - A line per step --------------------------*- C++ -*-===//

#ifndef ZERO_LIB_RUN_PROGRESSLOG_H
#define ZERO_LIB_RUN_PROGRESSLOG_H

#include "llvm/Support/raw_ostream.h"

#include <cstdint>

namespace zero {

struct Throughput {
  llvm::StringRef unit;
  int64_t perStep; ///< of all ranks
};

/// Writes a line per step and, on a terminal only, a bar below it.
class ProgressLog {
public:
  ProgressLog(llvm::raw_ostream &os, int64_t steps, Throughput throughput)
      : os(os), steps(steps), throughput(throughput), hasBar(os.is_displayed()) {}

  /// The loss has 17 significant digits, so that equal text is equal bits.
  void writeStep(uint64_t number, double loss, double learningRate, double seconds);
  /// Takes the bar away.
  void finish();

private:
  void drawBar(uint64_t done);

  llvm::raw_ostream &os;
  int64_t steps;
  Throughput throughput;
  bool hasBar;
};

} // namespace zero

#endif // ZERO_LIB_RUN_PROGRESSLOG_H
