//===- Feed.h - What each rank's inputs hold at each step -------*- C++ -*-===//

#ifndef ZERO_DATA_FEED_H
#define ZERO_DATA_FEED_H

#include "zero/Compiler.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zero {

/// Where the inputs of a step come from.
struct FeedOptions {
  std::string data; ///< file of tokens, or empty
  /// Role and file: raw little-endian records in the input's own shape and type.
  std::vector<std::pair<std::string, std::string>> inputs;
  uint64_t seed = 0;                ///< of the order of samples and of masking
  std::optional<int64_t> maskToken; ///< the last of the vocabulary if absent
};

/// The inputs of one rank for one step.
class Batch {
public:
  /// For Session::run; valid until the batch changes.
  std::vector<InputBuffer> getInputs() const;
  llvm::ArrayRef<char> find(llvm::StringRef role) const;

private:
  friend class Feed;
  std::vector<std::string> roles;
  std::vector<std::vector<char>> buffers;
};

/// Writes one input. `record` numbers the inputs of all ranks and steps: record
/// step * W + rank holds samples [record * B, (record + 1) * B).
class InputSource {
public:
  virtual ~InputSource() = default;
  virtual void fill(uint64_t record, llvm::MutableArrayRef<char> out) const = 0;
};

/// Feeds every input of a step that its session does not feed. Constant, so that
/// the threads of all ranks share one. By role:
///  - `tokens`, `next_tokens`: the first and the last T of the T + 1 tokens of a
///    window of the data; windows start every T tokens and come in a seeded order.
///  - `masked_tokens`, `masked_labels`, `segments`, `key_lengths`: see MaskedSample.
///  - any role that FeedOptions::inputs names: records of that file, in order of
///    step and rank, starting over at the end.
class Feed {
public:
  /// Fails, before anything runs, on whatever a step could trip over: an input that
  /// nothing feeds, a file that is missing, too short, or of another size of record, a
  /// token beyond the vocabulary, a name or option that nothing uses.
  static llvm::Expected<Feed> create(llvm::ArrayRef<InputInfo> inputs, int64_t samples,
                                     int64_t worldSize, const FeedOptions &options);

  Batch makeBatch() const;
  void fill(uint64_t step, int64_t rank, Batch &batch) const;

  /// Tokens in one rank's inputs, or 0 where the step takes none.
  int64_t getTokensPerRank() const { return tokensPerRank; }

private:
  struct FedInput {
    InputInfo info;
    std::unique_ptr<InputSource> source;
  };
  std::vector<FedInput> fed;
  int64_t worldSize = 1, tokensPerRank = 0;
};

} // namespace zero

#endif // ZERO_DATA_FEED_H
