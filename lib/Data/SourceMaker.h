//===- SourceMaker.h - Sources that a role alone determines -----*- C++ -*-===//

#ifndef ZERO_LIB_DATA_SOURCEMAKER_H
#define ZERO_LIB_DATA_SOURCEMAKER_H

#include "Sources.h"

namespace zero {

/// Whether inputs of this role are made from the data file, the seed and the sample.
bool isMadeByRole(llvm::StringRef role);
/// Whether an input of this role holds tokens of the data file.
bool readsData(llvm::StringRef role);

/// Gathers what the inputs that are made from the data have in common, checks it,
/// and then makes their sources.
class SourceMaker {
public:
  SourceMaker(const FeedOptions &options, int64_t samples, int64_t worldSize)
      : options(options), samples(samples), worldSize(worldSize) {}

  /// Takes an input that is made from its role into account.
  llvm::Error add(const InputInfo &input);
  /// To be called once all are added.
  llvm::Error finish();
  std::unique_ptr<InputSource> make(const InputInfo &input) const;

private:
  llvm::Error addSequence(const InputInfo &input);
  llvm::Error finishMasking();
  llvm::Error openStream();

  const FeedOptions &options;
  int64_t samples, worldSize;
  std::string firstReader; ///< the first input that holds tokens of the data
  bool hasMasked = false;
  int64_t vocabulary = 0; ///< the least of the inputs that hold tokens
  MaskingRule rule;
  std::shared_ptr<const TokenStream> stream;
};

} // namespace zero

#endif // ZERO_LIB_DATA_SOURCEMAKER_H
