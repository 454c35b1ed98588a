//===- StepTables.cpp - What host programs ask for, out of the image ------===//

#include "StepState.h"

namespace zero {

static std::vector<int64_t> readShape(const CompiledStep::State &state, uint32_t begin,
                                      uint32_t rank) {
  return state.table<int64_t>(state.getImage().dims).slice(begin, rank).vec();
}

static void readInputs(CompiledStep::State &state) {
  for (const zrt_external_t &external :
       state.table<zrt_external_t>(state.getProgram().externals)) {
    if (external.kind != ZRT_EXTERNAL_INPUT)
      continue;
    InputInfo input;
    input.name = state.string(external.name);
    input.role = state.string(external.role);
    input.shape = readShape(state, external.shape_begin, external.rank);
    input.dtype = external.dtype;
    input.bytes = external.bytes;
    input.vocabulary = state.facts.vocabularies.lookup(input.role);
    if (auto it = state.facts.ignored.find(input.role); it != state.facts.ignored.end())
      input.ignored = it->second;
    input.isFedBySession =
        input.role == "learning_rate" || input.role == "step" || input.role == "random";
    state.inputs.push_back(std::move(input));
  }
}

static void readParameters(CompiledStep::State &state) {
  auto parameters = state.table<zrt_parameter_t>(state.getImage().parameters);
  auto buckets = state.table<zrt_bucket_t>(state.getImage().buckets);
  for (const zrt_parameter_t &entry : parameters) {
    ParameterInfo parameter;
    parameter.name = state.string(entry.name);
    const zrt_parameter_t &stored =
        entry.alias_of == ZRT_NONE ? entry : parameters[entry.alias_of];
    if (entry.alias_of != ZRT_NONE)
      parameter.aliasOf = state.string(stored.name);
    parameter.shape = readShape(state, stored.shape_begin, stored.rank);
    parameter.dtype = stored.dtype;
    parameter.bytes = stored.elements * dtypeBytes(stored.dtype);
    parameter.isFrozen = stored.is_frozen;
    for (const zrt_bucket_value_t &value :
         state.table<zrt_bucket_value_t>(buckets[stored.bucket].values))
      parameter.values.push_back(state.string(value.name));
    state.parameters.push_back(std::move(parameter));
  }
}

static void readMemory(CompiledStep::State &state) {
  const zrt_image_t &image = state.getImage();
  state.memory = {image.persistent_bytes, image.transient_bytes, image.lower_bound_bytes,
                  image.state_bytes[0],   image.state_bytes[1],  image.state_bytes[2],
                  image.library_workspace_bytes};
}

static void readKeptWhole(CompiledStep::State &state) {
  const zrt_image_t &image = state.getImage();
  if (image.stage < 3 || image.world_size == 1)
    return;
  for (const zrt_bucket_t &bucket : state.table<zrt_bucket_t>(image.buckets)) {
    const zrt_bucket_value_t &parameter = state.table<zrt_bucket_value_t>(bucket.values)[0];
    if (!parameter.is_cut)
      state.keptWhole.push_back({state.string(bucket.name),
                                 (image.world_size - 1) * bucket.shard_elements *
                                     dtypeBytes(parameter.dtype)});
  }
}

llvm::Error readTables(CompiledStep::State &state) {
  if (llvm::Error error = toError(zrt_module_validate(state.code.getModule())))
    return error;
  if (state.getImage().programs.count != 1)
    return llvm::createStringError("the compiled module has " +
                                   llvm::Twine(state.getImage().programs.count) +
                                   " programs; want one");
  readInputs(state);
  readParameters(state);
  readMemory(state);
  readKeptWhole(state);
  return llvm::Error::success();
}

} // namespace zero
