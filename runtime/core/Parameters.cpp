//===- Parameters.cpp - Reading and writing whole parameters --------------===//

#include "core/Rank.h"

#include <algorithm>
#include <cstring>

namespace zrt {
namespace {
/// One value of a parameter, found and checked.
struct ParameterValue {
  const zrt_bucket_t *bucket;
  const zrt_bucket_value_t *value;
  uint64_t begin, end; ///< bytes in the bucket
  uint64_t shardBytes;
};
} // namespace

static zrt_status_t *find(zrt_rank_t &rank, uint32_t parameter, uint32_t value, uint64_t bytes,
                          ParameterValue &out) {
  auto parameters = rank.image.parameters();
  if (parameter >= parameters.size())
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "there is no parameter %u; the module has %zu",
                      parameter, parameters.size());
  const zrt_parameter_t &entry = parameters[parameter];
  out.bucket = &rank.image.buckets()[entry.bucket];
  auto values = rank.image.table<zrt_bucket_value_t>(out.bucket->values);
  const char *name = rank.image.string(entry.name);
  if (value >= values.size())
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "parameter %s has no value %u; it has %zu", name,
                      value, values.size());
  out.value = &values[value];
  uint64_t elementSize = elementBytes(out.value->dtype);
  if (bytes != entry.elements * elementSize)
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT,
                      "parameter %s has %llu bytes; the buffer has %llu", name,
                      static_cast<unsigned long long>(entry.elements * elementSize),
                      static_cast<unsigned long long>(bytes));
  out.begin = entry.bucket_offset_elements * elementSize;
  out.end = out.begin + bytes;
  out.shardBytes = out.bucket->shard_elements * elementSize;
  return nullptr;
}

} // namespace zrt

zrt_status_t *zrt_rank_read_parameter(zrt_rank_t *rank, uint32_t parameter, uint32_t value,
                                      void *out_bytes, uint64_t bytes) {
  zrt::ParameterValue found;
  ZRT_TRY(zrt::find(*rank, parameter, value, bytes, found));
  const std::byte *data = rank->valueData(*found.value);
  if (found.value->is_cut)
    return rank->communicator.readSlices(data, found.shardBytes, found.begin, found.end, out_bytes);
  std::memcpy(out_bytes, data + found.begin, bytes);
  return nullptr;
}

zrt_status_t *zrt_rank_write_parameter(zrt_rank_t *rank, uint32_t parameter, uint32_t value,
                                       const void *in_bytes, uint64_t bytes) {
  zrt::ParameterValue found;
  ZRT_TRY(zrt::find(*rank, parameter, value, bytes, found));
  uint64_t held = found.value->is_cut ? rank->number() * found.shardBytes : 0;
  uint64_t heldEnd = found.value->is_cut ? held + found.shardBytes : UINT64_MAX;
  uint64_t begin = std::max(held, found.begin), end = std::min(heldEnd, found.end);
  if (begin < end)
    std::memcpy(rank->valueData(*found.value) + (begin - held),
                static_cast<const std::byte *>(in_bytes) + (begin - found.begin), end - begin);
  return nullptr;
}
