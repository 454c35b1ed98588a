//===- Rank.cpp - Creating and destroying ranks ---------------------------===//

#include "core/Rank.h"

namespace zrt {

/// Products are made before the first step, so that no step pays for it.
static zrt_status_t *createProducts(zrt_rank_t &rank) {
  for (const zrt_matmul_t &matmul : rank.image.matmuls()) {
    std::unique_ptr<Product> product;
    if (matmul.batch > 0 && matmul.m > 0 && matmul.n > 0) {
      ZRT_TRY(Product::create(matmul, product));
      if (product->scratchBytes() > matmul.scratch_bytes)
        return makeStatus(ZRT_STATUS_MISMATCH,
                          "a product needs %llu bytes of scratch and was planned with %llu; it was "
                          "compiled for another machine",
                          static_cast<unsigned long long>(product->scratchBytes()),
                          static_cast<unsigned long long>(matmul.scratch_bytes));
    }
    rank.products.push_back(std::move(product));
  }
  return nullptr;
}

static zrt_status_t *create(const zrt_module_t *module, zrt_communicator_t *communicator,
                            const zrt_rank_config_t *config, std::unique_ptr<zrt_rank> &out) {
  if (!config || config->struct_size < sizeof(*config) || !communicator)
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "rank config or communicator is null");
  ZRT_TRY(zrt_module_validate(module));
  const zrt_image_t &image = *module->image;
  if (communicator->worldSize != image.world_size)
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT,
                      "the program was compiled for %u ranks and is launched with %u",
                      image.world_size, communicator->worldSize);
  if (config->threads != image.threads_per_rank)
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT,
                      "the program was compiled for %u threads a rank and is launched with %u",
                      image.threads_per_rank, config->threads);
  auto rank = std::make_unique<zrt_rank>(*module, *communicator);
  if (!rank->pool.start(config->threads))
    return makeStatus(ZRT_STATUS_OUT_OF_MEMORY, "rank %u can't start %u threads", rank->number(),
                      config->threads);
  ZRT_TRY(rank->persistent.allocate(image.persistent_bytes, "persistent", rank->number()));
  ZRT_TRY(rank->transient.allocate(image.transient_bytes, "transient", rank->number()));
  ZRT_TRY(createProducts(*rank));
  ZRT_TRY(communicator->compare(image.fingerprint, "programs (fingerprints)"));
  out = std::move(rank);
  return nullptr;
}

} // namespace zrt

zrt_status_t *zrt_rank_create(const zrt_module_t *module, zrt_communicator_t *communicator,
                              const zrt_rank_config_t *config, zrt_rank_t **out_rank) {
  std::unique_ptr<zrt_rank> rank;
  if (zrt_status_t *status = zrt::create(module, communicator, config, rank)) {
    if (communicator)
      communicator->abort(zrt_status_message(status));
    return status;
  }
  *out_rank = rank.release();
  return nullptr;
}

void zrt_rank_destroy(zrt_rank_t *rank) { delete rank; }

void zrt_rank_counters(const zrt_rank_t *rank, zrt_counters_t *out_counters) {
  *out_counters = rank->counters;
}

uint64_t zrt_rank_allocated_bytes(const zrt_rank_t *rank) {
  return rank->persistent.size() + rank->transient.size();
}
