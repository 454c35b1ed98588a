//===- Feed.cpp - What each rank's inputs hold at each step ---------------===//

#include "zero/Data/Feed.h"

#include "SourceMaker.h"

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
    if (readsData(input.role) && feed.tokensPerRank == 0)
      feed.tokensPerRank = input.getNumElements();
    feed.fed.push_back({input, nullptr});
    if (findFile(options, input.role))
      continue;
    if (!isMadeByRole(input.role))
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
    auto records = RecordSource::open(*file, input.info, samples);
    if (!records)
      return records.takeError();
    input.source = std::move(*records);
  }
  return feed;
}

} // namespace zero
