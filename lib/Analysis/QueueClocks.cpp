//===- QueueClocks.cpp - Which operation is done before which -------------===//

#include "zero/Analysis/QueueClocks.h"

using namespace mlir;

namespace zero {

/// Calls `visit` for each operation that `timepoint` stands for, through joins.
static void forEachOperation(Value timepoint, function_ref<void(Operation *)> visit) {
  SmallVector<Value> worklist{timepoint};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (auto join = dyn_cast_or_null<rt::JoinOp>(op))
      llvm::append_range(worklist, join.getTimepoints());
    else if (op)
      visit(op);
  }
}

QueueClocks::QueueClocks(ArrayRef<rt::TimelineOpInterface> timeline) {
  DenseMap<Operation *, unsigned> position;
  std::array<unsigned, kQueues> count{};
  std::array<Clock, kQueues> latest{}; // what is known when a queue's last operation starts
  for (unsigned index = 0; index < timeline.size(); ++index) {
    rt::TimelineOpInterface op = timeline[index];
    unsigned q = unsigned(op.getQueue());
    Clock clock = latest[q];
    clock[q] = count[q]; // in order: all before it on its queue are complete
    for (Value wait : op.getWaits())
      forEachOperation(wait, [&](Operation *waited) {
        unsigned other = position.lookup(waited);
        for (unsigned k = 0; k < kQueues; ++k)
          clock[k] = std::max(clock[k], starts[other][k]);
        clock[queue[other]] = std::max(clock[queue[other]], ordinal[other] + 1);
      });
    position[op] = index;
    starts.push_back(clock);
    queue.push_back(q);
    ordinal.push_back(count[q]++);
    latest[q] = clock;
  }
}

} // namespace zero
