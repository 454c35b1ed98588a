//===- SourceMaker.cpp - Sources that a role alone determines -------------===//

#include "SourceMaker.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zero {

namespace {
/// What is made for an input from its role alone.
enum class Role { Other, Tokens, NextTokens, MaskedTokens, MaskedLabels, Segments, KeyLengths };
} // namespace

static Role parseRole(StringRef role) {
  return StringSwitch<Role>(role)
      .Case("tokens", Role::Tokens)
      .Case("next_tokens", Role::NextTokens)
      .Case("masked_tokens", Role::MaskedTokens)
      .Case("masked_labels", Role::MaskedLabels)
      .Case("segments", Role::Segments)
      .Case("key_lengths", Role::KeyLengths)
      .Default(Role::Other);
}

static bool isMasked(Role role) {
  return role == Role::MaskedTokens || role == Role::MaskedLabels;
}

static bool readsData(Role role) {
  return role == Role::Tokens || role == Role::NextTokens || isMasked(role);
}

bool isMadeByRole(StringRef role) { return parseRole(role) != Role::Other; }
bool readsData(StringRef role) { return readsData(parseRole(role)); }

static MaskedPart findPart(Role role) {
  switch (role) {
  case Role::MaskedTokens:
    return MaskedPart::Tokens;
  case Role::MaskedLabels:
    return MaskedPart::Labels;
  case Role::Segments:
    return MaskedPart::Segments;
  default:
    return MaskedPart::KeyLengths;
  }
}

Error SourceMaker::addSequence(const InputInfo &input) {
  int64_t elements = input.getNumElements();
  if (elements == 0 || elements % samples != 0)
    return createStringError("input \"" + input.role + "\", a " + input.getType() +
                             ", does not hold a whole number of tokens for each of " +
                             Twine(samples) + " samples");
  if (rule.sequence != 0 && rule.sequence != elements / samples)
    return createStringError("input \"" + input.role + "\", a " + input.getType() + ", has " +
                             Twine(elements / samples) + " tokens a sample; another has " +
                             Twine(rule.sequence));
  rule.sequence = elements / samples;
  return Error::success();
}

Error SourceMaker::add(const InputInfo &input) {
  Role role = parseRole(input.role);
  if (input.dtype != ZRT_DTYPE_I32 && input.dtype != ZRT_DTYPE_I64)
    return createStringError("input \"" + input.role + "\" is a " + input.getType() +
                             "; want elements of i32 or i64");
  if (role == Role::KeyLengths) {
    rule.hasLengths = true;
    if (input.getNumElements() != samples)
      return createStringError("input \"" + input.role + "\", a " + input.getType() +
                               ", must hold one length for each of " + Twine(samples) +
                               " samples");
    return Error::success();
  }
  hasMasked |= isMasked(role);
  if (readsData(role) && firstReader.empty())
    firstReader = input.role;
  if (readsData(role) && input.vocabulary)
    vocabulary = vocabulary ? std::min(vocabulary, input.vocabulary) : input.vocabulary;
  return addSequence(input);
}

Error SourceMaker::finishMasking() {
  // Without masks nothing is padded, so every sample has its whole length.
  rule.hasLengths &= hasMasked;
  if (!hasMasked) {
    if (options.maskToken)
      return createStringError("a mask token is given, but no input of the step is masked");
    return Error::success();
  }
  if (vocabulary == 0)
    return createStringError("the vocabulary of the masked tokens is not known: the model "
                             "reads no table and no class by them");
  rule.vocabulary = vocabulary;
  rule.maskToken = options.maskToken.value_or(vocabulary - 1);
  if (rule.maskToken < 0 || rule.maskToken >= vocabulary)
    return createStringError("mask token " + Twine(rule.maskToken) +
                             " is beyond the vocabulary of " + Twine(vocabulary));
  return Error::success();
}

Error SourceMaker::openStream() {
  if (firstReader.empty()) {
    if (!options.data.empty())
      return createStringError(options.data + ": no input of the step reads the data file");
    return Error::success();
  }
  if (options.data.empty())
    return createStringError("input \"" + firstReader +
                             "\" needs a data file, and none is given");
  Expected<TokenFile> file = TokenFile::open(options.data);
  if (!file)
    return file.takeError();
  uint64_t batch = static_cast<uint64_t>(worldSize) * samples;
  uint64_t windows = file->size() ? (file->size() - 1) / rule.sequence : 0;
  if (windows < batch)
    return createStringError(options.data + ": has " + Twine(file->size()) +
                             " tokens, less than one batch: " + Twine(worldSize) +
                             " ranks of " + Twine(samples) + " samples of " +
                             Twine(rule.sequence) + " tokens need " +
                             Twine(batch * rule.sequence + 1));
  if (vocabulary)
    if (Error error = file->checkVocabulary(vocabulary))
      return error;
  stream = std::make_shared<TokenStream>(TokenStream{
      std::move(*file), Permutation(windows, options.seed), rule.sequence, samples});
  return Error::success();
}

Error SourceMaker::finish() {
  rule.seed = options.seed;
  if (rule.hasLengths && rule.sequence == 0)
    return createStringError("input \"key_lengths\" has no tokens to be the length of");
  if (Error error = finishMasking())
    return error;
  return openStream();
}

std::unique_ptr<InputSource> SourceMaker::make(const InputInfo &input) const {
  Role role = parseRole(input.role);
  if (role == Role::Tokens || role == Role::NextTokens)
    return std::make_unique<WindowSource>(stream, role == Role::NextTokens, input.dtype);
  return std::make_unique<MaskedSource>(readsData(role) ? stream : nullptr, rule, samples,
                                        findPart(role), input.dtype);
}

} // namespace zero
