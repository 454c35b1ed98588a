//===- Rank.h - One rank of a running program -------------------*- C++ -*-===//

#ifndef ZRT_CORE_RANK_H
#define ZRT_CORE_RANK_H

#include "comm/Communicator.h"
#include "core/Image.h"
#include "cpu/Arena.h"
#include "cpu/Matmul.h"
#include "cpu/ThreadPool.h"

#include <memory>
#include <vector>

struct zrt_rank {
  zrt_rank(const zrt_module_t &module, zrt_communicator_t &communicator)
      : module(module), image(module.image), communicator(communicator) {}

  const zrt_module_t module;
  const zrt::Image image;
  zrt_communicator_t &communicator;
  zrt::ThreadPool pool;
  zrt::Arena persistent, transient;
  std::vector<std::unique_ptr<zrt::Product>> products; ///< by index of zrt_matmul_t
  zrt_counters_t counters{};

  uint32_t number() const { return communicator.rank; }

  /// Where a persistent value of a bucket is in this rank's memory.
  std::byte *valueData(const zrt_bucket_value_t &value) const {
    return persistent.data() + value.offset;
  }
};

#endif // ZRT_CORE_RANK_H
