//===- Train.cpp - Training a compiled step on all ranks ------------------===//

#include "zero/Run/Train.h"

#include "ProgressLog.h"
#include "zero/Run/Safetensors.h"

#include "llvm/Support/Format.h"

#include <chrono>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace zero {

namespace {
/// What the threads of all ranks share. Rank 0 alone writes losses, times and lines;
/// each rank writes its own entry of the others.
struct Training {
  const CompiledStep &step;
  const std::optional<Feed> &feed;
  const RunOptions &options;
  ProgressLog log;
  raw_ostream *dump;
  TrainingRecord record;
  /// Of each rank, once it has stopped at a loss that is not finite: the input that
  /// made it so, if one did.
  std::vector<std::optional<std::string>> stops;
};
} // namespace

template <typename T> static std::optional<size_t> findNonFinite(ArrayRef<char> bytes) {
  for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    if (!std::isfinite(value))
      return i;
  }
  return std::nullopt;
}

/// Names an input of this rank that holds a value which is not finite.
static std::string findCause(const CompiledStep &step, int64_t rank, const Batch &batch) {
  for (const InputInfo &input : step.getInputs()) {
    std::optional<size_t> place;
    if (input.dtype == ZRT_DTYPE_F32)
      place = findNonFinite<float>(batch.find(input.role));
    if (input.dtype == ZRT_DTYPE_F64)
      place = findNonFinite<double>(batch.find(input.role));
    if (place)
      return ("; rank " + Twine(rank) + "'s input \"" + input.role +
              "\" is not finite at element " + Twine(*place))
          .str();
  }
  return "";
}

/// The loss is a sum over ranks, so it is not finite on all of them, and they all stop
/// after the same step without a word to each other.
static Error refuseNonFinite(const Training &training) {
  std::string cause;
  for (const std::optional<std::string> &stop : training.stops)
    if (cause.empty() && stop)
      cause = *stop;
  if (cause.empty())
    cause = "; the inputs of every rank are finite";
  size_t ranks = training.stops.size();
  double loss = training.record.losses.back();
  std::string text;
  raw_string_ostream(text) << "step " << training.record.losses.size() << ": the loss is "
                           << (std::isnan(loss) ? "nan" : loss > 0 ? "inf" : "-inf")
                           << (ranks == 1 ? "" : " on ranks 0 to " + std::to_string(ranks - 1))
                           << cause << " (--keep-going-non-finite trains on)";
  return createStringError(text);
}

/// Trains one step and, on rank 0, says so.
static Error runStep(Training &training, Session &session, int64_t rank, Batch &batch) {
  auto start = std::chrono::steady_clock::now();
  training.feed->fill(session.getStepsDone(), rank, batch);
  Expected<StepResult> result =
      session.run(batch.getInputs(), training.options.learningRate);
  if (!result)
    return result.takeError();
  double loss = result->getLoss();
  if (rank == 0) {
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    training.record.losses.push_back(loss);
    training.record.stepSeconds.push_back(seconds);
    training.log.writeStep(session.getStepsDone(), loss, training.options.learningRate, seconds);
  }
  if (!std::isfinite(loss) && !training.options.keepGoingNonFinite)
    training.stops[rank] = findCause(training.step, rank, batch);
  return Error::success();
}

static Error runSteps(Training &training, Session &session, int64_t rank) {
  if (training.options.steps == 0)
    return Error::success();
  Batch batch = training.feed->makeBatch();
  for (int64_t i = 0; i < training.options.steps && !training.stops[rank]; ++i)
    if (Error error = runStep(training, session, rank, batch))
      return error;
  return Error::success();
}

static Error runRank(Training &training, Communicator &end) {
  Expected<Session> session = Session::create(training.step, end);
  if (!session)
    return session.takeError();
  if (Error error = session->initialize(training.options.feed.seed))
    return error;
  int64_t rank = end.getRank();
  if (Error error = runSteps(training, *session, rank))
    return error;
  training.record.counters[rank] = session->getCounters();
  training.record.allocatedBytes[rank] = session->getAllocatedBytes();
  if (training.options.dumpParameters.empty() || training.stops[rank])
    return Error::success();
  return dumpParameters(training.step, *session, rank == 0 ? training.dump : nullptr);
}

/// What one step of all ranks takes in, for the rate on each line.
static Throughput findThroughput(const CompiledStep &step, const std::optional<Feed> &feed) {
  if (feed && feed->getTokensPerRank())
    return {"tokens/s", feed->getTokensPerRank() * step.getWorldSize()};
  return {"samples/s", step.getSamples() * step.getWorldSize()};
}

Expected<TrainingRecord> train(const CompiledStep &step, const std::optional<Feed> &feed,
                               const RunOptions &options, raw_ostream &log, raw_ostream *dump) {
  auto ends = Communicator::inProcess(step.getWorldSize(), options.deadlineSeconds);
  if (!ends)
    return ends.takeError();
  Training training{step, feed, options,
                    ProgressLog(log, options.steps, findThroughput(step, feed)), dump, {}, {}};
  training.record.counters.resize(step.getWorldSize());
  training.record.allocatedBytes.resize(step.getWorldSize());
  training.stops.resize(step.getWorldSize());
  Error error = forEachRank(*ends, [&](Communicator &end) { return runRank(training, end); });
  training.log.finish();
  if (error)
    return error;
  if (training.stops.front())
    return refuseNonFinite(training);
  return std::move(training.record);
}

} // namespace zero
