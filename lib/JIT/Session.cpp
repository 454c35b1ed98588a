//===- Session.cpp - The training of one rank -----------------------------===//

#include "StepState.h"

#include "llvm/ADT/APFloat.h"

#include <cstring>

using namespace llvm;

namespace zero {

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

Expected<Session> Session::create(const CompiledStep &step, Communicator &end) {
  if (end.getWorldSize() != step.getWorldSize())
    return createStringError("the step is compiled for a world size of " +
                             Twine(step.getWorldSize()) + "; the communicator has " +
                             Twine(end.getWorldSize()) + " ranks");
  zrt_rank_config_t config{};
  config.struct_size = sizeof config;
  config.threads = step.getThreadsPerRank();
  zrt_rank_t *handle = nullptr;
  if (Error error = toError(zrt_rank_create(step.getState().code.getModule(),
                                            end.getHandle(), &config, &handle)))
    return error;
  return Session(step, handle, end.getRank());
}

void Session::Destroy::operator()(zrt_rank_t *rank) const { zrt_rank_destroy(rank); }

Error Session::initialize(uint64_t newSeed) {
  seed = newSeed;
  stepsDone = 0;
  return toError(zrt_rank_initialize(handle.get(), seed));
}

static void *hostPointer(ArrayRef<char> bytes) { return const_cast<char *>(bytes.data()); }

/// The buffer given for `input`, checked.
static Expected<void *> findBuffer(const InputInfo &input, ArrayRef<InputBuffer> buffers) {
  for (const InputBuffer &buffer : buffers) {
    if (buffer.name != input.role)
      continue;
    if (buffer.bytes.size() != input.bytes)
      return createStringError("input \"" + input.role + "\" is given " +
                               Twine(buffer.bytes.size()) + " bytes; " + input.getType() +
                               " has " + Twine(input.bytes));
    return hostPointer(buffer.bytes);
  }
  return createStringError("input \"" + input.role + "\", a " + input.getType() +
                           ", is not given");
}

/// Every buffer must be for an input that the caller feeds.
static Error checkNames(ArrayRef<InputInfo> inputs, ArrayRef<InputBuffer> buffers) {
  for (const InputBuffer &buffer : buffers) {
    const InputInfo *input =
        find_if(inputs, [&](const InputInfo &info) { return info.role == buffer.name; });
    if (input == inputs.end())
      return createStringError("the step has no input \"" + buffer.name + "\"");
    if (input->isFedBySession)
      return createStringError("input \"" + buffer.name + "\" is fed by the session");
  }
  return Error::success();
}

namespace {
/// The host buffers of one run: what the session feeds itself, and the loss.
struct StepBuffers {
  double learningRate, step;
  int64_t random[4];
  double loss = 0, weight = 0; ///< bits of any float type

  void *findFed(StringRef role) {
    if (role == "learning_rate")
      return &learningRate;
    return role == "step" ? static_cast<void *>(&step) : random;
  }
};
} // namespace

static double toDouble(const double &bits, uint32_t dtype) {
  if (dtype == ZRT_DTYPE_F64)
    return bits;
  if (dtype == ZRT_DTYPE_F32) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  uint16_t half;
  memcpy(&half, &bits, sizeof half);
  const fltSemantics &semantics =
      dtype == ZRT_DTYPE_BF16 ? APFloat::BFloat() : APFloat::IEEEhalf();
  return APFloat(semantics, APInt(16, half)).convertToDouble();
}

/// One pointer per external of the program, in order.
static Expected<std::vector<void *>> bindExternals(const CompiledStep::State &state,
                                                   ArrayRef<InputBuffer> buffers,
                                                   StepBuffers &own) {
  std::vector<void *> externals;
  ArrayRef<InputInfo> inputs = state.inputs;
  for (const zrt_external_t &external :
       state.table<zrt_external_t>(state.getProgram().externals)) {
    StringRef role = state.string(external.role);
    if (external.kind == ZRT_EXTERNAL_OUTPUT) {
      externals.push_back(role == "loss" ? &own.loss : &own.weight);
      continue;
    }
    const InputInfo &input = inputs.consume_front();
    if (input.isFedBySession) {
      externals.push_back(own.findFed(role));
      continue;
    }
    Expected<void *> buffer = findBuffer(input, buffers);
    if (!buffer)
      return buffer.takeError();
    externals.push_back(*buffer);
  }
  return externals;
}

Expected<StepResult> Session::run(ArrayRef<InputBuffer> inputs, double learningRate) {
  const CompiledStep::State &state = step.getState();
  if (Error error = checkNames(state.inputs, inputs))
    return error;
  int64_t firstSample =
      (static_cast<int64_t>(stepsDone) * step.getWorldSize() + rank) * step.getSamples();
  StepBuffers own{learningRate, static_cast<double>(stepsDone + 1),
                  {static_cast<int64_t>(seed), static_cast<int64_t>(stepsDone), 0, firstSample}};
  Expected<std::vector<void *>> externals = bindExternals(state, inputs, own);
  if (!externals)
    return externals.takeError();
  if (Error error = toError(zrt_rank_run(handle.get(), 0, externals->data())))
    return error;
  ++stepsDone;
  return StepResult{toDouble(own.loss, step.getPrecision()),
                    toDouble(own.weight, step.getPrecision())};
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

namespace {
/// Where the runtime finds a value of a parameter.
struct ValueIndex {
  uint32_t parameter, value;
  uint64_t bytes;
};
} // namespace

static Expected<ValueIndex> findValue(const CompiledStep &step, StringRef name,
                                      StringRef value) {
  ArrayRef<ParameterInfo> parameters = step.getParameters();
  const ParameterInfo *parameter =
      find_if(parameters, [&](const ParameterInfo &info) { return info.name == name; });
  if (parameter == parameters.end())
    return createStringError("the model has no parameter \"" + name + "\"");
  auto found = find(parameter->values, value);
  if (found == parameter->values.end())
    return createStringError("parameter \"" + name + "\" has no value \"" + value + "\"");
  return ValueIndex{static_cast<uint32_t>(parameter - parameters.begin()),
                    static_cast<uint32_t>(found - parameter->values.begin()),
                    parameter->bytes};
}

Expected<std::vector<char>> Session::readParameter(StringRef name, StringRef value) {
  Expected<ValueIndex> index = findValue(step, name, value);
  if (!index)
    return index.takeError();
  std::vector<char> bytes(index->bytes);
  if (Error error = toError(zrt_rank_read_parameter(handle.get(), index->parameter,
                                                    index->value, bytes.data(),
                                                    bytes.size())))
    return error;
  return bytes;
}

Error Session::writeParameter(StringRef name, ArrayRef<char> bytes, StringRef value) {
  Expected<ValueIndex> index = findValue(step, name, value);
  if (!index)
    return index.takeError();
  if (bytes.size() != index->bytes)
    return createStringError("parameter \"" + name + "\" is given " + Twine(bytes.size()) +
                             " bytes; it has " + Twine(index->bytes));
  return toError(zrt_rank_write_parameter(handle.get(), index->parameter, index->value,
                                          bytes.data(), bytes.size()));
}

zrt_counters_t Session::getCounters() const {
  zrt_counters_t counters{};
  zrt_rank_counters(handle.get(), &counters);
  return counters;
}

uint64_t Session::getAllocatedBytes() const { return zrt_rank_allocated_bytes(handle.get()); }

} // namespace zero
