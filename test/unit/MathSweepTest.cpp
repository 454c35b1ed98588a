//===- MathSweepTest.cpp - Math operations are within 4 ulp everywhere ----===//

#include "MathSweep.h"

#include "gtest/gtest.h"

using namespace zero::test;

namespace {

constexpr double kMostUlps = 4;

class MathSweep : public testing::TestWithParam<std::string> {};

void check(const SweepResult &result) {
  EXPECT_LE(result.ulps, kMostUlps) << "at " << result.where;
  EXPECT_EQ(result.wrongSpecials, 0) << "the first: " << result.firstSpecial;
}

TEST_P(MathSweep, F32) { check(sweep<float>(GetParam())); }
TEST_P(MathSweep, F64) { check(sweep<double>(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Operations, MathSweep, testing::ValuesIn(sweptOperations()),
                         [](const auto &info) { return info.param; });

} // namespace
