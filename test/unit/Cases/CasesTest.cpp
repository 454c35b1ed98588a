//===- CasesTest.cpp - Known faults of sharded training, as small inputs --===//
//
// Each case is a fault that users of such systems have reported, with its right answer.
// In most the loss of a rank is Σ c · p, so that the gradient is exactly the mean of c
// over ranks; parameters start at 0, and plain SGD subtracts lr times that. Small
// integers are exact in f32, so values are compared bit for bit.
//
//===----------------------------------------------------------------------===//

#include "TrainingHarness.h"

#include <gtest/gtest.h>

#include <cmath>

#include <numeric>

using namespace zero;
using namespace zero::test;

namespace {

std::string vectorType(int64_t n) { return "tensor<" + std::to_string(n) + "xf32>"; }

/// Parameters p0, p1, ... of the given sizes, one bucket (or one bucket each, with a
/// block boundary between), and one input c with an element per parameter element.
std::string linearModel(const std::vector<int64_t> &sizes, bool oneBucketEach = false) {
  int64_t total = std::accumulate(sizes.begin(), sizes.end(), int64_t(0)), begin = 0;
  std::string head, body, sum;
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::string n = std::to_string(i), type = vectorType(sizes[i]);
    head += "zero.parameter @p" + n + " : " + type + " {init = #zero.zeros}\n";
    body += "%p" + n + " = zero.read @p" + n + " : " + type + "\n%c" + n +
            " = tensor.extract_slice %c[" + std::to_string(begin) + "] [" +
            std::to_string(sizes[i]) + "] [1] : " + vectorType(total) + " to " + type + "\n";
    body += sumOfProduct("s" + n, "%p" + n, "%c" + n, sizes[i]);
    if (sum.empty())
      body += "%t0 = arith.addf %s0, %s0_z : tensor<f32>\n";
    else
      body += "%t" + n + " = arith.addf " + sum + ", %s" + n + " : tensor<f32>\n";
    sum = "%t" + n;
    if (oneBucketEach) {
      body += "%b" + n + " = zero.block_boundary " + sum + " : tensor<f32>\n";
      sum = "%b" + n;
    }
    begin += sizes[i];
  }
  return head + "zero.step @s(%c: " + vectorType(total) +
         " {zero.input = \"c\"}) optimizer #zero.sgd {\n" + body + "zero.yield " + sum +
         " : tensor<f32>\n}\n";
}

std::vector<float> iota(int64_t n, float start = 0) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), start);
  return values;
}

/// Every stage at every world size given.
void forEachStage(std::initializer_list<int64_t> worldSizes,
                  std::function<void(int64_t worldSize, int64_t stage)> body) {
  for (int64_t worldSize : worldSizes)
    for (int64_t stage = 0; stage <= 3; ++stage) {
      SCOPED_TRACE("W = " + std::to_string(worldSize) + ", stage " + std::to_string(stage));
      body(worldSize, stage);
    }
}

/// One padding rule: 57 elements on 2, 3 and 4 ranks.
TEST(Cases, A1_onePaddingRule) {
  const std::map<int64_t, uint64_t> shards{{2, 29}, {3, 19}, {4, 15}};
  forEachStage({2, 3, 4}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(linearModel({20, 20, 17}),
                         {worldSize, stage, 4, 1, 1.0, 1,
                          [](int64_t, int64_t) { return Inputs{{"c", iota(57)}}; }});
    ASSERT_TRUE(outcome);
    int64_t index = 0;
    for (auto &[name, size] : {std::pair("p0", 20), std::pair("p1", 20), std::pair("p2", 17)}) {
      ASSERT_EQ(outcome->parameters[name].size(), size_t(size));
      for (float value : outcome->parameters[name])
        EXPECT_EQ(value, -float(index++));
    }
    // So small a bucket is kept whole at stage 3, which the step says.
    uint64_t shard = shards.at(worldSize);
    auto &whole = outcome->step.getKeptWhole();
    EXPECT_EQ(outcome->step.getMemory().parameterBytes,
              4 * (stage == 3 && whole.empty() ? shard : shard * worldSize));
    for (const WholeBucket &bucket : whole)
      EXPECT_EQ(bucket.bytes, 4 * shard * (worldSize - 1));
    EXPECT_EQ(outcome->losses[0], 0);
  });
}

/// A scalar parameter is cut like any other.
TEST(Cases, A3_scalarParameter) {
  std::string model = "zero.parameter @s : tensor<f32> {init = #zero.zeros}\n"
                      "zero.parameter @w : tensor<3xf32> {init = #zero.zeros}\n"
                      "zero.step @step() optimizer #zero.sgd {\n"
                      "%s = zero.read @s : tensor<f32>\n%w = zero.read @w : tensor<3xf32>\n"
                      "%two = arith.constant dense<2.0> : tensor<f32>\n"
                      "%one = arith.constant dense<1.0> : tensor<3xf32>\n"
                      "%a = arith.mulf %s, %two : tensor<f32>\n" +
                      sumOfProduct("b", "%w", "%one", 3) +
                      "%loss = arith.addf %a, %b : tensor<f32>\n"
                      "zero.yield %loss : tensor<f32>\n}\n";
  forEachStage({2}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage, 4, 1, 0.1});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->parameters["s"], std::vector<float>{-0.2f});
    EXPECT_EQ(outcome->parameters["w"], std::vector<float>(3, -0.1f));
    EXPECT_TRUE(outcome->step.getParameters()[0].shape.empty());
  });
}

/// Each bucket is padded to a multiple of W by itself.
TEST(Cases, A6_eachBucketDividesByTheRanks) {
  MakeInputs inputs = [](int64_t, int64_t) { return Inputs{{"c", iota(18, 1)}}; };
  auto single = train(linearModel({5, 6, 7}), {4, 2, 4, 1, 1.0, 1, inputs});
  auto several = train(linearModel({5, 6, 7}, true), {4, 2, 4, 1, 1.0, 1, inputs});
  ASSERT_TRUE(single && several);
  EXPECT_EQ(single->parameters, several->parameters);
  EXPECT_EQ(single->parameters["p2"], (std::vector<float>{-12, -13, -14, -15, -16, -17, -18}));
  // 20 elements in one bucket, three buckets of 8: a rank sends S (W - 1) of each.
  EXPECT_EQ(single->counters.collective_count[ZRT_COLLECTIVE_REDUCE_SCATTER], 1u);
  EXPECT_EQ(single->counters.collective_bytes_sent[ZRT_COLLECTIVE_REDUCE_SCATTER], 5u * 3 * 4);
  EXPECT_EQ(several->counters.collective_count[ZRT_COLLECTIVE_REDUCE_SCATTER], 3u);
  EXPECT_EQ(several->counters.collective_bytes_sent[ZRT_COLLECTIVE_REDUCE_SCATTER],
            3u * 2 * 3 * 4);
}

/// A parameter that is used twice is reduced once, after both uses have added up.
TEST(Cases, B1_twoUsesOneReduction) {
  std::string model = "zero.parameter @w : tensor<4xf32> {init = #zero.zeros}\n"
                      "zero.step @s(%c: tensor<4xf32> {zero.input = \"c\"}, "
                      "%d: tensor<4xf32> {zero.input = \"d\"}) optimizer #zero.sgd {\n"
                      "%w = zero.read @w : tensor<4xf32>\n" +
                      sumOfProduct("a", "%w", "%c", 4) + sumOfProduct("b", "%w", "%d", 4) +
                      "%loss = arith.addf %a, %b : tensor<f32>\n"
                      "zero.yield %loss : tensor<f32>\n}\n";
  forEachStage({2}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage, 4, 1, 1.0, 1, [](int64_t rank, int64_t) {
                                   return Inputs{{"c", std::vector<float>(4, rank ? 3 : 1)},
                                                 {"d", std::vector<float>(4, rank ? 4 : 2)}};
                                 }});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->parameters["w"], std::vector<float>(4, -5));
    EXPECT_EQ(outcome->counters.collective_count[ZRT_COLLECTIVE_REDUCE_SCATTER] +
                  outcome->counters.collective_count[ZRT_COLLECTIVE_ALL_REDUCE],
              1u);
  });
}

/// A parameter that no rank uses this step: the same collectives, a gradient of zero.
TEST(Cases, B3_unusedThisStep) {
  std::string model = "zero.parameter @a : tensor<4xf32> {init = #zero.zeros}\n"
                      "zero.parameter @b : tensor<4xf32> {init = #zero.zeros}\n"
                      "zero.step @s(%z: tensor<4xf32> {zero.input = \"z\"}) optimizer #zero.sgd {\n"
                      "%a = zero.read @a : tensor<4xf32>\n%b = zero.read @b : tensor<4xf32>\n"
                      "%one = arith.constant dense<1.0> : tensor<4xf32>\n" +
                      sumOfProduct("x", "%a", "%one", 4) + sumOfProduct("y", "%b", "%z", 4) +
                      "%loss = arith.addf %x, %y : tensor<f32>\n"
                      "zero.yield %loss : tensor<f32>\n}\n";
  MakeInputs inputs = [](int64_t, int64_t step) {
    return Inputs{{"z", std::vector<float>(4, float(step))}};
  };
  forEachStage({2}, [&](int64_t worldSize, int64_t stage) {
    auto one = train(model, {worldSize, stage, 4, 1, 1.0, 1, inputs});
    auto two = train(model, {worldSize, stage, 4, 2, 1.0, 1, inputs});
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->parameters["a"], std::vector<float>(4, -1));
    EXPECT_EQ(one->parameters["b"], std::vector<float>(4, 0));
    EXPECT_EQ(two->parameters["a"], std::vector<float>(4, -2));
    EXPECT_EQ(two->parameters["b"], std::vector<float>(4, -1));
    for (unsigned kind = 0; kind < ZRT_COLLECTIVE_KINDS; ++kind)
      EXPECT_EQ(two->counters.collective_count[kind], 2 * one->counters.collective_count[kind]);
  });
}

/// A frozen parameter between trainable ones is gathered, never reduced or updated.
TEST(Cases, B6_frozenBetweenTrainable) {
  std::string model =
      "zero.parameter @t0 : tensor<4xf32> {init = #zero.ones}\n"
      "zero.parameter @f : tensor<4xf32> {init = #zero.iota<1.0, 1.0>, frozen}\n"
      "zero.parameter @t1 : tensor<4xf32> {init = #zero.ones}\n"
      "zero.step @s() optimizer #zero.adam {\n"
      "%t0 = zero.read @t0 : tensor<4xf32>\n%f = zero.read @f : tensor<4xf32>\n"
      "%t1 = zero.read @t1 : tensor<4xf32>\n%tf = arith.mulf %t0, %f : tensor<4xf32>\n" +
      sumOfProduct("loss", "%tf", "%t1", 4) + "zero.yield %loss : tensor<f32>\n}\n";
  forEachStage({2}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage, 4, 3, 0.1});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->parameters["f"], (std::vector<float>{1, 2, 3, 4}));
    EXPECT_NE(outcome->parameters["t0"], std::vector<float>(4, 1));
    // Moments of 8 elements; halved where they are cut.
    EXPECT_EQ(outcome->step.getMemory().optimizerBytes, stage ? 32u : 64u);
    uint64_t reductions = outcome->counters.collective_count[ZRT_COLLECTIVE_REDUCE_SCATTER] +
                          outcome->counters.collective_count[ZRT_COLLECTIVE_ALL_REDUCE];
    EXPECT_EQ(reductions, 3u);
    for (const ParameterInfo &parameter : outcome->step.getParameters())
      if (parameter.name == "f")
        EXPECT_EQ(parameter.values, std::vector<std::string>{"parameter"});
  });
}

/// One module and options make one program, however often it is compiled.
TEST(Cases, G1_compilationIsAFunction) {
  auto model = Model::parseText(linearModel({20, 20, 17}, true), "case");
  ASSERT_TRUE(bool(model));
  std::string first;
  for (int i = 0; i < 5; ++i) {
    CompileOptions options;
    options.stage = 3;
    options.worldSize = 4;
    auto step = zero::compile(*model, options);
    ASSERT_TRUE(bool(step));
    first = i ? first : step->getFingerprint();
    EXPECT_EQ(step->getFingerprint(), first);
  }
}

/// A choice between parameters as a select: both are gathered, the loss is right.
TEST(Cases, G3_selectBetweenParameters) {
  std::string model, reads;
  for (const char *name : {"a", "b", "c", "d"}) {
    model += std::string("zero.parameter @") + name + " : tensor<4xf32> {init = #zero.iota<" +
             std::to_string(name[0] - 'a' + 1) + ".0, 1.0>}\n";
    reads += std::string("%") + name + " = zero.read @" + name + " : tensor<4xf32>\n";
  }
  model += "zero.step @s(%k: tensor<4xf32> {zero.input = \"k\"}) optimizer #zero.sgd {\n" + reads +
           "%zero = arith.constant dense<0.0> : tensor<4xf32>\n"
           "%takes = arith.cmpf ogt, %k, %zero : tensor<4xf32>\n"
           "%bc = arith.select %takes, %b, %c : tensor<4xi1>, tensor<4xf32>\n"
           "%abc = arith.mulf %a, %bc : tensor<4xf32>\n" +
           sumOfProduct("loss", "%abc", "%d", 4) + "zero.yield %loss : tensor<f32>\n}\n";
  forEachStage({2}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage, 4, 3, 0.0, 1, [](int64_t, int64_t step) {
                                   return Inputs{{"k", std::vector<float>(4, step == 1 ? 0 : 1)}};
                                 }});
    ASSERT_TRUE(outcome);
    // a = 1 2 3 4, b = 2 3 4 5, c = 3 4 5 6, d = 4 5 6 7; two ranks.
    double withB = 2 * (1 * 2 * 4 + 2 * 3 * 5 + 3 * 4 * 6 + 4 * 5 * 7);
    double withC = 2 * (1 * 3 * 4 + 2 * 4 * 5 + 3 * 5 * 6 + 4 * 6 * 7);
    EXPECT_EQ(outcome->losses, (std::vector<double>{withB, withC, withB}));
  });
}

/// Each rank makes its own shard; the values are those of stage 0.
TEST(Cases, I2_initialisedInShards) {
  std::string head, body;
  for (int i = 0; i < 8; ++i) {
    std::string n = std::to_string(i);
    head += "zero.parameter @p" + n + " : tensor<1000xf32> {init = #zero.normal<0.0, 1.0>}\n";
    body += "%p" + n + " = zero.read @p" + n + " : tensor<1000xf32>\n";
    body += sumOfProduct("s" + n, "%p" + n, "%p" + n, 1000);
    body += i ? "%t" + n + " = arith.addf %b" + std::to_string(i - 1) + ", %s" + n + " : tensor<f32>\n"
              : "%t0 = arith.addf %s0, %s0_z : tensor<f32>\n";
    body += "%b" + n + " = zero.block_boundary %t" + n + " : tensor<f32>\n";
  }
  std::string model =
      head + "zero.step @s() optimizer #zero.sgd {\n" + body + "zero.yield %b7 : tensor<f32>\n}\n";
  auto whole = train(model, {1, 0, 4, 0});
  auto cut = train(model, {4, 3, 4, 0});
  ASSERT_TRUE(whole && cut);
  EXPECT_EQ(whole->parameters, cut->parameters);
  EXPECT_NE(whole->parameters["p0"], whole->parameters["p1"]);
  EXPECT_EQ(cut->step.getMemory().parameterBytes, 8000u);
}

/// A hundred steps: what is allocated stays as it was.
TEST(Cases, M2_memoryIsFlat) {
  MakeInputs inputs = [](int64_t, int64_t) { return Inputs{{"c", iota(18)}}; };
  auto one = train(linearModel({5, 6, 7}), {2, 3, 4, 1, 1.0, 1, inputs});
  auto many = train(linearModel({5, 6, 7}), {2, 3, 4, 100, 1.0, 1, inputs});
  ASSERT_TRUE(one && many);
  EXPECT_EQ(one->allocatedBytes, many->allocatedBytes);
  EXPECT_EQ(many->allocatedBytes, many->step.getMemory().getDeviceBytes());
  EXPECT_EQ(many->counters.dispatches, 100 * one->counters.dispatches);
  EXPECT_EQ(many->parameters["p1"][0], -500.0f);
}

/// A buffer that is written in each iteration of a loop starts each one afresh.
TEST(Cases, M3_perIterationBuffer) {
  std::string model = R"mlir(
zero.parameter @p : tensor<4xf32> {init = #zero.zeros}
zero.step @s() optimizer #zero.sgd {
  %p = zero.read @p : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %acc = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (tensor<4xf32>) {
    %t = tensor.insert_slice %one into %zero[%k] [1] [1] : tensor<1xf32> into tensor<4xf32>
    %n = arith.addf %a, %t : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
)mlir" + sumOfProduct("loss", "%p", "%acc", 4) +
                      "zero.yield %loss : tensor<f32>\n}\n";
  forEachStage({2}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->parameters["p"], std::vector<float>(4, -1)); // not -4, -3, -2, -1
  });
}

/// Slices written into a buffer leave its old value intact for those that read it.
TEST(Cases, M3_oldValueIntact) {
  std::string model = "zero.parameter @v : tensor<4xf32> {init = #zero.iota<1.0, 1.0>}\n"
                      "zero.step @s() optimizer #zero.sgd {\n"
                      "%v = zero.read @v : tensor<4xf32>\n"
                      "%x0 = arith.constant dense<0.0> : tensor<1xf32>\n";
  std::string last = "%v";
  for (int i = 0; i < 4; ++i) {
    std::string next = "%w" + std::to_string(i);
    model += next + " = tensor.insert_slice %x0 into " + last + "[" + std::to_string(i) +
             "] [1] [1] : tensor<1xf32> into tensor<4xf32>\n";
    last = next;
  }
  model += "%one = arith.constant dense<1.0> : tensor<4xf32>\n%sum = arith.addf %v, %w3 : "
           "tensor<4xf32>\n" +
           sumOfProduct("loss", "%sum", "%one", 4) + "zero.yield %loss : tensor<f32>\n}\n";
  forEachStage({2}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage, 4, 1, 0.0});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->losses[0], 2.0 * (1 + 2 + 3 + 4));
  });
}

/// A loss that is a parameter itself is that of the parameter before the update.
TEST(Cases, lossThatIsAParameter) {
  std::string model = "zero.parameter @w : tensor<f32> {init = #zero.ones}\n"
                      "zero.step @s() optimizer #zero.sgd {\n"
                      "%w = zero.read @w : tensor<f32>\nzero.yield %w : tensor<f32>\n}\n";
  forEachStage({1, 2}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage, 4, 3, 0.25});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->losses, (std::vector<double>{1.0 * worldSize, 0.75 * worldSize,
                                                    0.5 * worldSize}));
  });
}

/// Stages agree bit for bit, and so do two runs.
TEST(Cases, N1_stagesAndRunsAgree) {
  for (int64_t worldSize : {2, 4}) {
    std::optional<Outcome> first;
    for (int64_t stage : {0, 1, 2, 3, 3}) {
      auto outcome = train(linearModel({5, 6, 7, 1000}),
                           {worldSize, stage, 64, 5, 0.01, 1, [](int64_t rank, int64_t step) {
                              return Inputs{{"c", iota(1018, 0.1f * (rank + 1) + step)}};
                            }});
      ASSERT_TRUE(outcome);
      if (!first)
        first = outcome;
      EXPECT_EQ(outcome->parameters, first->parameters) << worldSize << " ranks, stage " << stage;
      EXPECT_EQ(outcome->losses, first->losses);
    }
  }
}

/// Where the second moment's root and epsilon are both 0 an element stays, but for decay.
TEST(Cases, O4_epsilonThatVanishes) {
  for (const char *epsilon : {"0.0", "1.0e-12"}) {
    std::string model = std::string("zero.parameter @p : tensor<6xf32> {init = #zero.ones}\n"
                                    "zero.step @s() optimizer #zero.adamw<epsilon = ") +
                        epsilon + ", weight_decay = 0.0> {\n%p = zero.read @p : tensor<6xf32>\n"
                        "%c = arith.constant dense<[0.0, 1.0, 0.0, 2.0, 0.0, -3.0]> : tensor<6xf32>\n" +
                        sumOfProduct("loss", "%p", "%c", 6) + "zero.yield %loss : tensor<f32>\n}\n";
    forEachStage({1, 2}, [&](int64_t worldSize, int64_t stage) {
      auto outcome = train(model, {worldSize, stage, 4, 3, 0.125});
      ASSERT_TRUE(outcome);
      const std::vector<float> &p = outcome->parameters["p"];
      for (int i = 0; i < 6; i += 2)
        EXPECT_EQ(p[i], 1.0f) << epsilon;
      for (int i = 1; i < 6; i += 2)
        EXPECT_NEAR(p[i], i == 5 ? 1.375f : 0.625f, 1e-4f) << epsilon;
    });
  }
}

/// The gradient of a row that is read many times is added up, in the order of tokens.
TEST(Cases, O7_repeatedIds) {
  std::string ids;
  for (int i = 0; i < 1003; ++i)
    ids += (i ? ", " : "") + std::to_string(i < 1000 ? 2 : 4);
  std::string model = "zero.parameter @t : tensor<5x3xf32> {init = #zero.zeros}\n"
                      "zero.step @s() optimizer #zero.sgd {\n%t = zero.read @t : tensor<5x3xf32>\n"
                      "%i = arith.constant dense<[" + ids + "]> : tensor<1003xi32>\n"
                      "%e = nn.embedding %t, %i : (tensor<5x3xf32>, tensor<1003xi32>) -> tensor<1003x3xf32>\n"
                      "%h = math.tanh %e : tensor<1003x3xf32>\n"
                      "%f = tensor.collapse_shape %h [[0, 1]] : tensor<1003x3xf32> into tensor<3009xf32>\n"
                      "%one = arith.constant dense<1.0> : tensor<3009xf32>\n" +
                      sumOfProduct("loss", "%f", "%one", 3009) + "zero.yield %loss : tensor<f32>\n}\n";
  forEachStage({1, 2, 3}, [&](int64_t worldSize, int64_t stage) {
    auto outcome = train(model, {worldSize, stage, 4, 1, 1.0});
    ASSERT_TRUE(outcome);
    std::vector<float> want(15, 0.0f);
    for (int c = 0; c < 3; ++c) {
      want[6 + c] = -1000;
      want[12 + c] = -3;
    }
    EXPECT_EQ(outcome->parameters["t"], want);
  });
}

/// sin and cos of large arguments, and sin^2 + cos^2.
TEST(Cases, O1_largeArguments) {
  std::string model = "zero.parameter @p : tensor<7xf32> {init = #zero.zeros}\n"
                      "zero.step @s() optimizer #zero.sgd {\n%p = zero.read @p : tensor<7xf32>\n"
                      "%x = arith.constant dense<[16.0, -1.0e-8, 139585.67, 780781.0, 1.0e10, 1.0e20, 3.0e38]> : tensor<7xf32>\n"
                      "%s = math.sin %x : tensor<7xf32>\n%c = math.cos %x : tensor<7xf32>\n"
                      "%ss = arith.mulf %s, %s : tensor<7xf32>\n%cc = arith.mulf %c, %c : tensor<7xf32>\n"
                      "%one = arith.addf %ss, %cc : tensor<7xf32>\n%d = arith.subf %s, %p : tensor<7xf32>\n"
                      "%m = arith.mulf %one, %d : tensor<7xf32>\n"
                      "%neg = arith.negf %p : tensor<7xf32>\n%k = arith.mulf %neg, %s : tensor<7xf32>\n" +
                      sumOfProduct("loss", "%k", "%one", 7) + "zero.yield %loss : tensor<f32>\n}\n";
  // SGD at rate 1 moves p by sin(x) * (sin^2 + cos^2).
  auto outcome = train(model, {1, 0, 4, 1, 1.0});
  ASSERT_TRUE(outcome);
  const std::vector<float> &got = outcome->parameters["p"];
  const double x[] = {16.0, double(-1e-8f), double(139585.67f), 780781.0, double(1e10f), double(1e20f), double(3e38f)};
  for (int i = 0; i < 7; ++i)
    EXPECT_NEAR(got[i], std::sin(x[i]), 2e-6 * std::fabs(std::sin(x[i]))) << x[i];
}

} // namespace
