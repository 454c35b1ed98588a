//===- InProcess.cpp - Ranks that are threads of one process --------------===//
//
// A collective is: publish where my memory is, meet, read the memory of the others,
// meet again so that nobody changes what others still read. Each meeting has a
// deadline, and its error names the rank that did not come.
//
//===----------------------------------------------------------------------===//

#include "comm/Collectives.h"
#include "comm/Communicator.h"
#include "core/Image.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace zrt {
namespace {

using Clock = std::chrono::steady_clock;

/// What a rank does, as the others see it; compared in checking mode.
struct Announcement {
  const char *operation = "";
  uint64_t sequence = 0, elements = 0;
  uint32_t dtype = 0, group = 0;

  bool operator==(const Announcement &other) const {
    return std::strcmp(operation, other.operation) == 0 && sequence == other.sequence &&
           elements == other.elements && dtype == other.dtype && group == other.group;
  }
};

/// A rank's side of a meeting.
struct alignas(128) Seat {
  std::atomic<uint64_t> arrivals{0};
  std::atomic<uint64_t> bytesRead{0}; ///< of this rank's memory, by others
  Announcement announcement;
  const void *source = nullptr;
  void *target = nullptr;
  uint64_t words[2] = {};
  alignas(64) unsigned char scalar[64] = {};
};

/// What the ranks of one communicator share.
struct Group {
  Group(const zrt_communicator_config_t &config, uint32_t worldSize)
      : deadlineSeconds(config.deadline_seconds), check(config.check), seats(worldSize) {}

  double deadlineSeconds;
  bool check;
  std::vector<Seat> seats;
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> aborted{false};
  std::string reason; ///< guarded by mutex
};

class InProcessCommunicator : public zrt_communicator {
public:
  InProcessCommunicator(std::shared_ptr<Group> group, uint32_t rank)
      : zrt_communicator(rank, group->seats.size()), group(std::move(group)) {}

  zrt_status_t *allGather(const zrt_collective_t &what, const void *source, void *target,
                          ThreadPool &pool, uint64_t *outBytesSent) override;
  zrt_status_t *reduceScatter(const zrt_collective_t &what, const void *source, void *target,
                              ThreadPool &pool, uint64_t *outBytesSent) override;
  zrt_status_t *allReduce(const zrt_collective_t &what, const void *source, void *target,
                          ThreadPool &pool, uint64_t *outBytesSent) override;
  zrt_status_t *readSlices(const void *slice, uint64_t sliceBytes, uint64_t begin, uint64_t end,
                           void *target) override;
  zrt_status_t *compare(const uint64_t words[2], const char *what) override;
  void abort(const char *reason) override;

private:
  Seat &mine() { return group->seats[rank]; }
  zrt_status_t *open(const char *operation, const zrt_collective_t &what, const void *source,
                     void *target);
  zrt_status_t *close(uint64_t *outBytesSent);
  zrt_status_t *meet();
  zrt_status_t *checkAnnouncements();
  zrt_status_t *abortedStatus();
  bool allHaveArrived(uint64_t arrivals);
  void countRead(uint32_t from, uint64_t bytes) {
    if (from != rank)
      group->seats[from].bytesRead.fetch_add(bytes, std::memory_order_relaxed);
  }
  zrt_status_t *reduceScalar(const zrt_collective_t &what, void *target, uint64_t *outBytesSent);

  std::shared_ptr<Group> group;
  uint64_t sequence = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

zrt_status_t *InProcessCommunicator::abortedStatus() {
  std::lock_guard lock(group->mutex);
  return makeStatus(ZRT_STATUS_ABORTED, "rank %u stops at %s #%llu: %s", rank,
                    mine().announcement.operation,
                    static_cast<unsigned long long>(mine().announcement.sequence),
                    group->reason.c_str());
}

bool InProcessCommunicator::allHaveArrived(uint64_t arrivals) {
  return std::all_of(group->seats.begin(), group->seats.end(), [&](const Seat &seat) {
    return seat.arrivals.load(std::memory_order_acquire) >= arrivals;
  });
}

zrt_status_t *InProcessCommunicator::meet() {
  uint64_t arrivals = mine().arrivals.load(std::memory_order_relaxed) + 1;
  {
    std::lock_guard lock(group->mutex);
    mine().arrivals.store(arrivals, std::memory_order_release);
  }
  group->changed.notify_all();
  for (unsigned spin = 0; spin < 2000 && !allHaveArrived(arrivals); ++spin)
    __builtin_ia32_pause();
  if (!allHaveArrived(arrivals)) {
    auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(group->deadlineSeconds));
    std::unique_lock lock(group->mutex);
    bool done = group->changed.wait_until(
        lock, deadline, [&] { return group->aborted || allHaveArrived(arrivals); });
    if (!done) {
      uint32_t late = 0;
      while (group->seats[late].arrivals.load() >= arrivals)
        ++late;
      return makeStatus(ZRT_STATUS_DEADLINE_EXCEEDED,
                        "rank %u waited %g s for rank %u at %s #%llu", rank,
                        group->deadlineSeconds, late, mine().announcement.operation,
                        static_cast<unsigned long long>(mine().announcement.sequence));
    }
  }
  return group->aborted ? abortedStatus() : nullptr;
}

zrt_status_t *InProcessCommunicator::checkAnnouncements() {
  for (uint32_t other = 0; other < worldSize; ++other) {
    const Announcement &a = mine().announcement, &b = group->seats[other].announcement;
    if (a == b)
      continue;
    return makeStatus(ZRT_STATUS_MISMATCH,
                      "rank %u is at %s #%llu (%llu elements of type %u, group %u) and rank %u at "
                      "%s #%llu (%llu elements of type %u, group %u)",
                      rank, a.operation, static_cast<unsigned long long>(a.sequence),
                      static_cast<unsigned long long>(a.elements), a.dtype, a.group, other,
                      b.operation, static_cast<unsigned long long>(b.sequence),
                      static_cast<unsigned long long>(b.elements), b.dtype, b.group);
  }
  return nullptr;
}

/// Publishes this rank's side and waits for the others'.
zrt_status_t *InProcessCommunicator::open(const char *operation, const zrt_collective_t &what,
                                          const void *source, void *target) {
  mine().announcement = {operation, sequence++, what.elements, what.dtype, what.group};
  mine().source = source;
  mine().target = target;
  ZRT_TRY(meet());
  return group->check ? checkAnnouncements() : nullptr;
}

zrt_status_t *InProcessCommunicator::close(uint64_t *outBytesSent) {
  ZRT_TRY(meet());
  *outBytesSent = mine().bytesRead.exchange(0, std::memory_order_relaxed);
  return nullptr;
}

void InProcessCommunicator::abort(const char *reason) {
  {
    std::lock_guard lock(group->mutex);
    if (!group->aborted)
      group->reason = reason;
    group->aborted = true;
  }
  group->changed.notify_all();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

zrt_status_t *InProcessCommunicator::allGather(const zrt_collective_t &what, const void *source,
                                               void *target, ThreadPool &pool,
                                               uint64_t *outBytesSent) {
  ZRT_TRY(open("all_gather", what, source, target));
  uint64_t shard = what.elements / worldSize * elementBytes(what.dtype);
  // Everyone starts at its own slice, so that no two read one rank's memory at once.
  for (uint32_t step = 0; step < worldSize; ++step) {
    uint32_t from = (rank + step) % worldSize;
    copyBytes(pool, static_cast<char *>(target) + from * shard, group->seats[from].source, shard);
    countRead(from, shard);
  }
  return close(outBytesSent);
}

zrt_status_t *InProcessCommunicator::reduceScatter(const zrt_collective_t &what,
                                                   const void *source, void *target,
                                                   ThreadPool &pool, uint64_t *outBytesSent) {
  ZRT_TRY(open("reduce_scatter", what, source, target));
  uint64_t shard = what.elements / worldSize, bytes = elementBytes(what.dtype);
  std::vector<const void *> sources;
  for (uint32_t from = 0; from < worldSize; ++from) {
    sources.push_back(static_cast<const char *>(group->seats[from].source) + rank * shard * bytes);
    countRead(from, shard * bytes);
  }
  sumInOrder(pool, what.dtype, sources, target, 0, shard);
  return close(outBytesSent);
}

zrt_status_t *InProcessCommunicator::reduceScalar(const zrt_collective_t &what, void *target,
                                                  uint64_t *outBytesSent) {
  std::vector<const void *> sources;
  for (uint32_t from = 0; from < worldSize; ++from) {
    sources.push_back(group->seats[from].scalar);
    countRead(from, what.elements * elementBytes(what.dtype));
  }
  sumInOrder(what.dtype, sources, target, 0, what.elements);
  return close(outBytesSent);
}

/// A reduce-scatter into the rank's segment of the target, then an all-gather of the
/// segments; the last one may be short.
zrt_status_t *InProcessCommunicator::allReduce(const zrt_collective_t &what, const void *source,
                                               void *target, ThreadPool &pool,
                                               uint64_t *outBytesSent) {
  uint64_t bytes = elementBytes(what.dtype);
  if (what.is_scalar && what.elements * bytes <= sizeof(Seat::scalar)) {
    std::memcpy(mine().scalar, source, what.elements * bytes);
    ZRT_TRY(open("all_reduce", what, source, target));
    return reduceScalar(what, target, outBytesSent);
  }
  ZRT_TRY(open("all_reduce", what, source, target));
  uint64_t segment = (what.elements + worldSize - 1) / worldSize;
  auto begin = [&](uint32_t owner) { return std::min(what.elements, owner * segment); };
  std::vector<const void *> sources;
  for (uint32_t from = 0; from < worldSize; ++from) {
    sources.push_back(group->seats[from].source);
    countRead(from, (begin(rank + 1) - begin(rank)) * bytes);
  }
  sumInOrder(pool, what.dtype, sources, target, begin(rank), begin(rank + 1));
  ZRT_TRY(meet());
  for (uint32_t step = 1; step < worldSize; ++step) {
    uint32_t from = (rank + step) % worldSize;
    uint64_t offset = begin(from) * bytes, size = begin(from + 1) * bytes - offset;
    copyBytes(pool, static_cast<char *>(target) + offset,
              static_cast<const char *>(group->seats[from].target) + offset, size);
    countRead(from, size);
  }
  return close(outBytesSent);
}

zrt_status_t *InProcessCommunicator::readSlices(const void *slice, uint64_t sliceBytes,
                                                uint64_t begin, uint64_t end, void *target) {
  zrt_collective_t what{end - begin, ZRT_DTYPE_I8, 0, 0, 0};
  ZRT_TRY(open("read_parameter", what, slice, nullptr));
  for (uint32_t from = 0; from < worldSize && sliceBytes; ++from) {
    uint64_t lo = std::max(begin, from * sliceBytes), hi = std::min(end, (from + 1) * sliceBytes);
    if (lo < hi)
      std::memcpy(static_cast<char *>(target) + (lo - begin),
                  static_cast<const char *>(group->seats[from].source) + (lo - from * sliceBytes),
                  hi - lo);
  }
  uint64_t sent;
  return close(&sent);
}

zrt_status_t *InProcessCommunicator::compare(const uint64_t words[2], const char *what) {
  std::copy(words, words + 2, mine().words);
  ZRT_TRY(open("compare", {}, nullptr, nullptr));
  for (uint32_t other = 0; other < worldSize; ++other)
    if (!std::equal(words, words + 2, group->seats[other].words))
      return makeStatus(ZRT_STATUS_MISMATCH, "ranks %u and %u have different %s", rank, other,
                        what);
  uint64_t sent;
  return close(&sent);
}

} // namespace zrt

//===----------------------------------------------------------------------===//
// C ABI
//===----------------------------------------------------------------------===//

zrt_status_t *zrt_communicator_create_in_process(const zrt_communicator_config_t *config,
                                                 uint32_t world_size,
                                                 zrt_communicator_t **out_ends) {
  if (!config || config->struct_size < sizeof(*config))
    return zrt::makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "communicator config is null or too small");
  if (world_size == 0 || !out_ends)
    return zrt::makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "world size is 0; want at least one rank");
  if (!(config->deadline_seconds > 0 && config->deadline_seconds < 1e9))
    return zrt::makeStatus(ZRT_STATUS_INVALID_ARGUMENT,
                           "deadline is %g s; want a positive number below 1e9",
                           config->deadline_seconds);
  auto group = std::make_shared<zrt::Group>(*config, world_size);
  for (uint32_t rank = 0; rank < world_size; ++rank)
    out_ends[rank] = new zrt::InProcessCommunicator(group, rank);
  return nullptr;
}

void zrt_communicator_destroy(zrt_communicator_t *communicator) { delete communicator; }
uint32_t zrt_communicator_rank(const zrt_communicator_t *communicator) {
  return communicator->rank;
}
uint32_t zrt_communicator_world_size(const zrt_communicator_t *communicator) {
  return communicator->worldSize;
}
void zrt_communicator_abort(zrt_communicator_t *communicator, const char *reason) {
  communicator->abort(reason);
}
