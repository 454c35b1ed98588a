//===- SessionTest.cpp - The door for host programs -----------------------===//

#include "zero/Compiler.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace zero;

/// loss = sum((w * x - y)^2), so dw = 2 (w x - y) x.
static constexpr llvm::StringLiteral kModel = R"mlir(
  zero.parameter @w : tensor<3xf32> {init = #zero.ones}
  zero.step @train(%x: tensor<3xf32> {zero.input = "x"},
                   %y: tensor<3xf32> {zero.input = "y"}) optimizer #zero.momentum {
    %w = zero.read @w : tensor<3xf32>
    %p = arith.mulf %w, %x : tensor<3xf32>
    %d = arith.subf %p, %y : tensor<3xf32>
    %s = arith.mulf %d, %d : tensor<3xf32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %loss = linalg.reduce {arith.addf} ins(%s : tensor<3xf32>) outs(%zero : tensor<f32>)
        dimensions = [0]
    zero.yield %loss : tensor<f32>
  })mlir";

static std::vector<float> toFloats(llvm::ArrayRef<char> bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

static llvm::ArrayRef<char> toBytes(const std::vector<float> &floats) {
  return {reinterpret_cast<const char *>(floats.data()), floats.size() * sizeof(float)};
}

namespace {
class SessionTest : public testing::TestWithParam<int64_t> {
protected:
  void compileFor(int64_t worldSize, int64_t stage) {
    llvm::Expected<Model> model = Model::parseText(kModel);
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    CompileOptions options;
    options.worldSize = worldSize;
    options.stage = stage;
    llvm::Expected<CompiledStep> compiled = compile(*model, options);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    step.emplace(*compiled);
  }

  /// The message of `body`'s failure on a session of each rank; empty: it succeeds.
  std::string run(llvm::function_ref<llvm::Error(Session &, int64_t)> body) {
    auto ends = Communicator::inProcess(step->getWorldSize(), /*deadlineSeconds=*/20);
    if (!ends)
      return llvm::toString(ends.takeError());
    llvm::Error error = forEachRank(*ends, [&](Communicator &end) -> llvm::Error {
      llvm::Expected<Session> session = Session::create(*step, end);
      if (!session)
        return session.takeError();
      if (llvm::Error error = session->initialize(0))
        return error;
      return body(*session, end.getRank());
    });
    return llvm::toString(std::move(error));
  }

  std::optional<CompiledStep> step;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(stages, SessionTest, testing::Values(0, 1, 2, 3));

TEST_P(SessionTest, trainsByTheMeanGradientOverRanks) {
  compileFor(2, GetParam());
  std::vector<float> results[2];
  EXPECT_EQ(run([&](Session &session, int64_t rank) -> llvm::Error {
              std::vector<float> x{1, 2, 3}, y(3, static_cast<float>(rank));
              auto result = session.run({{"x", x}, {"y", y}}, 0.5);
              if (!result)
                return result.takeError();
              // Rank 0: 1 + 4 + 9; rank 1: 0 + 1 + 4.
              EXPECT_EQ(result->lossSum, 19);
              EXPECT_EQ(result->weight, 2);
              EXPECT_EQ(result->getLoss(), 9.5);
              auto bytes = session.readParameter("w");
              if (!bytes)
                return bytes.takeError();
              results[rank] = toFloats(*bytes);
              return llvm::Error::success();
            }),
            "");
  // The mean of 2, 8, 18 and of 0, 4, 12, times the learning rate.
  EXPECT_EQ(results[0], (std::vector<float>{0.5f, -2, -6.5f}));
  EXPECT_EQ(results[1], results[0]);
}

TEST_P(SessionTest, writtenParametersAndStatesAreReadBack) {
  compileFor(2, GetParam());
  EXPECT_EQ(run([&](Session &session, int64_t) -> llvm::Error {
              std::vector<float> values{7, 8, 9};
              for (llvm::StringRef value : step->getParameters().front().values) {
                if (llvm::Error error = session.writeParameter("w", toBytes(values), value))
                  return error;
                auto bytes = session.readParameter("w", value);
                if (!bytes)
                  return bytes.takeError();
                EXPECT_EQ(toFloats(*bytes), values);
              }
              return llvm::Error::success();
            }),
            "");
}

TEST_P(SessionTest, countsWhatWasPredicted) {
  compileFor(2, GetParam());
  EXPECT_EQ(run([&](Session &session, int64_t) -> llvm::Error {
              std::vector<float> x(3), y(3);
              auto result = session.run({{"x", x}, {"y", y}}, 0.5);
              if (!result)
                return result.takeError();
              zrt_counters_t counters = session.getCounters();
              EXPECT_EQ(std::memcmp(&counters, &step->getPredicted(), sizeof counters), 0);
              EXPECT_EQ(session.getAllocatedBytes(), step->getMemory().getDeviceBytes());
              return llvm::Error::success();
            }),
            "");
}

TEST_F(SessionTest, refusesInputsThatDoNotFit) {
  compileFor(1, 0);
  std::vector<float> three(3), four(4);
  auto refuse = [&](llvm::ArrayRef<InputBuffer> inputs) {
    return run([&](Session &session, int64_t) {
      return session.run(inputs, 0.1).takeError();
    });
  };
  EXPECT_EQ(refuse({{"x", three}}), "input \"y\", a tensor<3xf32>, is not given");
  EXPECT_EQ(refuse({{"x", three}, {"y", four}}),
            "input \"y\" is given 16 bytes; tensor<3xf32> has 12");
  EXPECT_EQ(refuse({{"x", three}, {"y", three}, {"z", three}}), "the step has no input \"z\"");
  EXPECT_EQ(refuse({{"x", three}, {"y", three}, {"step", three}}),
            "input \"step\" is fed by the session");
}

TEST_F(SessionTest, refusesParametersThatAreNotThere) {
  compileFor(1, 0);
  EXPECT_EQ(run([&](Session &session, int64_t) {
              return session.readParameter("v").takeError();
            }),
            "the model has no parameter \"v\"");
  EXPECT_EQ(run([&](Session &session, int64_t) {
              return session.readParameter("w", "v").takeError();
            }),
            "parameter \"w\" has no value \"v\"");
}

TEST_F(SessionTest, theRankThatFailedIsTheCause) {
  compileFor(2, 3);
  std::string message = run([&](Session &session, int64_t rank) -> llvm::Error {
    if (rank == 1)
      return llvm::createStringError("rank 1 lost its data");
    std::vector<float> x(3), y(3);
    return session.run({{"x", x}, {"y", y}}, 0.1).takeError();
  });
  EXPECT_EQ(message, "rank 1 lost its data");
}

TEST_F(SessionTest, aCommunicatorOfAnotherSizeIsRefused) {
  compileFor(2, 0);
  auto one = Communicator::inProcess(1);
  ASSERT_TRUE(bool(one));
  llvm::Expected<Session> session = Session::create(*step, one->front());
  ASSERT_FALSE(bool(session));
  EXPECT_EQ(llvm::toString(session.takeError()),
            "the step is compiled for a world size of 2; the communicator has 1 ranks");
}

TEST_F(SessionTest, aHundredStepsAllocateNothing) {
  compileFor(1, 0);
  EXPECT_EQ(run([&](Session &session, int64_t) -> llvm::Error {
              std::vector<float> x(3), y(3);
              uint64_t before = session.getAllocatedBytes();
              for (int i = 0; i < 100; ++i)
                if (auto result = session.run({{"x", x}, {"y", y}}, 0.1); !result)
                  return result.takeError();
              EXPECT_EQ(session.getAllocatedBytes(), before);
              EXPECT_EQ(session.getStepsDone(), 100u);
              return llvm::Error::success();
            }),
            "");
}

TEST(CompileTest, refusesOptionsByName) {
  llvm::Expected<Model> model = Model::parseText(kModel);
  ASSERT_TRUE(bool(model));
  auto refuse = [&](CompileOptions options) {
    return llvm::toString(compile(*model, options).takeError());
  };
  EXPECT_EQ(refuse({.stage = 4}), "stage is 4; want 0, 1, 2 or 3");
  EXPECT_EQ(refuse({.worldSize = 0}), "world-size is 0; want 1 to 65536 ranks");
  EXPECT_EQ(refuse({.worldSize = -1}), "world-size is -1; want 1 to 65536 ranks");
  EXPECT_EQ(refuse({.threadsPerRank = 0}), "threads-per-rank is 0; want 1 to 65536 threads");
  EXPECT_EQ(refuse({.alignBytes = 48}),
            "align-bytes is 48; want a power of two up to 2^30");
}

TEST(CompileTest, isAFunctionOfModelAndOptions) {
  llvm::Expected<Model> model = Model::parseText(kModel);
  ASSERT_TRUE(bool(model));
  auto fingerprint = [&](CompileOptions options) {
    llvm::Expected<CompiledStep> step = compile(*model, options);
    EXPECT_TRUE(bool(step));
    return step ? step->getFingerprint() : llvm::toString(step.takeError());
  };
  EXPECT_EQ(fingerprint({.worldSize = 2}), fingerprint({.worldSize = 2}));
  EXPECT_NE(fingerprint({.stage = 3, .worldSize = 2}), fingerprint({.worldSize = 2}));
}
