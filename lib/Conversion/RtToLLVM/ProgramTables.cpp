//===- ProgramTables.cpp - A program in an image --------------------------===//

#include "ImageBuilder.h"

#include "zero/Analysis/BufferPlaces.h"
#include "zero/Analysis/QueueClocks.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace zero {
namespace {

class ProgramTableBuilder {
public:
  ProgramTableBuilder(rt::ProgramOp program, SymbolTable &symbols, KernelTable &kernels,
                      ImageTables &tables)
      : program(program), symbols(symbols), kernels(kernels), tables(tables),
        timeline(timelineOf(program)), clocks(timeline) {}

  LogicalResult run();

private:
  LogicalResult addExternals();
  LogicalResult addCommand(unsigned index);
  LogicalResult addView(Value buffer, unsigned access, int64_t threadParts = 0);
  LogicalResult addPayload(rt::DispatchOp op, zrt_command_t &command);
  LogicalResult addPayload(rt::MatmulOp op, zrt_command_t &command);
  LogicalResult addPayload(rt::FillOp op, zrt_command_t &command);
  LogicalResult addPayload(rt::CopyOp op, zrt_command_t &command);
  LogicalResult addPayload(rt::CollectiveOpInterface op, zrt_command_t &command);
  void addWaits(rt::TimelineOpInterface op, zrt_command_t &command);
  void countGradients();

  rt::ProgramOp program;
  SymbolTable &symbols;
  KernelTable &kernels;
  ImageTables &tables;
  SmallVector<rt::TimelineOpInterface> timeline;
  QueueClocks clocks;
  zrt_program_t entry{};
};
} // namespace

LogicalResult ProgramTableBuilder::addExternals() {
  entry.externals.offset = tables.externals.size();
  for (auto attrs : program.getExternals().getAsRange<DictionaryAttr>()) {
    auto type = cast<RankedTensorType>(cast<TypeAttr>(attrs.get("type")).getValue());
    FailureOr<zrt_dtype_t> dtype = runtimeType(type.getElementType());
    if (failed(dtype))
      return program.emitError() << "has an external of type " << type
                                 << ", which the runtime does not know";
    uint32_t name = tables.addString(cast<StringAttr>(attrs.get("role")).getValue());
    tables.externals.push_back(
        {name, name,
         uint32_t(attrs.contains("output") ? ZRT_EXTERNAL_OUTPUT : ZRT_EXTERNAL_INPUT),
         uint32_t(*dtype), uint32_t(type.getRank()), tables.addDims(type.getShape()),
         uint64_t(type.getNumElements() *
                  llvm::divideCeil(type.getElementTypeBitWidth(), 8))});
  }
  entry.externals.count = tables.externals.size() - entry.externals.offset;
  return success();
}

/// `threadParts` > 0: each thread has its part of the buffer.
LogicalResult ProgramTableBuilder::addView(Value buffer, unsigned access, int64_t threadParts) {
  BufferPlace place = placeOf(buffer);
  zrt_view_t view{};
  std::optional<uint64_t> offset = 0;
  if (auto alloc = place.root.getDefiningOp<rt::AllocOp>()) {
    view.arena = ZRT_ARENA_TRANSIENT;
    offset = alloc.getOffset();
  } else if (auto reference = place.root.getDefiningOp<rt::GlobalRefOp>()) {
    view.arena = ZRT_ARENA_PERSISTENT;
    offset = symbols.lookup<rt::GlobalOp>(reference.getGlobal()).getOffset();
  } else {
    view.arena = ZRT_ARENA_EXTERNAL + cast<BlockArgument>(place.root).getArgNumber();
  }
  if (!offset)
    return program.emitError() << "has a buffer without a place; run rt-plan-memory first";
  view.offset = *offset + place.offset;
  view.rank_stride = place.rankStride;
  view.size = place.size;
  view.thread_stride = threadParts ? place.size / threadParts : 0;
  view.access = access;
  tables.views.push_back(view);
  return success();
}

LogicalResult ProgramTableBuilder::addPayload(rt::DispatchOp op, zrt_command_t &command) {
  uint32_t kernel =
      kernels.insert({op.getKernelAttr().getAttr(), uint32_t(kernels.size())}).first->second;
  command.opcode = ZRT_OPCODE_DISPATCH;
  command.payload = tables.dispatches.size();
  command.name = tables.addString(op.getKernel());
  uint32_t firstSegment = tables.segments.size(), count = op.getSegmentBegins().size();
  for (uint32_t i = 0; i < count; ++i)
    tables.segments.push_back({uint64_t(op.getSegmentBegins()[i]),
                               uint64_t(op.getSegmentEnds()[i]), op.getSegmentLrScales()[i],
                               op.getSegmentWeightDecays()[i]});
  tables.dispatches.push_back({op.getExtent(), op.getGrain(), op.getRankElements(), kernel,
                               firstSegment, count, 0});
  tables.scalars.append(op.getScalars().begin(), op.getScalars().end());
  for (Value in : op.getIns())
    if (failed(addView(in, ZRT_ACCESS_READ)))
      return failure();
  for (auto [out, updated] : llvm::zip_equal(op.getOuts(), op.getUpdated()))
    if (failed(addView(out, ZRT_ACCESS_WRITE | (updated ? ZRT_ACCESS_READ : 0))))
      return failure();
  ++entry.predicted.dispatches;
  return op.getScratch() ? addView(op.getScratch(), ZRT_ACCESS_WRITE,
                                   int64_t(program.getThreadsPerRank()))
                         : success();
}

LogicalResult ProgramTableBuilder::addPayload(rt::MatmulOp op, zrt_command_t &command) {
  FailureOr<zrt_dtype_t> dtype = runtimeType(op.getElementType());
  if (failed(dtype))
    return op.emitError() << "multiplies elements of " << op.getElementType();
  command.opcode = ZRT_OPCODE_MATMUL;
  command.payload = tables.matmuls.size();
  auto s = op.getSizes(), a = op.getAStrides(), b = op.getBStrides(), c = op.getCStrides();
  uint64_t scratchBytes =
      op.getScratch() ? cast<rt::BufferType>(op.getScratch().getType()).getBytes() : 0;
  tables.matmuls.push_back({s[0], s[1], s[2], s[3], a[0], a[1], a[2], b[0], b[1], b[2], c[0],
                            c[1], uint32_t(*dtype), uint32_t(*dtype), uint32_t(*dtype),
                            op.getAccumulate(), op.getBias() != nullptr,
                            uint32_t(program.getThreadsPerRank()), scratchBytes});
  ++entry.predicted.matmuls;
  tables.header.library_workspace_bytes =
      std::max(tables.header.library_workspace_bytes, scratchBytes);
  unsigned written = ZRT_ACCESS_WRITE | (op.getAccumulate() ? ZRT_ACCESS_READ : 0);
  if (failed(addView(op.getA(), ZRT_ACCESS_READ)) || failed(addView(op.getB(), ZRT_ACCESS_READ)) ||
      (op.getBias() && failed(addView(op.getBias(), ZRT_ACCESS_READ))) ||
      failed(addView(op.getC(), written)))
    return failure();
  return op.getScratch() ? addView(op.getScratch(), ZRT_ACCESS_WRITE) : success();
}

LogicalResult ProgramTableBuilder::addPayload(rt::FillOp op, zrt_command_t &command) {
  command.opcode = ZRT_OPCODE_FILL;
  command.payload = 1;
  tables.scalars.push_back(0);
  ++entry.predicted.fills;
  return addView(op.getTarget(), ZRT_ACCESS_WRITE);
}

LogicalResult ProgramTableBuilder::addPayload(rt::CopyOp op, zrt_command_t &command) {
  command.opcode = ZRT_OPCODE_COPY;
  ++entry.predicted.copies;
  entry.predicted.packing_copy_bytes += cast<rt::BufferType>(op.getSource().getType()).getBytes();
  if (failed(addView(op.getSource(), ZRT_ACCESS_READ)))
    return failure();
  return addView(op.getTarget(), ZRT_ACCESS_WRITE);
}

LogicalResult ProgramTableBuilder::addPayload(rt::CollectiveOpInterface op,
                                              zrt_command_t &command) {
  FailureOr<zrt_dtype_t> dtype = runtimeType(op.getElementType());
  if (failed(dtype))
    return op.emitError() << "sends elements of " << op.getElementType();
  auto kind = isa<rt::AllGatherOp>(op.getOperation())       ? ZRT_COLLECTIVE_ALL_GATHER
              : isa<rt::ReduceScatterOp>(op.getOperation()) ? ZRT_COLLECTIVE_REDUCE_SCATTER
                                                            : ZRT_COLLECTIVE_ALL_REDUCE;
  command.opcode = ZRT_OPCODE_ALL_GATHER + kind;
  command.payload = tables.collectives.size();
  tables.collectives.push_back(
      {uint64_t(op.getNumElements()), uint32_t(*dtype), 0, op.isScalar(), 0});
  uint64_t sent = op.getBytesSent(program.getWorldSize());
  if (op.isScalar()) {
    ++entry.predicted.scalar_count;
    entry.predicted.scalar_bytes_sent += sent;
  } else {
    ++entry.predicted.collective_count[kind];
    entry.predicted.collective_bytes_sent[kind] += sent;
  }
  if (failed(addView(op.getSource(), ZRT_ACCESS_READ)))
    return failure();
  return addView(op.getTarget(), ZRT_ACCESS_WRITE);
}

/// The last operation of each queue that a wait stands for, joins looked through.
void ProgramTableBuilder::addWaits(rt::TimelineOpInterface op, zrt_command_t &command) {
  SmallVector<Value> worklist(op.getWaits());
  while (!worklist.empty()) {
    Operation *waited = worklist.pop_back_val().getDefiningOp();
    if (auto join = dyn_cast_or_null<rt::JoinOp>(waited)) {
      llvm::append_range(worklist, join.getTimepoints());
      continue;
    }
    unsigned index = llvm::find(timeline, waited) - timeline.begin();
    tables.waits.push_back({clocks.queueOf(index), clocks.ordinalOf(index)});
  }
}

LogicalResult ProgramTableBuilder::addCommand(unsigned index) {
  rt::TimelineOpInterface op = timeline[index];
  zrt_command_t command{};
  command.queue = uint32_t(op.getQueue());
  command.name = tables.addString(op->getName().stripDialect());
  command.view_begin = tables.views.size();
  command.scalar_begin = tables.scalars.size();
  command.wait_begin = tables.waits.size();
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<rt::DispatchOp, rt::MatmulOp, rt::FillOp, rt::CopyOp,
                rt::CollectiveOpInterface>([&](auto o) { return addPayload(o, command); })
          .Default([](Operation *other) {
            return other->emitError() << "has no command in the runtime";
          });
  if (failed(result))
    return failure();
  addWaits(op, command);
  command.view_count = tables.views.size() - command.view_begin;
  command.scalar_count = tables.scalars.size() - command.scalar_begin;
  command.wait_count = tables.waits.size() - command.wait_begin;
  tables.commands.push_back(command);
  return success();
}

/// Bytes of gradients that are live when the updates start: of the buffers that
/// updates read their gradients from.
void ProgramTableBuilder::countGradients() {
  DenseMap<Value, int64_t> roots;
  for (rt::TimelineOpInterface op : timeline) {
    auto dispatch = dyn_cast<rt::DispatchOp>(op.getOperation());
    if (!dispatch || dispatch.getSegmentBegins().empty() || dispatch.getIns().empty())
      continue;
    BufferPlace place = placeOf(dispatch.getIns().front());
    if (place.root.getDefiningOp<rt::AllocOp>())
      roots[place.root] = cast<rt::BufferType>(place.root.getType()).getBytes();
  }
  int64_t bytes = 0;
  for (auto [root, size] : roots)
    bytes += size;
  tables.header.state_bytes[1] = std::max<uint64_t>(tables.header.state_bytes[1], bytes);
}

LogicalResult ProgramTableBuilder::run() {
  entry.name = tables.addString(program.getSymName());
  if (failed(addExternals()))
    return failure();
  entry.commands.offset = tables.commands.size();
  for (unsigned index = 0; index < timeline.size(); ++index)
    if (failed(addCommand(index)))
      return failure();
  entry.commands.count = tables.commands.size() - entry.commands.offset;
  countGradients();
  tables.programs.push_back(entry);
  tables.header.world_size = program.getWorldSize();
  tables.header.threads_per_rank = program.getThreadsPerRank();
  return success();
}

LogicalResult addProgram(rt::ProgramOp program, SymbolTable &symbols, KernelTable &kernels,
                         ImageTables &tables) {
  return ProgramTableBuilder(program, symbols, kernels, tables).run();
}

} // namespace zero
