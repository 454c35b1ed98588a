//===- Options.h - The command line of zero-run -----------------*- C++ -*-===//

#ifndef ZERO_RUN_OPTIONS_H
#define ZERO_RUN_OPTIONS_H

#include "zero/Compiler.h"
#include "zero/Data/Feed.h"

#include <string>

namespace zero {

/// What zero-run is told.
struct RunOptions {
  std::string model;
  CompileOptions compile;
  FeedOptions feed;
  int64_t steps = 100;
  double learningRate = 1e-3;
  double deadlineSeconds = 300; ///< of each wait for another rank
  std::string report, dumpParameters;
  bool compileOnly = false;
  bool keepGoingNonFinite = false;
  bool help = false;
};

/// Reads `arguments` (without the program's name). Fails on an option that is not
/// there, is given twice or has a value that it can't have; the message names both.
llvm::Expected<RunOptions> parseRunOptions(llvm::ArrayRef<llvm::StringRef> arguments);

/// The text of --help.
std::string describeRunOptions();

} // namespace zero

#endif // ZERO_RUN_OPTIONS_H
