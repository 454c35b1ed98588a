//===- MaskedSample.cpp - What a masked language model is shown -----------===//

#include "zero/Data/MaskedSample.h"

#include "zero/Data/Random.h"

#include <algorithm>

namespace zero {

namespace {
/// What a random word is drawn for, so that draws do not depend on each other.
enum Draw : uint64_t { isShort = 1, cutLength, splitPlace, choice, replacement, randomToken };
} // namespace

MaskedSample::MaskedSample(const MaskingRule &rule, uint64_t sample)
    : rule(rule), sample(sample), length(rule.sequence) {
  auto draw = [&](Draw what, uint64_t bound) {
    return static_cast<int64_t>(boundedBits(randomBits({rule.seed, sample, what}), bound));
  };
  if (rule.hasLengths && rule.sequence > 2 && draw(isShort, 10) == 0)
    length = 2 + draw(cutLength, rule.sequence - 1);
  split = 1 + draw(splitPlace, std::max<int64_t>(length - 1, 1));
}

bool MaskedSample::isChosen(int64_t position) const {
  uint64_t bits = randomBits({rule.seed, sample, choice, static_cast<uint64_t>(position)});
  return position < length && boundedBits(bits, 100) < 15;
}

int64_t MaskedSample::getToken(int64_t position, int64_t token) const {
  if (position >= length)
    return 0;
  if (!isChosen(position))
    return token;
  auto draw = [&](Draw what, uint64_t bound) {
    return boundedBits(randomBits({rule.seed, sample, what, static_cast<uint64_t>(position)}),
                       bound);
  };
  uint64_t kind = draw(replacement, 10);
  if (kind < 8)
    return rule.maskToken;
  return kind == 8 ? static_cast<int64_t>(draw(randomToken, rule.vocabulary)) : token;
}

int64_t MaskedSample::getLabel(int64_t position, int64_t token) const {
  return isChosen(position) ? token : kIgnoredLabel;
}

} // namespace zero
