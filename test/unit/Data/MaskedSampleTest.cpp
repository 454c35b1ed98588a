//===- MaskedSampleTest.cpp - BERT's masking ------------------------------===//

#include "zero/Data/MaskedSample.h"

#include "gtest/gtest.h"

using namespace zero;

static MaskingRule makeRule() {
  MaskingRule rule;
  rule.seed = 5;
  rule.sequence = 128;
  rule.vocabulary = 1000;
  rule.maskToken = 999;
  return rule;
}

namespace {
struct Counts {
  int labels = 0, masked = 0, kept = 0, replaced = 0, positions = 0;
};
} // namespace

/// Token 7 everywhere, so that what became of it can be told.
static Counts count(const MaskingRule &rule) {
  Counts counts;
  for (uint64_t s = 0; s < 2000; ++s) {
    MaskedSample sample(rule, s);
    for (int64_t i = 0; i < sample.getLength(); ++i) {
      ++counts.positions;
      int64_t token = sample.getToken(i, 7);
      if (sample.getLabel(i, 7) == kIgnoredLabel) {
        EXPECT_EQ(token, 7);
        continue;
      }
      ++counts.labels;
      counts.masked += token == 999;
      counts.kept += token == 7;
      counts.replaced += token != 999 && token != 7;
    }
  }
  return counts;
}

TEST(MaskedSampleTest, fifteenPercentAreChosenAndSplitEightyTenTen) {
  Counts counts = count(makeRule());
  EXPECT_NEAR(double(counts.labels) / counts.positions, 0.15, 0.005);
  EXPECT_NEAR(double(counts.masked) / counts.labels, 0.8, 0.01);
  EXPECT_NEAR(double(counts.kept) / counts.labels, 0.1, 0.01);
  EXPECT_NEAR(double(counts.replaced) / counts.labels, 0.1, 0.01);
}

TEST(MaskedSampleTest, samplesHaveUnequalCountsOfMasks) {
  MaskingRule rule = makeRule();
  auto labels = [&](uint64_t s) {
    MaskedSample sample(rule, s);
    int labels = 0;
    for (int64_t i = 0; i < rule.sequence; ++i)
      labels += sample.getLabel(i, 7) != kIgnoredLabel;
    return labels;
  };
  EXPECT_TRUE(labels(0) != labels(1) || labels(1) != labels(2));
}

TEST(MaskedSampleTest, onlyModelsWithKeyLengthsGetShortSamples) {
  MaskingRule rule = makeRule();
  for (uint64_t s = 0; s < 100; ++s)
    EXPECT_EQ(MaskedSample(rule, s).getLength(), 128);
  rule.hasLengths = true;
  int cut = 0;
  for (uint64_t s = 0; s < 5000; ++s) {
    int64_t length = MaskedSample(rule, s).getLength();
    EXPECT_GE(length, 2);
    EXPECT_LE(length, 128);
    cut += length < 128;
  }
  EXPECT_NEAR(cut / 5000.0, 0.1, 0.02);
}

TEST(MaskedSampleTest, paddingIsZeroAndHasNoLabels) {
  MaskingRule rule = makeRule();
  rule.hasLengths = true;
  for (uint64_t s = 0; s < 200; ++s) {
    MaskedSample sample(rule, s);
    for (int64_t i = sample.getLength(); i < rule.sequence; ++i) {
      EXPECT_EQ(sample.getToken(i, 7), 0);
      EXPECT_EQ(sample.getLabel(i, 7), kIgnoredLabel);
    }
  }
}

TEST(MaskedSampleTest, aSampleHasTwoSegments) {
  MaskingRule rule = makeRule();
  for (uint64_t s = 0; s < 200; ++s) {
    MaskedSample sample(rule, s);
    EXPECT_EQ(sample.getSegment(0), 0);
    EXPECT_EQ(sample.getSegment(sample.getLength() - 1), 1);
  }
}
