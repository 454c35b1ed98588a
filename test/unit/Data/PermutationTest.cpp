//===- PermutationTest.cpp - The order of samples -------------------------===//

#include "zero/Data/Permutation.h"

#include "gtest/gtest.h"

#include <set>

using zero::Permutation;

static std::vector<uint64_t> takeEpoch(const Permutation &order, uint64_t count,
                                       uint64_t epoch) {
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(order.at(epoch * count + i));
  return values;
}

TEST(PermutationTest, everyEpochIsABijection) {
  for (uint64_t count : {1, 2, 3, 5, 16, 17, 64, 65, 1000, 4097})
    for (uint64_t epoch : {0, 1, 7}) {
      std::vector<uint64_t> values = takeEpoch(Permutation(count, 42), count, epoch);
      std::set<uint64_t> different(values.begin(), values.end());
      EXPECT_EQ(different.size(), count);
      EXPECT_EQ(*different.rbegin(), count - 1);
    }
}

TEST(PermutationTest, epochsAndSeedsHaveOrdersOfTheirOwn) {
  Permutation order(100, 1);
  EXPECT_NE(takeEpoch(order, 100, 0), takeEpoch(order, 100, 1));
  EXPECT_NE(takeEpoch(order, 100, 0), takeEpoch(Permutation(100, 2), 100, 0));
  EXPECT_EQ(takeEpoch(order, 100, 0), takeEpoch(Permutation(100, 1), 100, 0));
}

TEST(PermutationTest, neighboursAreScattered) {
  Permutation order(10000, 3);
  int together = 0;
  for (uint64_t i = 0; i + 1 < 10000; ++i)
    together += order.at(i) + 1 == order.at(i + 1);
  EXPECT_LT(together, 10); // 1 is expected of a random order
}
