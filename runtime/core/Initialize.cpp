//===- Initialize.cpp - First values of parameters ------------------------===//
//
// Element i of a parameter is a function of (seed, name, i): words 4 (i / 4) .. of a
// counter-based generator. So a rank makes its own elements only, and they are the same
// for every world size and stage.
//
//===----------------------------------------------------------------------===//

#include "core/Philox.h"
#include "core/Rank.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace zrt {

/// FNV-1a.
static uint64_t hashName(const char *name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; *name; ++name)
    hash = (hash ^ static_cast<unsigned char>(*name)) * 0x100000001b3;
  return hash;
}

namespace {
/// The values of one parameter by element index.
class ValueMaker {
public:
  ValueMaker(const zrt_parameter_t &parameter, const char *name, uint64_t seed)
      : parameter(parameter), seed(seed), name(hashName(name)) {}

  double at(uint64_t index) {
    switch (parameter.init) {
    case ZRT_INIT_ONES:
      return 1.0;
    case ZRT_INIT_CONSTANT:
      return parameter.init_arg0;
    case ZRT_INIT_IOTA:
      return parameter.init_arg0 + parameter.init_arg1 * double(index);
    case ZRT_INIT_UNIFORM: {
      auto words = wordsOf(index);
      double u = words[index % 4] * 0x1p-32;
      return parameter.init_arg0 + (parameter.init_arg1 - parameter.init_arg0) * u;
    }
    case ZRT_INIT_NORMAL:
      return parameter.init_arg0 + parameter.init_arg1 * normal(index);
    default:
      return 0.0;
    }
  }

private:
  /// The four words that the group of four elements of `index` shares.
  const std::array<uint32_t, 4> &wordsOf(uint64_t index) {
    uint64_t group = index / 4;
    if (group != cachedGroup) {
      words = philox({uint32_t(group), uint32_t(group >> 32), uint32_t(name), uint32_t(name >> 32)},
                     {uint32_t(seed), uint32_t(seed >> 32)});
      cachedGroup = group;
    }
    return words;
  }

  /// Box and Muller 1958: two words make two values.
  double normal(uint64_t index) {
    uint64_t pair = index / 2;
    if (pair != cachedPair) {
      auto &w = wordsOf(index);
      unsigned first = index % 4 & 2;
      double radius = std::sqrt(-2.0 * std::log((w[first] + 0.5) * 0x1p-32));
      double angle = 2.0 * std::numbers::pi * (w[first + 1] * 0x1p-32);
      normals[0] = radius * std::cos(angle);
      normals[1] = radius * std::sin(angle);
      cachedPair = pair;
    }
    return normals[index % 2];
  }

  const zrt_parameter_t &parameter;
  uint64_t seed, name;
  uint64_t cachedGroup = UINT64_MAX, cachedPair = UINT64_MAX;
  std::array<uint32_t, 4> words{};
  double normals[2] = {};
};

/// To nearest, ties to even, by way of f32.
uint16_t roundToBFloat16(double value) {
  uint32_t bits = __builtin_bit_cast(uint32_t, float(value));
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
} // namespace

static void storeValue(std::byte *target, uint32_t dtype, double value) {
  auto put = [&](auto narrow) { std::memcpy(target, &narrow, sizeof(narrow)); };
  switch (dtype) {
  case ZRT_DTYPE_F32:
    return put(float(value));
  case ZRT_DTYPE_F64:
    return put(value);
  case ZRT_DTYPE_BF16:
    return put(roundToBFloat16(value));
  default:
    return put(_Float16(value));
  }
}

/// Fills this rank's part of one parameter.
static void fillParameter(zrt_rank_t &rank, const zrt_parameter_t &parameter, uint64_t seed) {
  const zrt_bucket_t &bucket = rank.image.buckets()[parameter.bucket];
  const zrt_bucket_value_t &value = rank.image.table<zrt_bucket_value_t>(bucket.values)[0];
  uint64_t held = value.is_cut ? rank.number() * bucket.shard_elements : 0;
  uint64_t heldEnd = held + bucket.shard_elements * (value.is_cut ? 1 : rank.communicator.worldSize);
  uint64_t begin = std::max(held, parameter.bucket_offset_elements);
  uint64_t end = std::min(heldEnd, parameter.bucket_offset_elements + parameter.elements);
  if (begin >= end)
    return;
  uint64_t bytes = elementBytes(parameter.dtype);
  constexpr uint64_t kPart = 1 << 16;
  rank.pool.forEach((end - begin + kPart - 1) / kPart, [&](uint64_t part, unsigned) {
    ValueMaker maker(parameter, rank.image.string(parameter.name), seed);
    uint64_t from = begin + part * kPart, to = std::min(end, from + kPart);
    for (uint64_t i = from; i < to; ++i)
      storeValue(rank.valueData(value) + (i - held) * bytes, parameter.dtype,
                 maker.at(i - parameter.bucket_offset_elements));
  });
}

} // namespace zrt

zrt_status_t *zrt_rank_initialize(zrt_rank_t *rank, uint64_t seed) {
  std::memset(rank->persistent.data(), 0, rank->persistent.size());
  for (const zrt_parameter_t &parameter : rank->image.parameters())
    if (parameter.alias_of == ZRT_NONE)
      zrt::fillParameter(*rank, parameter, seed);
  return nullptr;
}
