//===- Feed.cpp - What each rank's inputs hold at each step ---------------===//

#include "zero/Data/Feed.h"

#include "Sources.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zero {

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

std::vector<InputBuffer> Batch::getInputs() const {
  std::vector<InputBuffer> inputs;
  for (auto [role, buffer] : zip_equal(roles, buffers))
    inputs.emplace_back(role, ArrayRef<char>(buffer));
  return inputs;
}

ArrayRef<char> Batch::find(StringRef role) const {
  for (auto [name, buffer] : zip_equal(roles, buffers))
    if (name == role)
      return buffer;
  return {};
}

Batch Feed::makeBatch() const {
  Batch batch;
  for (const FedInput &input : fed) {
    batch.roles.push_back(input.info.role);
    batch.buffers.emplace_back(input.info.bytes);
  }
  return batch;
}

void Feed::fill(uint64_t step, int64_t rank, Batch &batch) const {
  for (auto [input, buffer] : zip_equal(fed, batch.buffers))
    input.source->fill(step * worldSize + rank, buffer);
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

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

/// Whether an input of this role holds tokens of the data.
static bool readsData(Role role) {
  return role == Role::Tokens || role == Role::NextTokens || isMasked(role);
}

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

namespace {
/// Gathers what the inputs that are made from the data have in common, checks it,
/// and then makes their sources.
class SourceMaker {
public:
  SourceMaker(const FeedOptions &options, int64_t samples, int64_t worldSize)
      : options(options), samples(samples), worldSize(worldSize) {}

  /// Takes an input that is made from its role into account.
  Error add(const InputInfo &input);
  /// To be called once all are added.
  Error finish();
  std::unique_ptr<InputSource> make(const InputInfo &input) const;

private:
  Error addSequence(const InputInfo &input);
  Error finishMasking();
  Error openStream();

  const FeedOptions &options;
  int64_t samples, worldSize;
  std::string firstReader; ///< the first input that holds tokens of the data
  bool hasMasked = false;
  int64_t vocabulary = 0; ///< the least of the inputs that hold tokens
  MaskingRule rule;
  std::shared_ptr<const TokenStream> stream;
};
} // namespace

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

//===----------------------------------------------------------------------===//
// Feeds
//===----------------------------------------------------------------------===//

static const std::string *findFile(const FeedOptions &options, StringRef role) {
  for (const auto &[name, path] : options.inputs)
    if (name == role)
      return &path;
  return nullptr;
}

/// Every file must be for an input that the session does not feed, and only one.
static Error checkFiles(ArrayRef<InputInfo> inputs, const FeedOptions &options) {
  for (auto [index, entry] : enumerate(options.inputs)) {
    const std::string &name = entry.first;
    const InputInfo *input =
        find_if(inputs, [&](const InputInfo &info) { return info.role == name; });
    if (input == inputs.end())
      return createStringError("the step has no input \"" + name + "\"");
    if (input->isFedBySession)
      return createStringError("input \"" + name +
                               "\" is fed by the session, not from a file");
    if (findFile(options, name) != &entry.second)
      return createStringError("input \"" + name + "\" is given two files");
  }
  return Error::success();
}

Expected<Feed> Feed::create(ArrayRef<InputInfo> inputs, int64_t samples, int64_t worldSize,
                            const FeedOptions &options) {
  if (Error error = checkFiles(inputs, options))
    return error;
  Feed feed;
  feed.worldSize = worldSize;
  SourceMaker maker(options, samples, worldSize);
  for (const InputInfo &input : inputs) {
    if (input.isFedBySession)
      continue;
    bool isMade = parseRole(input.role) != Role::Other;
    if (isMade && readsData(parseRole(input.role)) && feed.tokensPerRank == 0)
      feed.tokensPerRank = input.getNumElements();
    feed.fed.push_back({input, nullptr});
    if (findFile(options, input.role))
      continue;
    if (!isMade)
      return createStringError("input \"" + input.role + "\", a " + input.getType() +
                               ", must be given a file of records");
    if (Error error = maker.add(input))
      return error;
  }
  if (Error error = maker.finish())
    return error;
  for (FedInput &input : feed.fed) {
    const std::string *file = findFile(options, input.info.role);
    if (!file) {
      input.source = maker.make(input.info);
      continue;
    }
    auto records = RecordSource::open(*file, input.info);
    if (!records)
      return records.takeError();
    input.source = std::move(*records);
  }
  return feed;
}

} // namespace zero
