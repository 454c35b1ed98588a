//===- OptionsTest.cpp - The command line of zero-run ---------------------===//

#include "zero/Run/Options.h"

#include "gtest/gtest.h"

using namespace zero;

static llvm::Expected<RunOptions> parse(std::vector<llvm::StringRef> arguments) {
  return parseRunOptions(arguments);
}

static std::string refuse(std::vector<llvm::StringRef> arguments) {
  llvm::Expected<RunOptions> options = parse(std::move(arguments));
  return options ? "" : llvm::toString(options.takeError());
}

TEST(OptionsTest, everyOptionReachesItsField) {
  auto options = parse({"--ranks=2", "m.mlir", "--stage=3", "--steps=7", "--data=d.txt",
                        "--input=x=a=b.bin", "--input=y=c", "--lr=0.5", "--seed=9",
                        "--mask-token=103", "--threads-per-rank=4", "--align-bytes=128",
                        "--report=r.json", "--dump-parameters=p", "--dump-phases=dir",
                        "--deadline-seconds=2.5", "--keep-going-non-finite"});
  ASSERT_TRUE(bool(options)) << llvm::toString(options.takeError());
  EXPECT_EQ(options->model, "m.mlir");
  EXPECT_EQ(options->compile.worldSize, 2);
  EXPECT_EQ(options->compile.stage, 3);
  EXPECT_EQ(options->steps, 7);
  EXPECT_EQ(options->feed.data, "d.txt");
  ASSERT_EQ(options->feed.inputs.size(), 2u);
  EXPECT_EQ(options->feed.inputs[0], (std::pair<std::string, std::string>("x", "a=b.bin")));
  EXPECT_EQ(options->learningRate, 0.5);
  EXPECT_EQ(options->feed.seed, 9u);
  EXPECT_EQ(options->feed.maskToken, 103);
  EXPECT_EQ(options->compile.threadsPerRank, 4);
  EXPECT_EQ(options->compile.alignBytes, 128);
  EXPECT_EQ(options->report, "r.json");
  EXPECT_EQ(options->dumpParameters, "p");
  EXPECT_EQ(options->compile.dumpPhases, "dir");
  EXPECT_EQ(options->deadlineSeconds, 2.5);
  EXPECT_TRUE(options->keepGoingNonFinite);
  EXPECT_FALSE(options->compileOnly);
}

TEST(OptionsTest, unknownOptionsAreErrorsAndNearOnesAreNamed) {
  EXPECT_EQ(refuse({"m", "--stag=3"}), "unknown option --stag; did you mean --stage?");
  EXPECT_EQ(refuse({"m", "--accumulate=4"}), "unknown option --accumulate");
  EXPECT_EQ(refuse({"m", "-s"}), "unknown option -s; options start with --");
}

TEST(OptionsTest, badNumbersNameFlagAndValue) {
  EXPECT_EQ(refuse({"m", "--stage=4"}), "--stage is \"4\"; want a stage: 0, 1, 2 or 3");
  for (llvm::StringRef value : {"0", "-1", "2.5", "two", "", "5e8", "99999999999999999999"})
    EXPECT_EQ(refuse({"m", ("--ranks=" + value).str()}),
              ("--ranks is \"" + value + "\"; want a number of ranks from 1 to 65536").str());
  EXPECT_EQ(refuse({"m", "--lr=nan"}), "--lr is \"nan\"; want a learning rate, 0 or more");
  EXPECT_EQ(refuse({"m", "--lr=-1"}), "--lr is \"-1\"; want a learning rate, 0 or more");
  EXPECT_EQ(refuse({"m", "--align-bytes=48"}),
            "--align-bytes is \"48\"; want a power of two up to 2^30");
  EXPECT_EQ(refuse({"m", "--deadline-seconds=0"}),
            "--deadline-seconds is \"0\"; want a positive number of seconds");
  EXPECT_EQ(refuse({"m", "--seed=-1"}),
            "--seed is \"-1\"; want an integer from 0 to 2^64 - 1");
  EXPECT_EQ(refuse({"m", "--steps=-1"}), "--steps is \"-1\"; want a number of steps, 0 or more");
}

TEST(OptionsTest, valuesAreGivenExactlyWhereTheyAreWanted) {
  EXPECT_EQ(refuse({"m", "--ranks"}), "--ranks needs a value: --ranks=N");
  EXPECT_EQ(refuse({"m", "--compile-only=yes"}), "--compile-only takes no value");
  EXPECT_EQ(refuse({"m", "--input=x"}), "--input is \"x\"; want NAME=FILE");
  EXPECT_EQ(refuse({"m", "--report="}), "--report is \"\"; want a file");
}

TEST(OptionsTest, nothingIsGivenTwice) {
  EXPECT_EQ(refuse({"m", "--stage=1", "--stage=1"}), "--stage is given twice");
  EXPECT_EQ(refuse({"m", "n"}), "two models are given: m and n");
}

TEST(OptionsTest, aModelIsNeeded) {
  EXPECT_EQ(refuse({"--stage=1"}), "no model is given; want zero-run MODEL.mlir [options]");
  EXPECT_EQ(refuse({"m", "--compile-only", "--dump-parameters=p"}),
            "--compile-only makes no parameters for --dump-parameters");
}
