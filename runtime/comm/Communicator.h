//===- Communicator.h - What every communicator can do ----------*- C++ -*-===//

#ifndef ZRT_COMM_COMMUNICATOR_H
#define ZRT_COMM_COMMUNICATOR_H

#include "core/Status.h"
#include "cpu/ThreadPool.h"

#include <cstdint>

/// One rank's end of a group. Calls are collective: every rank makes them in one order.
struct zrt_communicator {
  virtual ~zrt_communicator() = default;

  const uint32_t rank, worldSize;

  /// The collectives of zrt.h; `outBytesSent` are the bytes of this rank's memory that
  /// others read.
  virtual zrt_status_t *allGather(const zrt_collective_t &what, const void *source, void *target,
                                  zrt::ThreadPool &pool, uint64_t *outBytesSent) = 0;
  virtual zrt_status_t *reduceScatter(const zrt_collective_t &what, const void *source,
                                      void *target, zrt::ThreadPool &pool,
                                      uint64_t *outBytesSent) = 0;
  virtual zrt_status_t *allReduce(const zrt_collective_t &what, const void *source, void *target,
                                  zrt::ThreadPool &pool, uint64_t *outBytesSent) = 0;

  /// Bytes [begin, end) of the concatenation of every rank's `slice` of `sliceBytes`.
  virtual zrt_status_t *readSlices(const void *slice, uint64_t sliceBytes, uint64_t begin,
                                   uint64_t end, void *target) = 0;

  /// Fails on every rank unless all pass the same two words. `what` is for the error.
  virtual zrt_status_t *compare(const uint64_t words[2], const char *what) = 0;

  virtual void abort(const char *reason) = 0;

protected:
  zrt_communicator(uint32_t rank, uint32_t worldSize) : rank(rank), worldSize(worldSize) {}
};

#endif // ZRT_COMM_COMMUNICATOR_H
