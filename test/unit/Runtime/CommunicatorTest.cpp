//===- CommunicatorTest.cpp - Collectives of in-process ranks -------------===//

#include "comm/Communicator.h"
#include "core/Image.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <thread>

using namespace zrt;

namespace {

std::string take(zrt_status_t *status) {
  if (!status)
    return "";
  std::string text = zrt_status_message(status);
  zrt_status_destroy(status);
  return text;
}

/// Runs `body` on a thread per rank; gives each rank's error.
std::vector<std::string>
forEachRank(uint32_t worldSize, std::function<zrt_status_t *(zrt_communicator_t &, ThreadPool &)> body,
            double deadline = 30) {
  zrt_communicator_config_t config{sizeof(config), deadline, 1, 0};
  std::vector<zrt_communicator_t *> ends(worldSize);
  EXPECT_EQ(take(zrt_communicator_create_in_process(&config, worldSize, ends.data())), "");
  std::vector<std::string> errors(worldSize);
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < worldSize; ++rank)
    threads.emplace_back([&, rank] {
      ThreadPool pool;
      pool.start(1 + rank % 2);
      errors[rank] = take(body(*ends[rank], pool));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (zrt_communicator_t *end : ends)
    zrt_communicator_destroy(end);
  return errors;
}

void expectNoErrors(const std::vector<std::string> &errors) {
  for (const std::string &error : errors)
    EXPECT_EQ(error, "");
}

/// What rank `rank` holds at element i: of so different sizes that order matters in f32.
template <typename T> T valueOf(uint32_t rank, uint64_t i) {
  if constexpr (std::is_floating_point_v<T>)
    return T((i % 7 + 1) * (rank == 0 ? 1e7 : 0.37) / (rank + 1));
  return T(i * 31 + rank * 1000003);
}

template <typename T> struct Dtype;
template <> struct Dtype<float> { static constexpr uint32_t value = ZRT_DTYPE_F32; };
template <> struct Dtype<double> { static constexpr uint32_t value = ZRT_DTYPE_F64; };
template <> struct Dtype<int32_t> { static constexpr uint32_t value = ZRT_DTYPE_I32; };
template <> struct Dtype<int64_t> { static constexpr uint32_t value = ZRT_DTYPE_I64; };
template <> struct Dtype<int8_t> { static constexpr uint32_t value = ZRT_DTYPE_I8; };

template <typename T> std::vector<T> fill(uint32_t rank, uint64_t count) {
  std::vector<T> values(count);
  for (uint64_t i = 0; i < count; ++i)
    values[i] = valueOf<T>(rank, i);
  return values;
}

/// The sum in the order of the ranks.
template <typename T> T sumOf(uint32_t worldSize, uint64_t i) {
  T sum = valueOf<T>(0, i);
  for (uint32_t rank = 1; rank < worldSize; ++rank)
    sum = T(sum + valueOf<T>(rank, i));
  return sum;
}

template <typename T> class Collectives : public testing::Test {};
using Types = testing::Types<float, double, int32_t, int64_t, int8_t>;
TYPED_TEST_SUITE(Collectives, Types);

constexpr uint64_t kShards[] = {0, 1, 5, 1000, 70001};

TYPED_TEST(Collectives, allGatherInAndOutOfPlace) {
  using T = TypeParam;
  for (uint32_t worldSize : {1, 2, 3, 4})
    for (uint64_t shard : kShards)
      for (bool inPlace : {false, true})
        expectNoErrors(forEachRank(worldSize, [&](zrt_communicator_t &end, ThreadPool &pool) {
          std::vector<T> mine = fill<T>(end.rank, shard), whole(shard * worldSize);
          std::copy(mine.begin(), mine.end(), whole.begin() + end.rank * shard);
          const void *source = inPlace ? whole.data() + end.rank * shard : mine.data();
          uint64_t sent = 0;
          zrt_status_t *status = end.allGather({whole.size(), Dtype<T>::value, 0, 0, 0}, source,
                                               whole.data(), pool, &sent);
          EXPECT_EQ(sent, shard * sizeof(T) * (worldSize - 1));
          for (uint64_t i = 0; i < whole.size(); ++i)
            if (whole[i] != valueOf<T>(i / shard, i % shard)) {
              ADD_FAILURE() << "element " << i;
              break;
            }
          return status;
        }));
}

TYPED_TEST(Collectives, reduceScatterInRankOrder) {
  using T = TypeParam;
  for (uint32_t worldSize : {1, 2, 3, 4})
    for (uint64_t shard : kShards)
      for (bool inPlace : {false, true})
        expectNoErrors(forEachRank(worldSize, [&](zrt_communicator_t &end, ThreadPool &pool) {
          std::vector<T> whole = fill<T>(end.rank, shard * worldSize), apart(shard);
          T *target = inPlace ? whole.data() + end.rank * shard : apart.data();
          uint64_t sent = 0;
          zrt_status_t *status = end.reduceScatter({whole.size(), Dtype<T>::value, 0, 0, 0},
                                                   whole.data(), target, pool, &sent);
          EXPECT_EQ(sent, shard * sizeof(T) * (worldSize - 1));
          for (uint64_t i = 0; i < shard; ++i)
            if (target[i] != sumOf<T>(worldSize, end.rank * shard + i)) {
              ADD_FAILURE() << "element " << i;
              break;
            }
          return status;
        }));
}

TYPED_TEST(Collectives, allReduceIsTheSameSum) {
  using T = TypeParam;
  for (uint32_t worldSize : {1, 2, 3, 4})
    for (uint64_t count : kShards)
      for (bool inPlace : {false, true})
        expectNoErrors(forEachRank(worldSize, [&](zrt_communicator_t &end, ThreadPool &pool) {
          std::vector<T> values = fill<T>(end.rank, count), apart(count);
          T *target = inPlace ? values.data() : apart.data();
          uint64_t sent = 0;
          zrt_status_t *status = end.allReduce({count, Dtype<T>::value, 0, 0, 0}, values.data(),
                                               target, pool, &sent);
          // The others read what they sum, and this rank's sum.
          uint64_t segment = (count + worldSize - 1) / worldSize;
          uint64_t begin = std::min(count, end.rank * segment);
          uint64_t mine = std::min(count, begin + segment) - begin;
          EXPECT_EQ(sent, (count - mine + mine * (worldSize - 1)) * sizeof(T));
          for (uint64_t i = 0; i < count; ++i)
            if (target[i] != sumOf<T>(worldSize, i)) {
              ADD_FAILURE() << "element " << i;
              break;
            }
          return status;
        }));
}

TYPED_TEST(Collectives, scalarsAreReadByEveryone) {
  using T = TypeParam;
  for (uint32_t worldSize : {1, 2, 3, 4})
    expectNoErrors(forEachRank(worldSize, [&](zrt_communicator_t &end, ThreadPool &pool) {
      for (uint64_t i = 0; i < 100; ++i) {
        T value = valueOf<T>(end.rank, i);
        uint64_t sent = 0;
        if (zrt_status_t *status =
                end.allReduce({1, Dtype<T>::value, 0, 1, 0}, &value, &value, pool, &sent))
          return status;
        EXPECT_EQ(value, sumOf<T>(worldSize, i));
        EXPECT_EQ(sent, sizeof(T) * (worldSize - 1));
      }
      return static_cast<zrt_status_t *>(nullptr);
    }));
}

/// 1.0 and 2.5 add exactly in every type; bf16 and f16 round once, to nearest even.
TEST(HalfTypes, addInF32AndRoundOnce) {
  for (uint32_t dtype : {uint32_t(ZRT_DTYPE_BF16), uint32_t(ZRT_DTYPE_F16)})
    expectNoErrors(forEachRank(3, [&](zrt_communicator_t &end, ThreadPool &pool) {
      bool isBF16 = dtype == ZRT_DTYPE_BF16;
      // 1, 2.5 and a quarter of the last place of their sum's type.
      std::vector<uint16_t> one{uint16_t(isBF16 ? 0x3f80 : 0x3c00)};
      std::vector<uint16_t> big{uint16_t(isBF16 ? 0x4020 : 0x4100)};
      std::vector<uint16_t> values{one[0], big[0], end.rank == 0 ? one[0] : uint16_t(0)};
      uint64_t sent = 0;
      zrt_status_t *status =
          end.allReduce({3, dtype, 0, 0, 0}, values.data(), values.data(), pool, &sent);
      EXPECT_EQ(values[0], isBF16 ? 0x4040 : 0x4200); // 3
      EXPECT_EQ(values[1], isBF16 ? 0x40f0 : 0x4780); // 7.5
      EXPECT_EQ(values[2], one[0]);
      return status;
    }));
}

TEST(Failures, aRankThatDoesNotComeIsNamed) {
  auto errors = forEachRank(
      3,
      [&](zrt_communicator_t &end, ThreadPool &pool) -> zrt_status_t * {
        float value = 1;
        uint64_t sent;
        zrt_collective_t what{1, ZRT_DTYPE_F32, 0, 1, 0};
        if (zrt_status_t *status = end.allReduce(what, &value, &value, pool, &sent))
          return status;
        return end.rank == 1 ? nullptr : end.allReduce(what, &value, &value, pool, &sent);
      },
      0.2);
  EXPECT_EQ(errors[0], "rank 0 waited 0.2 s for rank 1 at all_reduce #1");
  EXPECT_EQ(errors[1], "");
  EXPECT_EQ(errors[2], "rank 2 waited 0.2 s for rank 1 at all_reduce #1");
}

TEST(Failures, differentCollectivesAreNamedOnBothRanks) {
  auto errors = forEachRank(2, [&](zrt_communicator_t &end, ThreadPool &pool) {
    std::vector<float> values(4);
    uint64_t sent;
    return end.allReduce({end.rank ? 4u : 2u, ZRT_DTYPE_F32, 0, 0, 0}, values.data(),
                         values.data(), pool, &sent);
  });
  EXPECT_EQ(errors[0], "rank 0 is at all_reduce #0 (2 elements of type 0, group 0) and rank 1 at "
                       "all_reduce #0 (4 elements of type 0, group 0)");
  EXPECT_NE(errors[1], "");
}

TEST(Failures, abortEndsWaits) {
  auto errors = forEachRank(2, [&](zrt_communicator_t &end, ThreadPool &pool) -> zrt_status_t * {
    if (end.rank == 1) {
      end.abort("rank 1 has no data");
      return nullptr;
    }
    float value = 1;
    uint64_t sent;
    return end.allReduce({1, ZRT_DTYPE_F32, 0, 1, 0}, &value, &value, pool, &sent);
  });
  EXPECT_EQ(errors[0], "rank 0 stops at all_reduce #0: rank 1 has no data");
}

TEST(Failures, badConfigurationsAreRefused) {
  zrt_communicator_t *end = nullptr;
  zrt_communicator_config_t config{sizeof(config), 0, 1, 0};
  EXPECT_EQ(take(zrt_communicator_create_in_process(&config, 1, &end)),
            "deadline is 0 s; want a positive number below 1e9");
  config.deadline_seconds = 1;
  EXPECT_EQ(take(zrt_communicator_create_in_process(&config, 0, &end)),
            "world size is 0; want at least one rank");
  EXPECT_NE(take(zrt_communicator_create_in_process(nullptr, 1, &end)), "");
}

} // namespace
