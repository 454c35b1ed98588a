//===- Sources.h - The kinds of sources of a step's inputs ------*- C++ -*-===//

#ifndef ZERO_LIB_DATA_SOURCES_H
#define ZERO_LIB_DATA_SOURCES_H

#include "zero/Data/Feed.h"
#include "zero/Data/MaskedSample.h"
#include "zero/Data/Permutation.h"
#include "zero/Data/TokenFile.h"

namespace zero {

/// Windows of a token file in a seeded order, cut into samples of one length.
struct TokenStream {
  TokenFile file;
  Permutation order;
  int64_t sequence; ///< T
  int64_t samples;  ///< B, in one rank's inputs

  uint64_t findWindow(uint64_t sample) const { return order.at(sample) * sequence; }
};

/// Tokens [shift, shift + T) of each window.
class WindowSource : public InputSource {
public:
  WindowSource(std::shared_ptr<const TokenStream> stream, int64_t shift, uint32_t dtype)
      : stream(std::move(stream)), shift(shift), dtype(dtype) {}
  void fill(uint64_t record, llvm::MutableArrayRef<char> out) const override;

private:
  std::shared_ptr<const TokenStream> stream;
  int64_t shift;
  uint32_t dtype;
};

/// What of a masked sample an input holds.
enum class MaskedPart { Tokens, Labels, Segments, KeyLengths };

/// Samples under a masking rule; `stream` is null for parts that hold no tokens.
class MaskedSource : public InputSource {
public:
  MaskedSource(std::shared_ptr<const TokenStream> stream, const MaskingRule &rule,
               int64_t samples, MaskedPart part, uint32_t dtype)
      : stream(std::move(stream)), rule(rule), samples(samples), part(part), dtype(dtype) {}
  void fill(uint64_t record, llvm::MutableArrayRef<char> out) const override;

private:
  int64_t findElement(const MaskedSample &sample, uint64_t window, int64_t position) const;

  std::shared_ptr<const TokenStream> stream;
  MaskingRule rule;
  int64_t samples;
  MaskedPart part;
  uint32_t dtype;
};

/// Records of a file, one per rank and step, starting over at the end.
class RecordSource : public InputSource {
public:
  /// `samples`: in one record. Fails where the file is not a whole number of records, or
  /// holds an index or label that is beyond what the model reads by it.
  static llvm::Expected<std::unique_ptr<InputSource>>
  open(llvm::StringRef path, const InputInfo &input, int64_t samples);
  void fill(uint64_t record, llvm::MutableArrayRef<char> out) const override;

private:
  explicit RecordSource(std::unique_ptr<llvm::MemoryBuffer> buffer)
      : buffer(std::move(buffer)) {}
  std::unique_ptr<llvm::MemoryBuffer> buffer;
};

} // namespace zero

#endif // ZERO_LIB_DATA_SOURCES_H
