//===- TrainingHarness.cpp - Training a small model in a test -------------===//

#include "TrainingHarness.h"

#include <gtest/gtest.h>

#include <cstring>
#include <mutex>

namespace zero::test {

static llvm::Error runRank(const CompiledStep &compiled, const Training &training,
                           Communicator &end, Outcome &outcome, std::mutex &mutex) {
  auto session = Session::create(compiled, end);
  if (!session)
    return session.takeError();
  if (llvm::Error error = session->initialize(training.seed))
    return error;
  std::vector<double> losses;
  for (int64_t step = 0; step < training.steps; ++step) {
    Inputs inputs = training.inputs(end.getRank(), step);
    std::vector<InputBuffer> buffers;
    for (auto &[role, values] : inputs)
      buffers.emplace_back(role, values);
    auto result = session->run(buffers, training.learningRate);
    if (!result)
      return result.takeError();
    losses.push_back(result->lossSum);
  }
  for (const ParameterInfo &parameter : compiled.getParameters()) {
    auto bytes = session->readParameter(parameter.name);
    if (!bytes)
      return bytes.takeError();
    std::vector<float> values(bytes->size() / sizeof(float));
    std::memcpy(values.data(), bytes->data(), bytes->size());
    std::lock_guard<std::mutex> lock(mutex);
    auto [it, isNew] = outcome.parameters.insert({parameter.name, values});
    EXPECT_TRUE(isNew || it->second == values) << parameter.name << " differs between ranks";
  }
  if (end.getRank() == 0) {
    outcome.losses = losses;
    outcome.counters = session->getCounters();
    outcome.allocatedBytes = session->getAllocatedBytes();
  }
  return llvm::Error::success();
}

std::optional<Outcome> train(const std::string &model, const Training &training) {
  auto fail = [](llvm::Error error) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return std::nullopt;
  };
  auto parsed = Model::parseText(model, "case");
  if (!parsed)
    return fail(parsed.takeError());
  CompileOptions options;
  options.stage = training.stage;
  options.worldSize = training.worldSize;
  options.alignBytes = training.alignBytes;
  auto compiled = zero::compile(*parsed, options);
  if (!compiled)
    return fail(compiled.takeError());
  auto ends = Communicator::inProcess(training.worldSize, 60);
  if (!ends)
    return fail(ends.takeError());
  Outcome outcome{*compiled, {}, {}, {}, 0};
  std::mutex mutex;
  if (llvm::Error error = forEachRank(*ends, [&](Communicator &end) {
        return runRank(*compiled, training, end, outcome, mutex);
      }))
    return fail(std::move(error));
  return outcome;
}

std::string sumOfProduct(const std::string &name, const std::string &a, const std::string &b,
                         int64_t n) {
  std::string type = "tensor<" + std::to_string(n) + "xf32>";
  return "%" + name + "_p = arith.mulf " + a + ", " + b + " : " + type + "\n%" + name +
         "_v = arith.constant 0.0 : f32\n%" + name + "_e = tensor.empty() : tensor<f32>\n%" + name +
         "_z = linalg.fill ins(%" + name + "_v : f32) outs(%" + name +
         "_e : tensor<f32>) -> tensor<f32>\n%" + name + " = linalg.reduce { arith.addf } ins(%" +
         name + "_p : " + type + ") outs(%" + name + "_z : tensor<f32>) dimensions = [0]\n";
}

} // namespace zero::test
