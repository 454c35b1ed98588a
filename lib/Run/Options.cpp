//===- Options.cpp - The command line of zero-run -------------------------===//

#include "zero/Run/Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace zero {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Error refuse(StringRef value, const Twine &want) {
  return createStringError("\"" + value + "\"; want " + want);
}

static Error setInteger(int64_t &out, StringRef value, int64_t least, int64_t most,
                        StringRef want) {
  int64_t number;
  if (value.getAsInteger(10, number) || number < least || number > most)
    return refuse(value, want);
  out = number;
  return Error::success();
}

static Error setPositive(double &out, StringRef value, StringRef want, bool zeroToo = false) {
  double number;
  if (value.getAsDouble(number) || !std::isfinite(number) ||
      !(number > 0 || (zeroToo && number == 0)))
    return refuse(value, want);
  out = number;
  return Error::success();
}

static Error setPath(std::string &out, StringRef value, StringRef want) {
  if (value.empty())
    return refuse(value, want);
  out = value.str();
  return Error::success();
}

static Error setSeed(uint64_t &out, StringRef value) {
  if (value.getAsInteger(10, out))
    return refuse(value, "an integer from 0 to 2^64 - 1");
  return Error::success();
}

static Error setAlignment(int64_t &out, StringRef value) {
  constexpr StringLiteral want("a power of two up to 2^30");
  if (Error error = setInteger(out, value, 1, int64_t(1) << 30, want))
    return error;
  return isPowerOf2_64(out) ? Error::success() : refuse(value, want);
}

static Error addInput(FeedOptions &feed, StringRef value) {
  auto [name, path] = value.split('=');
  if (name.empty() || path.empty())
    return refuse(value, "NAME=FILE");
  feed.inputs.emplace_back(name.str(), path.str());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
struct Option {
  StringLiteral name;
  StringLiteral value; ///< what stands for the value in --help; empty: a flag
  StringLiteral help;
  Error (*set)(RunOptions &, StringRef);
  bool isRepeatable = false;
};
} // namespace

static Error setFlag(bool &flag) {
  flag = true;
  return Error::success();
}

static const Option kOptions[] = {
    {"ranks", "N", "ranks W, threads of this process (1)",
     [](RunOptions &o, StringRef v) {
       return setInteger(o.compile.worldSize, v, 1, 65536, "a number of ranks from 1 to 65536");
     }},
    {"stage", "N", "ZeRO stage, 0 to 3 (0)",
     [](RunOptions &o, StringRef v) {
       return setInteger(o.compile.stage, v, 0, 3, "a stage: 0, 1, 2 or 3");
     }},
    {"steps", "N", "steps to train (100)",
     [](RunOptions &o, StringRef v) {
       return setInteger(o.steps, v, 0, INT64_MAX, "a number of steps, 0 or more");
     }},
    {"data", "FILE", "training tokens: .bin as 16-bit little-endian words, else bytes",
     [](RunOptions &o, StringRef v) { return setPath(o.feed.data, v, "a file"); }},
    {"input", "NAME=FILE", "records of a step input, in its own shape and type, by step and rank",
     [](RunOptions &o, StringRef v) { return addInput(o.feed, v); }, true},
    {"lr", "X", "learning rate (0.001)",
     [](RunOptions &o, StringRef v) {
       return setPositive(o.learningRate, v, "a learning rate, 0 or more", true);
     }},
    {"seed", "N", "of initial values, order of samples, masking and dropout (0)",
     [](RunOptions &o, StringRef v) { return setSeed(o.feed.seed, v); }},
    {"mask-token", "N", "the token that hides a masked one (the last of the vocabulary)",
     [](RunOptions &o, StringRef v) {
       return setInteger(o.feed.maskToken.emplace(0), v, 0, INT32_MAX, "a token, 0 or more");
     }},
    {"threads-per-rank", "N", "threads of a rank (1)",
     [](RunOptions &o, StringRef v) {
       return setInteger(o.compile.threadsPerRank, v, 1, 65536,
                         "a number of threads from 1 to 65536");
     }},
    {"align-bytes", "N", "multiple of bytes at which parameters start in buckets (64)",
     [](RunOptions &o, StringRef v) { return setAlignment(o.compile.alignBytes, v); }},
    {"report", "FILE", "write what was planned and measured, as JSON",
     [](RunOptions &o, StringRef v) { return setPath(o.report, v, "a file"); }},
    {"dump-parameters", "FILE", "write the final parameters, as safetensors",
     [](RunOptions &o, StringRef v) { return setPath(o.dumpParameters, v, "a file"); }},
    {"compile-only", "", "compile and report, without data and training",
     [](RunOptions &o, StringRef) { return setFlag(o.compileOnly); }},
    {"dump-phases", "DIR", "write the module after each phase of the compilation",
     [](RunOptions &o, StringRef v) { return setPath(o.compile.dumpPhases, v, "a directory"); }},
    {"deadline-seconds", "X", "longest wait for another rank (300)",
     [](RunOptions &o, StringRef v) {
       return setPositive(o.deadlineSeconds, v, "a positive number of seconds");
     }},
    {"keep-going-non-finite", "", "train on after a loss that is not finite",
     [](RunOptions &o, StringRef) { return setFlag(o.keepGoingNonFinite); }},
    {"help", "", "say this",
     [](RunOptions &o, StringRef) { return setFlag(o.help); }},
};

static const Option *findOption(StringRef name) {
  const Option *found = find_if(kOptions, [&](const Option &o) { return o.name == name; });
  return found == std::end(kOptions) ? nullptr : found;
}

static Error refuseUnknown(StringRef name) {
  const Option *nearest = std::min_element(
      std::begin(kOptions), std::end(kOptions), [&](const Option &a, const Option &b) {
        return name.edit_distance(a.name) < name.edit_distance(b.name);
      });
  std::string hint;
  if (name.edit_distance(nearest->name) <= 2)
    hint = "; did you mean --" + nearest->name.str() + "?";
  return createStringError("unknown option --" + name + hint);
}

/// `argument` is an option without its dashes.
static Error parseOption(RunOptions &options, StringRef argument, StringSet<> &seen) {
  auto [name, value] = argument.split('=');
  const Option *option = findOption(name);
  if (!option)
    return refuseUnknown(name);
  bool hasValue = argument.contains('=');
  if (option->value.empty() && hasValue)
    return createStringError("--" + name + " takes no value");
  if (!option->value.empty() && !hasValue)
    return createStringError("--" + name + " needs a value: --" + name + "=" + option->value);
  if (!seen.insert(name).second && !option->isRepeatable)
    return createStringError("--" + name + " is given twice");
  if (Error error = option->set(options, value))
    return createStringError("--" + name + " is " + toString(std::move(error)));
  return Error::success();
}

static Error checkTogether(const RunOptions &options) {
  if (options.model.empty())
    return createStringError("no model is given; want zero-run MODEL.mlir [options]");
  if (options.compileOnly && !options.dumpParameters.empty())
    return createStringError("--compile-only makes no parameters for --dump-parameters");
  return Error::success();
}

Expected<RunOptions> parseRunOptions(ArrayRef<StringRef> arguments) {
  RunOptions options;
  StringSet<> seen;
  for (StringRef argument : arguments) {
    if (argument.consume_front("--")) {
      if (Error error = parseOption(options, argument, seen))
        return error;
      continue;
    }
    if (argument.starts_with("-") && argument.size() > 1)
      return createStringError("unknown option " + argument + "; options start with --");
    if (!options.model.empty())
      return createStringError("two models are given: " + options.model + " and " + argument);
    options.model = argument.str();
  }
  if (options.help)
    return options;
  if (Error error = checkTogether(options))
    return error;
  return options;
}

std::string describeRunOptions() {
  std::string text;
  raw_string_ostream os(text);
  os << "Compiles a model and trains it on ranks that are threads of this process.\n\n"
        "zero-run MODEL.mlir [options]\n\n";
  for (const Option &option : kOptions) {
    std::string left = "--" + option.name.str();
    if (!option.value.empty())
      left += "=" + option.value.str();
    os << "  " << left_justify(left, 26) << option.help << "\n";
  }
  return text;
}

} // namespace zero
