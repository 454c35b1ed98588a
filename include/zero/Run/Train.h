//===- Train.h - Training a compiled step on all ranks ----------*- C++ -*-===//

#ifndef ZERO_RUN_TRAIN_H
#define ZERO_RUN_TRAIN_H

#include "zero/Compiler.h"
#include "zero/Data/Feed.h"
#include "zero/Run/Options.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

namespace zero {

/// What a training run did.
struct TrainingRecord {
  std::vector<double> losses;      ///< a step each
  std::vector<double> stepSeconds; ///< of rank 0
  std::vector<zrt_counters_t> counters; ///< a rank each
  std::vector<uint64_t> allocatedBytes; ///< a rank each
};

/// Trains with a thread per rank, writes a line per step to `log` and, where there is
/// one, the final parameters to `dump`. `feed` is needed for a positive number of
/// steps. A loss that is not finite is an error that names step and rank, unless the
/// options say to go on.
llvm::Expected<TrainingRecord> train(const CompiledStep &step, const std::optional<Feed> &feed,
                                     const RunOptions &options, llvm::raw_ostream &log,
                                     llvm::raw_ostream *dump);

} // namespace zero

#endif // ZERO_RUN_TRAIN_H
