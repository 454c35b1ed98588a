//===- Run.cpp - All of zero-run but main ---------------------------------===//

#include "zero/Run/Run.h"

#include "zero/Run/Options.h"
#include "zero/Run/OutputFile.h"
#include "zero/Run/Report.h"
#include "zero/Run/Train.h"

#include "llvm/Support/Format.h"

#include <cstdlib>

using namespace llvm;

namespace zero {

namespace {
/// The files that a run ends with; reserved before anything long starts.
struct Outputs {
  std::optional<OutputFile> report, parameters;
};
} // namespace

static Error reserve(std::optional<OutputFile> &file, StringRef path) {
  if (path.empty())
    return Error::success();
  Expected<OutputFile> reserved = OutputFile::reserve(path);
  if (!reserved)
    return reserved.takeError();
  file.emplace(std::move(*reserved));
  return Error::success();
}

static Error finishReport(Outputs &outputs, const CompiledStep &step,
                          const RunOptions &options, const TrainingRecord *record) {
  if (!outputs.report)
    return Error::success();
  writeReport(outputs.report->getStream(), step, options, record);
  return outputs.report->commit();
}

static Expected<CompiledStep> compileModel(const RunOptions &options, raw_ostream &out) {
  Expected<Model> model = Model::parseFile(options.model);
  if (!model)
    return model.takeError();
  Expected<CompiledStep> step = compile(*model, options.compile);
  if (!step)
    return step.takeError();
  out << "compiled " << options.model << ": stage " << step->getStage() << ", "
      << step->getWorldSize() << " ranks, " << step->getUniqueKernels() << " kernels, "
      << step->getMemory().getDeviceBytes() << " bytes a rank, in "
      << format("%.2f s of passes and %.2f s of machine code\n", step->getPassSeconds(),
                step->getMachineCodeSeconds());
  out.flush();
  return step;
}

/// No feed is needed for no steps, but what is given is checked all the same.
static Expected<std::optional<Feed>> makeFeed(const CompiledStep &step,
                                              const RunOptions &options) {
  if (options.steps == 0 && options.feed.data.empty() && options.feed.inputs.empty())
    return std::nullopt;
  Expected<Feed> feed =
      Feed::create(step.getInputs(), step.getSamples(), step.getWorldSize(), options.feed);
  if (!feed)
    return feed.takeError();
  return std::optional<Feed>(std::move(*feed));
}

static Error trainModel(const CompiledStep &step, const RunOptions &options, Outputs &outputs,
                        raw_ostream &out) {
  Expected<std::optional<Feed>> feed = makeFeed(step, options);
  if (!feed)
    return feed.takeError();
  raw_ostream *dump = outputs.parameters ? &outputs.parameters->getStream() : nullptr;
  Expected<TrainingRecord> record = train(step, *feed, options, out, dump);
  if (!record)
    return record.takeError();
  if (outputs.parameters)
    if (Error error = outputs.parameters->commit())
      return error;
  if (Error error = finishReport(outputs, step, options, &*record))
    return error;
  return compareWithPlan(step, *record);
}

static Error run(const RunOptions &options, raw_ostream &out) {
  Outputs outputs;
  if (Error error = reserve(outputs.report, options.report))
    return error;
  if (Error error = reserve(outputs.parameters, options.dumpParameters))
    return error;
  Expected<CompiledStep> step = compileModel(options, out);
  if (!step)
    return step.takeError();
  if (options.compileOnly)
    return finishReport(outputs, *step, options, nullptr);
  return trainModel(*step, options, outputs, out);
}

int runZero(ArrayRef<StringRef> arguments, raw_ostream &out, raw_ostream &err) {
  auto fail = [&](Error error) {
    out.flush();
    // Diagnostics of a model start with the place, as those of every compiler.
    err << (error.isA<ModelError>() ? "" : "zero-run: ") << toString(std::move(error)) << '\n';
    return EXIT_FAILURE;
  };
  Expected<RunOptions> options = parseRunOptions(arguments);
  if (!options)
    return fail(options.takeError());
  if (options->help) {
    out << describeRunOptions();
    return EXIT_SUCCESS;
  }
  if (Error error = run(*options, out))
    return fail(std::move(error));
  return EXIT_SUCCESS;
}

} // namespace zero
