//===- ArenaPlannerTest.cpp - Plans and their validator -------------------===//

#include "zero/Planner/ArenaValidator.h"

#include <gtest/gtest.h>

#include <random>

using namespace zero;

namespace {

constexpr int64_t kAlignment = 64;
using Buffers = std::vector<PlannedBuffer>;

ArenaPlan planned(const Buffers &buffers) {
  ArenaPlan plan = planArena(buffers, kAlignment);
  auto fault = validateArena(buffers, plan, kAlignment);
  EXPECT_FALSE(fault) << fault->message;
  EXPECT_GE(plan.bytes, arenaLowerBound(buffers, kAlignment));
  return plan;
}

TEST(ArenaPlanner, emptyProblem) { EXPECT_EQ(planned({}).bytes, 0); }

TEST(ArenaPlanner, zeroSizedBuffersTakeNothing) {
  EXPECT_EQ(planned({{0, 0, 9}, {0, 3, 3}}).bytes, 0);
  EXPECT_EQ(planned({{64, 0, 9}, {0, 0, 9}}).bytes, 64);
}

TEST(ArenaPlanner, roundsUpToTheAlignment) { EXPECT_EQ(planned({{1, 0, 0}, {65, 0, 0}}).bytes, 192); }

TEST(ArenaPlanner, reusesFreedGaps) {
  // b dies between a and c; d fits in its place exactly.
  EXPECT_EQ(planned({{256, 0, 9}, {128, 0, 3}, {256, 0, 9}, {128, 4, 9}}).bytes, 640);
}

TEST(ArenaPlanner, touchingLifetimesOverlap) {
  // Both are live at time 5.
  EXPECT_EQ(planned({{64, 0, 5}, {64, 5, 9}}).bytes, 128);
  EXPECT_EQ(planned({{64, 0, 4}, {64, 5, 9}}).bytes, 64);
}

/// Activations that are kept over a forward pass and die in a backward pass, with short
/// buffers in between, as a model of many layers has.
Buffers layers(int64_t count) {
  Buffers buffers;
  for (int64_t layer = 0; layer < count; ++layer) {
    int64_t back = 20 * count - 10 * layer;
    for (int64_t kept = 0; kept < 4; ++kept)
      buffers.push_back({3000 + 512 * kept, 10 * layer + kept, back - kept});
    buffers.push_back({9000, 10 * layer + 5, 10 * layer + 7});
    buffers.push_back({9000, back + 1, back + 3});
    buffers.push_back({2000, back + 2, back + 9});
  }
  return buffers;
}

TEST(ArenaPlanner, layersAreNearTheBound) {
  for (int64_t count : {1, 2, 12, 96}) {
    Buffers buffers = layers(count);
    EXPECT_LE(planned(buffers).bytes, arenaLowerBound(buffers, kAlignment) * 11 / 10) << count;
  }
}

TEST(ArenaPlanner, isAFunctionOfItsArguments) {
  Buffers buffers = layers(24);
  EXPECT_EQ(planned(buffers).offsets, planned(buffers).offsets);
}

/// Every pair, byte by byte interval: slow and plain.
bool overlaps(const Buffers &buffers, const ArenaPlan &plan) {
  for (size_t a = 0; a < buffers.size(); ++a)
    for (size_t b = a + 1; b < buffers.size(); ++b) {
      bool inTime = buffers[a].first <= buffers[b].last && buffers[b].first <= buffers[a].last;
      bool inSpace = plan.offsets[a] < plan.offsets[b] + buffers[b].bytes &&
                     plan.offsets[b] < plan.offsets[a] + buffers[a].bytes;
      if (inTime && inSpace && buffers[a].bytes && buffers[b].bytes)
        return true;
    }
  return false;
}

Buffers randomBuffers(unsigned seed, int64_t count) {
  std::mt19937 random(seed);
  Buffers buffers;
  for (int64_t i = 0; i < count; ++i) {
    int64_t first = random() % 100;
    buffers.push_back({int64_t(random() % 5 == 0 ? 0 : random() % 5000), first,
                       first + int64_t(random() % 30)});
  }
  return buffers;
}

TEST(ArenaPlanner, randomProblemsAgainstBruteForce) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Buffers buffers = randomBuffers(seed, 1 + seed % 60);
    EXPECT_FALSE(overlaps(buffers, planned(buffers))) << "seed " << seed;
  }
}

TEST(ArenaValidator, findsPlantedFaults) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Buffers buffers = randomBuffers(seed, 40);
    ArenaPlan plan = planArena(buffers, kAlignment);
    std::mt19937 random(seed);
    size_t moved = random() % buffers.size();
    plan.offsets[moved] = int64_t(random() % (plan.bytes / kAlignment)) * kAlignment;
    bool isOutside = plan.offsets[moved] + buffers[moved].bytes > plan.bytes;
    EXPECT_EQ(bool(validateArena(buffers, plan, kAlignment)), isOutside || overlaps(buffers, plan))
        << "seed " << seed;
  }
}

TEST(ArenaValidator, wantsAlignmentAndOneOffsetEach) {
  Buffers buffers{{64, 0, 0}};
  EXPECT_TRUE(validateArena(buffers, {{32}, 128}, kAlignment));
  EXPECT_TRUE(validateArena(buffers, {{-64}, 128}, kAlignment));
  EXPECT_TRUE(validateArena(buffers, {{}, 128}, kAlignment));
  EXPECT_FALSE(validateArena(buffers, {{64}, 128}, kAlignment));
}

} // namespace
