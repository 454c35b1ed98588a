//===- BufferPlaces.cpp - Which bytes an operation touches ----------------===//

#include "zero/Analysis/BufferPlaces.h"

using namespace mlir;

namespace zero {

BufferPlace placeOf(Value buffer) {
  BufferPlace place{buffer, 0, 0, cast<rt::BufferType>(buffer.getType()).getBytes()};
  while (auto view = place.root.getDefiningOp<rt::ViewOp>()) {
    place.offset += view.getOffset();
    place.rankStride += view.getRankStride();
    place.root = view.getSource();
  }
  return place;
}

SmallVector<rt::TimelineOpInterface> timelineOf(rt::ProgramOp program) {
  SmallVector<rt::TimelineOpInterface> timeline;
  for (Operation &op : program.getBody().front())
    if (auto onQueue = dyn_cast<rt::TimelineOpInterface>(op))
      timeline.push_back(onQueue);
  return timeline;
}

} // namespace zero
