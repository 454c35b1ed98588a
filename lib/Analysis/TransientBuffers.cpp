//===- TransientBuffers.cpp - When each buffer of a program lives ---------===//

#include "zero/Analysis/TransientBuffers.h"

#include "zero/Analysis/BufferPlaces.h"

using namespace mlir;

namespace zero {

TransientBuffers::TransientBuffers(rt::ProgramOp program) {
  DenseMap<Operation *, size_t> index;
  for (auto alloc : program.getBody().front().getOps<rt::AllocOp>()) {
    index[alloc] = allocs.size();
    allocs.push_back(alloc);
    buffers.push_back({0, 0, -1});
  }
  for (auto [time, op] : llvm::enumerate(timelineOf(program)))
    for (const rt::BufferAccess &access : op.getAccesses()) {
      auto alloc = placeOf(access.buffer).root.getDefiningOp<rt::AllocOp>();
      if (!alloc)
        continue;
      PlannedBuffer &buffer = buffers[index[alloc]];
      if (buffer.last < 0)
        buffer = {alloc.getType().getBytes(), int64_t(time), int64_t(time)};
      buffer.last = time;
    }
  for (PlannedBuffer &buffer : buffers)
    buffer.last = std::max(buffer.last, buffer.first);
}

} // namespace zero
