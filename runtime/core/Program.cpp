//===- Program.cpp - Running a command table ------------------------------===//

#include "comm/Collectives.h"
#include "core/Rank.h"

#include <algorithm>
#include <cstring>

namespace zrt {
namespace {

/// Runs one program once on one rank. Commands run in the order of the table, which
/// is an order of all queues that every wait agrees with.
class ProgramRun {
public:
  ProgramRun(zrt_rank_t &rank, void *const *externals) : rank(rank), externals(externals) {}

  zrt_status_t *run(const zrt_program_t &program) {
    for (const zrt_command_t &command : rank.image.table<zrt_command_t>(program.commands))
      ZRT_TRY(run(command));
    return nullptr;
  }

private:
  zrt_status_t *run(const zrt_command_t &command);
  void dispatch(const zrt_command_t &command);
  zrt_status_t *multiply(const zrt_command_t &command);
  void fill(const zrt_command_t &command);
  void copy(const zrt_command_t &command);
  zrt_status_t *communicate(const zrt_command_t &command);

  std::span<const zrt_view_t> views(const zrt_command_t &command) const {
    return rank.image.views().subspan(command.view_begin, command.view_count);
  }
  std::byte *address(const zrt_view_t &view) const {
    uint64_t offset = view.offset + rank.number() * view.rank_stride;
    if (view.arena == ZRT_ARENA_PERSISTENT)
      return rank.persistent.data() + offset;
    if (view.arena == ZRT_ARENA_TRANSIENT)
      return rank.transient.data() + offset;
    return static_cast<std::byte *>(externals[view.arena - ZRT_ARENA_EXTERNAL]) + offset;
  }

  zrt_rank_t &rank;
  void *const *externals;
};

/// The operands of a dispatch: addresses, the last one a thread's own where it is scratch.
struct Operands {
  static constexpr size_t kMost = 256;
  void *addresses[kMost];
  size_t count = 0;
  uint64_t threadStride = 0; ///< of the last operand
};
} // namespace

/// Calls `kernel` on [begin, end), cut over the pool at multiples of `grain`.
static void runKernel(ThreadPool &pool, zrt_kernel_fn_t kernel, const Operands &operands,
                      const int64_t *scalars, uint64_t begin, uint64_t end, uint64_t grain) {
  uint64_t units = (end - begin + grain - 1) / grain;
  // Four parts a thread even out what the parts cost.
  uint64_t wanted = pool.size() == 1 ? 1 : 4 * pool.size();
  uint64_t step = (units + wanted - 1) / wanted * grain;
  uint64_t parts = step ? (end - begin + step - 1) / step : 0;
  pool.forEach(parts, [&](uint64_t part, unsigned thread) {
    uint64_t from = begin + part * step;
    Operands own;
    std::copy_n(operands.addresses, operands.count, own.addresses);
    if (operands.threadStride)
      own.addresses[operands.count - 1] =
          static_cast<std::byte *>(own.addresses[operands.count - 1]) +
          thread * operands.threadStride;
    kernel(own.addresses, scalars, from, std::min(end, from + step));
  });
}

void ProgramRun::dispatch(const zrt_command_t &command) {
  const zrt_dispatch_t &what = rank.image.dispatches()[command.payload];
  zrt_kernel_fn_t kernel = rank.module.kernels[what.kernel];
  Operands operands;
  for (const zrt_view_t &view : views(command)) {
    operands.addresses[operands.count++] = address(view);
    operands.threadStride = view.thread_stride;
  }
  std::span<const int64_t> constants =
      rank.image.scalars().subspan(command.scalar_begin, command.scalar_count);
  ++rank.counters.dispatches;
  if (what.segment_count == 0)
    return runKernel(rank.pool, kernel, operands, constants.data(), 0, what.extent, what.grain);
  // An update: each segment clipped to this rank's slice of the bucket.
  std::vector<int64_t> scalars(constants.begin(), constants.end());
  scalars.resize(constants.size() + 2);
  uint64_t sliceBegin = rank.number() * what.rank_elements, sliceEnd = sliceBegin + what.extent;
  for (const zrt_segment_t &segment :
       rank.image.segments().subspan(what.segment_begin, what.segment_count)) {
    uint64_t begin = std::max(segment.begin, sliceBegin), end = std::min(segment.end, sliceEnd);
    if (begin >= end)
      continue;
    scalars[constants.size()] = __builtin_bit_cast(int64_t, segment.lr_scale);
    scalars[constants.size() + 1] = __builtin_bit_cast(int64_t, segment.weight_decay);
    runKernel(rank.pool, kernel, operands, scalars.data(), begin - sliceBegin, end - sliceBegin,
              what.grain);
  }
}

zrt_status_t *ProgramRun::multiply(const zrt_command_t &command) {
  const zrt_matmul_t &what = rank.image.matmuls()[command.payload];
  ++rank.counters.matmuls;
  Product *product = rank.products[command.payload].get();
  if (!product)
    return nullptr; // nothing to compute
  auto all = views(command);
  size_t next = 2;
  ProductOperands operands{address(all[0]), address(all[1]), nullptr, nullptr, nullptr};
  if (what.has_bias)
    operands.bias = address(all[next++]);
  operands.c = address(all[next++]);
  if (next < all.size())
    operands.scratch = address(all[next]);
  return product->run(operands, rank.pool);
}

void ProgramRun::fill(const zrt_command_t &command) {
  const zrt_view_t &view = views(command)[0];
  uint64_t pattern = rank.image.scalars()[command.scalar_begin];
  std::byte *target = address(view);
  for (uint64_t at = 0; at < view.size; at += command.payload)
    std::memcpy(target + at, &pattern, command.payload);
  ++rank.counters.fills;
}

void ProgramRun::copy(const zrt_command_t &command) {
  auto all = views(command);
  copyBytes(rank.pool, address(all[1]), address(all[0]), all[0].size);
  ++rank.counters.copies;
  rank.counters.packing_copy_bytes += all[0].size;
}

zrt_status_t *ProgramRun::communicate(const zrt_command_t &command) {
  const zrt_collective_t &what = rank.image.collectives()[command.payload];
  auto all = views(command);
  const void *source = address(all[0]);
  void *target = address(all[1]);
  unsigned kind = command.opcode - ZRT_OPCODE_ALL_GATHER;
  uint64_t sent = 0;
  zrt_communicator_t &c = rank.communicator;
  ZRT_TRY(kind == ZRT_COLLECTIVE_ALL_GATHER
              ? c.allGather(what, source, target, rank.pool, &sent)
          : kind == ZRT_COLLECTIVE_REDUCE_SCATTER
              ? c.reduceScatter(what, source, target, rank.pool, &sent)
              : c.allReduce(what, source, target, rank.pool, &sent));
  if (what.is_scalar) {
    ++rank.counters.scalar_count;
    rank.counters.scalar_bytes_sent += sent;
  } else {
    ++rank.counters.collective_count[kind];
    rank.counters.collective_bytes_sent[kind] += sent;
  }
  return nullptr;
}

zrt_status_t *ProgramRun::run(const zrt_command_t &command) {
  switch (command.opcode) {
  case ZRT_OPCODE_DISPATCH:
    dispatch(command);
    return nullptr;
  case ZRT_OPCODE_MATMUL:
    return multiply(command);
  case ZRT_OPCODE_FILL:
    fill(command);
    return nullptr;
  case ZRT_OPCODE_COPY:
    copy(command);
    return nullptr;
  default:
    return communicate(command);
  }
}

} // namespace zrt

zrt_status_t *zrt_rank_run(zrt_rank_t *rank, uint32_t program, void *const *externals) {
  auto programs = rank->image.programs();
  if (program >= programs.size())
    return zrt::makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "there is no program %u; the module has %zu",
                           program, programs.size());
  uint64_t count = programs[program].externals.count;
  for (uint64_t i = 0; i < count; ++i)
    if (!externals || !externals[i])
      return zrt::makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "external %llu is null",
                             static_cast<unsigned long long>(i));
  zrt::useOneMathThread();
  zrt_status_t *status = zrt::ProgramRun(*rank, externals).run(programs[program]);
  if (status && zrt_status_code(status) != ZRT_STATUS_ABORTED)
    rank->communicator.abort(zrt_status_message(status));
  return status;
}
