//===- VerifySchedule.cpp - The proof that a program has no races ---------===//

#include "ByteHistory.h"

#include "zero/Analysis/BufferPlaces.h"
#include "zero/Analysis/QueueClocks.h"
#include "zero/Transforms/RtPasses.h"

#include "dialects/Rt/RtOps.h"

using namespace mlir;

namespace zero {
#define GEN_PASS_DEF_RTVERIFYSCHEDULEPASS
#include "zero/Transforms/RtPasses.h.inc"

namespace {
/// Bytes of an arena that an operation touches on rank 0, and how they move with the rank.
struct Touch {
  unsigned arena;
  BufferPlace place;
  int64_t begin; ///< in the arena, on rank 0
  bool reads, writes;
  /// Of a persistent buffer: the updated version is meant, not that at the start.
  bool updated = false;
};

class ProgramChecker {
public:
  ProgramChecker(rt::ProgramOp program, SymbolTable &symbols, DictionaryAttr memory)
      : program(program), symbols(symbols), memory(memory), timeline(timelineOf(program)),
        clocks(timeline) {}

  LogicalResult run();

private:
  LogicalResult checkCollectiveQueue();
  LogicalResult collectTouches();
  FailureOr<Touch> touchOf(Operation *op, const rt::BufferAccess &access);
  LogicalResult checkRank(int64_t rank);
  LogicalResult checkVersion(unsigned op, const Touch &touch, const ByteRange &range,
                             ByteHistory &history, int64_t rank);
  std::vector<int64_t> representativeRanks();
  LogicalResult report(unsigned op, const ByteConflict &conflict, int64_t rank);

  int64_t bytesOf(StringRef name) {
    auto attr = memory ? memory.getAs<IntegerAttr>(name) : IntegerAttr();
    return attr ? attr.getInt() : 0;
  }

  rt::ProgramOp program;
  SymbolTable &symbols;
  DictionaryAttr memory;
  SmallVector<rt::TimelineOpInterface> timeline;
  QueueClocks clocks;
  SmallVector<SmallVector<Touch>> touches; ///< by operation
};
} // namespace

/// Their order is then one order for every group.
LogicalResult ProgramChecker::checkCollectiveQueue() {
  rt::TimelineOpInterface first;
  for (rt::TimelineOpInterface op : timeline) {
    if (!isa<rt::CollectiveOpInterface>(op.getOperation()))
      continue;
    if (first && first.getQueue() != op.getQueue()) {
      InFlightDiagnostic diagnostic = op.emitError()
                                      << "is a collective on queue "
                                      << rt::stringifyQueue(op.getQueue())
                                      << "; another one is on "
                                      << rt::stringifyQueue(first.getQueue());
      diagnostic.attachNote(first.getLoc()) << "the other one";
      return diagnostic;
    }
    if (!first)
      first = op;
  }
  return success();
}

FailureOr<Touch> ProgramChecker::touchOf(Operation *op, const rt::BufferAccess &access) {
  Touch touch{0, placeOf(access.buffer), 0, access.reads, access.writes};
  int64_t arenaBytes = 0;
  std::optional<int64_t> offset;
  if (auto alloc = touch.place.root.getDefiningOp<rt::AllocOp>()) {
    touch.arena = kTransientArena;
    arenaBytes = bytesOf("transient_bytes");
    offset = alloc.getOffset();
  } else if (auto reference = touch.place.root.getDefiningOp<rt::GlobalRefOp>()) {
    touch.arena = kPersistentArena;
    arenaBytes = bytesOf("persistent_bytes");
    offset = symbols.lookup<rt::GlobalOp>(reference.getGlobal()).getOffset();
    touch.updated = reference.getUpdated();
    if (touch.writes && !touch.reads && !touch.updated)
      return op->emitError() << "overwrites " << reference.getGlobalAttr()
                             << " through a reference to its value at the start of the step";
  } else {
    auto argument = cast<BlockArgument>(touch.place.root);
    touch.arena = kExternalArena + argument.getArgNumber();
    arenaBytes = cast<rt::BufferType>(argument.getType()).getBytes();
    offset = 0;
  }
  if (!offset)
    return op->emitError() << "touches a buffer that has no place; run rt-plan-memory first";
  touch.begin = *offset + touch.place.offset;
  int64_t lastRank = int64_t(program.getWorldSize()) - 1;
  int64_t end = touch.begin + lastRank * touch.place.rankStride + touch.place.size;
  if (end > arenaBytes)
    return op->emitError() << "touches byte " << end << " of an arena of " << arenaBytes;
  return touch;
}

LogicalResult ProgramChecker::collectTouches() {
  for (rt::TimelineOpInterface op : timeline) {
    touches.emplace_back();
    for (const rt::BufferAccess &access : op.getAccesses()) {
      FailureOr<Touch> touch = touchOf(op, access);
      if (failed(touch))
        return failure();
      touches.back().push_back(*touch);
    }
  }
  return success();
}

LogicalResult ProgramChecker::report(unsigned op, const ByteConflict &conflict, int64_t rank) {
  if (conflict.other == ByteConflict::kNobody)
    return timeline[op].emitError()
           << "reads bytes [" << conflict.begin << ", " << conflict.end
           << ") of its arena before anything has written them, on rank " << rank;
  InFlightDiagnostic diagnostic = timeline[op].emitError()
                                  << "touches bytes [" << conflict.begin << ", " << conflict.end
                                  << ") that another operation, not ordered with it, "
                                  << (conflict.otherWrites ? "writes" : "reads") << ", on rank "
                                  << rank;
  diagnostic.attachNote(timeline[conflict.other].getLoc()) << "the other operation";
  return diagnostic;
}

/// What is read of a persistent buffer is the version that the reader means.
LogicalResult ProgramChecker::checkVersion(unsigned op, const Touch &touch,
                                           const ByteRange &range, ByteHistory &history,
                                           int64_t rank) {
  std::optional<ByteOrigin> wrong = history.findOrigin(range, /*written=*/!touch.updated);
  if (!wrong)
    return success();
  InFlightDiagnostic diagnostic =
      timeline[op].emitError()
      << "means bytes [" << wrong->begin << ", " << wrong->end << ") of its arena "
      << (touch.updated ? "after their update, and reads them before"
                        : "as they are at the start of the step, and reads them after their update")
      << ", on rank " << rank;
  if (wrong->writer != ByteConflict::kNobody)
    diagnostic.attachNote(timeline[wrong->writer].getLoc()) << "the update";
  return diagnostic;
}

namespace {
/// An end of a touch: byte `at` on rank 0, `stride` further on each next rank.
struct TouchEnd {
  int64_t at, stride;

  bool operator<(const TouchEnd &other) const {
    return std::pair(at, stride) < std::pair(other.at, other.stride);
  }
};
} // namespace

/// Ranks that stand for all others. Whether two touches overlap, and how, changes with
/// the rank only where an end of one passes an end of the other; between two such ranks
/// one is as good as another.
std::vector<int64_t> ProgramChecker::representativeRanks() {
  std::map<unsigned, std::set<TouchEnd>> fixed, moving; // by arena
  for (const auto &ofOp : touches)
    for (const Touch &touch : ofOp)
      for (int64_t at : {touch.begin, touch.begin + touch.place.size})
        (touch.place.rankStride ? moving : fixed)[touch.arena].insert(
            {at, touch.place.rankStride});
  int64_t worldSize = program.getWorldSize();
  std::set<int64_t> ranks{0};
  // After floor(distance / speed) ranks at least `distance` bytes are made up.
  auto addCrossing = [&](int64_t distance, int64_t speed) {
    if (distance < 0 || speed <= 0 || distance > speed * worldSize)
      return;
    for (int64_t rank : {distance / speed, distance / speed + 1})
      if (rank < worldSize)
        ranks.insert(rank);
  };
  for (const auto &[arena, ends] : moving)
    for (const TouchEnd &end : ends) {
      const auto &others = fixed[arena];
      auto last = others.upper_bound({end.at + end.stride * worldSize, 0});
      for (auto it = others.lower_bound({end.at, 0}); it != last; ++it)
        addCrossing(it->at - end.at, end.stride);
      for (const TouchEnd &other : ends)
        addCrossing(other.at - end.at, end.stride - other.stride);
    }
  return {ranks.begin(), ranks.end()};
}

LogicalResult ProgramChecker::checkRank(int64_t rank) {
  ByteHistory history([&](unsigned a, unsigned b) { return clocks.isBefore(a, b); });
  for (auto [argument, attrs] : llvm::zip_equal(program.getBody().getArguments(),
                                                program.getExternals().getAsRange<DictionaryAttr>()))
    if (attrs.contains("output"))
      history.startUnwritten(kExternalArena + argument.getArgNumber());
  history.startUnwritten(kTransientArena);
  for (unsigned op = 0; op < timeline.size(); ++op) {
    // Reads first: an operation may write what it reads.
    for (bool writes : {false, true})
      for (const Touch &touch : touches[op]) {
        if (!(writes ? touch.writes : touch.reads) || touch.place.size == 0)
          continue;
        int64_t begin = touch.begin + rank * touch.place.rankStride;
        ByteRange range{touch.arena, begin, begin + touch.place.size,
                        touch.place.root.getAsOpaquePointer()};
        auto conflict = writes ? history.write(op, range) : history.read(op, range);
        if (conflict)
          return report(op, *conflict, rank);
        if (!writes && touch.arena == kPersistentArena &&
            failed(checkVersion(op, touch, range, history, rank)))
          return failure();
      }
  }
  return success();
}

LogicalResult ProgramChecker::run() {
  if (failed(checkCollectiveQueue()) || failed(collectTouches()))
    return failure();
  for (int64_t rank : representativeRanks())
    if (failed(checkRank(rank)))
      return failure();
  return success();
}

namespace {
struct RtVerifySchedulePass : impl::RtVerifySchedulePassBase<RtVerifySchedulePass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto memory = getOperation()->getAttrOfType<DictionaryAttr>(rt::kMemoryAttr);
    for (auto program : getOperation().getOps<rt::ProgramOp>())
      if (failed(ProgramChecker(program, symbols, memory).run()))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace zero
