//===- MaskedSample.h - What a masked language model is shown ---*- C++ -*-===//

#ifndef ZERO_DATA_MASKEDSAMPLE_H
#define ZERO_DATA_MASKEDSAMPLE_H

#include <cstdint>

namespace zero {

/// How samples of a masked language model are made (Devlin et al. 2019, §3.1 and
/// appendix A.2). Everything is a function of (seed, sample, position), so that it
/// does not depend on the number of ranks.
struct MaskingRule {
  uint64_t seed = 0;
  int64_t sequence = 0;   ///< T
  int64_t vocabulary = 0; ///< tokens are below this
  int64_t maskToken = 0;  ///< what hides a token
  bool hasLengths = false; ///< the model takes key lengths, so samples may be short
};

/// The label of a position that is not predicted.
inline constexpr int64_t kIgnoredLabel = -100;

/// One sample under a rule.
class MaskedSample {
public:
  MaskedSample(const MaskingRule &rule, uint64_t sample);

  /// Tokens before padding: one sample in ten is cut to a length in [2, T].
  int64_t getLength() const { return length; }
  /// 0 up to a seeded place inside the sample, 1 after it.
  int64_t getSegment(int64_t position) const { return position >= split; }
  /// `token`, or what it is replaced by; 0 in padding.
  int64_t getToken(int64_t position, int64_t token) const;
  /// `token` where it is to be predicted, kIgnoredLabel elsewhere.
  int64_t getLabel(int64_t position, int64_t token) const;

private:
  bool isChosen(int64_t position) const;

  const MaskingRule &rule;
  uint64_t sample;
  int64_t length, split;
};

} // namespace zero

#endif // ZERO_DATA_MASKEDSAMPLE_H
