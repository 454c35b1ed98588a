//===- ModuleTest.cpp - A hand-made image, run and damaged ----------------===//

#include "zrt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <thread>

namespace {

/// An image of one bucket of 10 elements cut over two ranks, whose program gathers it,
/// adds an input to each element by an update kernel, and reduces a scalar.
struct ImageBytes {
  zrt_image_t header{};
  char strings[16] = "\0name\0b\0p\0";
  zrt_program_t program{};
  zrt_bucket_t bucket{};
  zrt_bucket_value_t value{};
  zrt_parameter_t parameter{};
  zrt_external_t externals[2]{};
  zrt_command_t commands[4]{};
  zrt_view_t views[8]{};
  zrt_dispatch_t dispatch{};
  zrt_collective_t collectives[2]{};
  zrt_segment_t segments[1]{};
  int64_t dims[1] = {10};
  int64_t scalars[1] = {0};

  ImageBytes() {
    auto at = [&](const void *entry, uint64_t count) {
      return zrt_section_t{uint64_t(static_cast<const char *>(entry) -
                                    reinterpret_cast<const char *>(this)),
                           count};
    };
    header.magic = ZRT_IMAGE_MAGIC;
    header.abi_version = ZRT_ABI_VERSION;
    header.image_bytes = sizeof(*this);
    header.world_size = 2;
    header.threads_per_rank = 1;
    header.kernel_count = 1;
    header.persistent_bytes = 64;
    header.transient_bytes = 128;
    header.strings = at(strings, sizeof(strings));
    header.dims = at(dims, 1);
    header.programs = at(&program, 1);
    header.buckets = at(&bucket, 1);
    header.parameters = at(&parameter, 1);
    header.views = at(views, 8);
    header.scalars = at(scalars, 1);
    header.waits = at(&program, 0);
    header.dispatches = at(&dispatch, 1);
    header.matmuls = at(&program, 0);
    header.collectives = at(collectives, 2);
    header.segments = at(segments, 1);
    program.commands = at(commands, 4);
    program.externals = at(externals, 2);
    // 12 elements, 6 a rank: 10 real ones, 2 of padding.
    bucket = {6, 1, 6, 10, at(&value, 1)};
    value = {8, 1, ZRT_DTYPE_F32, 0, 0};
    parameter = {8, ZRT_NONE, 0, ZRT_DTYPE_F32, 1, 0, 0, 10, ZRT_INIT_IOTA, 0, 1.0, 0.5};
    externals[0] = {1, 1, ZRT_EXTERNAL_INPUT, ZRT_DTYPE_F32, 0, 0, 4};
    externals[1] = {1, 1, ZRT_EXTERNAL_OUTPUT, ZRT_DTYPE_F32, 0, 0, 4};
    collectives[0] = {12, ZRT_DTYPE_F32, 0, 0, 0};
    collectives[1] = {1, ZRT_DTYPE_F32, 0, 1, 0};
    segments[0] = {0, 10, 2.0, 0.0};
    dispatch = {6, 16, 6, 0, 0, 1, 0};
    views[0] = {0, 0, 0, 24, ZRT_ARENA_PERSISTENT, ZRT_ACCESS_READ};
    views[1] = {0, 0, 0, 48, ZRT_ARENA_TRANSIENT, ZRT_ACCESS_WRITE};
    views[2] = {0, 0, 0, 4, ZRT_ARENA_EXTERNAL, ZRT_ACCESS_READ};
    views[3] = {0, 0, 0, 24, ZRT_ARENA_PERSISTENT, ZRT_ACCESS_READ | ZRT_ACCESS_WRITE};
    views[4] = {0, 0, 0, 4, ZRT_ARENA_EXTERNAL, ZRT_ACCESS_READ};
    views[5] = {0, 0, 0, 4, ZRT_ARENA_EXTERNAL + 1, ZRT_ACCESS_WRITE};
    views[6] = {64, 0, 0, 64, ZRT_ARENA_TRANSIENT, ZRT_ACCESS_WRITE};
    commands[0] = {ZRT_OPCODE_ALL_GATHER, 0, 0, 1, 0, 2, 0, 0, 0, 0};
    commands[1] = {ZRT_OPCODE_DISPATCH, 0, 0, 1, 2, 2, 0, 0, 0, 0};
    commands[2] = {ZRT_OPCODE_ALL_REDUCE, 0, 1, 1, 4, 2, 0, 0, 0, 0};
    commands[3] = {ZRT_OPCODE_FILL, 0, 4, 1, 6, 1, 0, 1, 0, 0};
  }
};

/// p[i] += x * lr_scale.
void addKernel(void *const *operands, const int64_t *scalars, int64_t begin, int64_t end) {
  float x = *static_cast<float *>(operands[0]);
  auto *p = static_cast<float *>(operands[1]);
  for (int64_t i = begin; i < end; ++i)
    p[i] += x * float(__builtin_bit_cast(double, scalars[0]));
}
const zrt_kernel_fn_t kKernels[] = {addKernel};

std::string take(zrt_status_t *status) {
  if (!status)
    return "";
  std::string text = zrt_status_message(status);
  zrt_status_destroy(status);
  return text;
}

TEST(Module, runsEndToEnd) {
  ImageBytes image;
  zrt_module_t module{&image.header, kKernels};
  ASSERT_EQ(take(zrt_module_validate(&module)), "");
  zrt_communicator_config_t config{sizeof(config), 30, 1, 0};
  zrt_communicator_t *ends[2];
  ASSERT_EQ(take(zrt_communicator_create_in_process(&config, 2, ends)), "");
  std::vector<std::thread> ranks;
  for (int r = 0; r < 2; ++r)
    ranks.emplace_back([&, r] {
      zrt_rank_config_t rankConfig{sizeof(rankConfig), 1, 0};
      zrt_rank_t *rank = nullptr;
      ASSERT_EQ(take(zrt_rank_create(&module, ends[r], &rankConfig, &rank)), "");
      EXPECT_EQ(take(zrt_rank_initialize(rank, 1)), "");
      float x = r + 1, loss = 0;
      void *externals[] = {&x, &loss};
      EXPECT_EQ(take(zrt_rank_run(rank, 0, externals)), "");
      EXPECT_EQ(loss, 3.0f);
      float values[10];
      EXPECT_EQ(take(zrt_rank_read_parameter(rank, 0, 0, values, sizeof(values))), "");
      // Elements 0 to 5 are rank 0's, the rest rank 1's; lr_scale is 2.
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(values[i], 1.0f + 0.5f * i + 2.0f * (i < 6 ? 1 : 2));
      zrt_counters_t counters;
      zrt_rank_counters(rank, &counters);
      EXPECT_EQ(counters.collective_count[ZRT_COLLECTIVE_ALL_GATHER], 1u);
      EXPECT_EQ(counters.collective_bytes_sent[ZRT_COLLECTIVE_ALL_GATHER], 24u);
      EXPECT_EQ(counters.scalar_bytes_sent, 4u);
      EXPECT_EQ(counters.dispatches, 1u);
      EXPECT_EQ(counters.fills, 1u);
      EXPECT_EQ(zrt_rank_allocated_bytes(rank), 64u + 128u);
      EXPECT_EQ(take(zrt_rank_run(rank, 1, externals)), "there is no program 1; the module has 1");
      EXPECT_EQ(take(zrt_rank_read_parameter(rank, 0, 0, values, 4)),
                "parameter p has 40 bytes; the buffer has 4");
      zrt_rank_destroy(rank);
    });
  for (std::thread &thread : ranks)
    thread.join();
  for (zrt_communicator_t *end : ends)
    zrt_communicator_destroy(end);
}

TEST(Module, anotherNumberOfRanksIsRefused) {
  ImageBytes image;
  zrt_module_t module{&image.header, kKernels};
  zrt_communicator_config_t config{sizeof(config), 1, 1, 0};
  zrt_communicator_t *end = nullptr;
  ASSERT_EQ(take(zrt_communicator_create_in_process(&config, 1, &end)), "");
  zrt_rank_config_t rankConfig{sizeof(rankConfig), 1, 0};
  zrt_rank_t *rank = nullptr;
  EXPECT_EQ(take(zrt_rank_create(&module, end, &rankConfig, &rank)),
            "the program was compiled for 2 ranks and is launched with 1");
  zrt_communicator_destroy(end);
}

/// Whatever byte of the image is damaged, and however: it is refused, or it is harmless.
TEST(Module, damagedImagesAreRefusedOrHarmless) {
  unsigned refused = 0;
  for (size_t position = 0; position < sizeof(ImageBytes); ++position)
    for (unsigned char flip : {0x01, 0x80, 0xff}) {
      ImageBytes image;
      reinterpret_cast<unsigned char *>(&image)[position] ^= flip;
      zrt_module_t module{&image.header, kKernels};
      refused += !take(zrt_module_validate(&module)).empty();
    }
  EXPECT_GT(refused, sizeof(ImageBytes) / 2);
  EXPECT_NE(take(zrt_module_validate(nullptr)), "");
}

} // namespace
