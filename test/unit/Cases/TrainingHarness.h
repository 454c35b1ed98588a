//===- TrainingHarness.h - Training a small model in a test -----*- C++ -*-===//

#ifndef ZERO_TEST_UNIT_CASES_TRAININGHARNESS_H
#define ZERO_TEST_UNIT_CASES_TRAININGHARNESS_H

#include "zero/Compiler.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace zero::test {

/// What an input of f32 elements holds, by role, for a rank at a step.
using Inputs = std::map<std::string, std::vector<float>>;
using MakeInputs = std::function<Inputs(int64_t rank, int64_t step)>;

struct Training {
  int64_t worldSize = 2, stage = 0, alignBytes = 4, steps = 1;
  double learningRate = 1.0;
  uint64_t seed = 1;
  MakeInputs inputs = [](int64_t, int64_t) { return Inputs(); };
};

struct Outcome {
  CompiledStep step;
  std::map<std::string, std::vector<float>> parameters; ///< whole, after the last step
  std::vector<double> losses;                           ///< sums over ranks
  zrt_counters_t counters;                              ///< of rank 0
  uint64_t allocatedBytes;                              ///< of rank 0
};

/// Compiles and trains; a failure is reported to GoogleTest.
std::optional<Outcome> train(const std::string &model, const Training &training);

/// Lines that make %NAME, the sum of the n elements of a * b.
std::string sumOfProduct(const std::string &name, const std::string &a, const std::string &b,
                         int64_t n);

} // namespace zero::test

#endif // ZERO_TEST_UNIT_CASES_TRAININGHARNESS_H
