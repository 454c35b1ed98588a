//===- ByteHistory.cpp - Who touched which bytes last ---------------------===//

#include "ByteHistory.h"

#include <algorithm>

namespace zero {

/// Makes `position` a border of segments; the segment that starts there, or the next.
ByteHistory::Segments::iterator ByteHistory::splitAt(Segments &segments, int64_t position) {
  auto next = segments.lower_bound(position);
  if (next == segments.begin() || (next != segments.end() && next->first == position))
    return next;
  auto before = std::prev(next);
  if (before->second.end <= position)
    return next;
  Segment rest = before->second;
  before->second.end = position;
  return segments.emplace_hint(next, position, std::move(rest));
}

/// Gaps between segments are bytes that nobody has written.
std::optional<ByteConflict> ByteHistory::findUnwritten(const ByteRange &range) {
  Segments &segments = arenas[range.arena];
  int64_t position = range.begin;
  auto it = segments.upper_bound(range.begin);
  if (it != segments.begin())
    --it;
  for (; position < range.end && it != segments.end(); ++it) {
    if (it->second.end <= position)
      continue;
    if (it->first > position || it->second.writer == ByteConflict::kNobody ||
        it->second.buffer != range.buffer)
      break;
    position = it->second.end;
  }
  if (position >= range.end)
    return std::nullopt;
  return ByteConflict{position, range.end, ByteConflict::kNobody, false};
}

std::optional<ByteOrigin> ByteHistory::findOrigin(const ByteRange &range, bool written) {
  Segments &segments = arenas[range.arena];
  splitAt(segments, range.end);
  int64_t position = range.begin;
  for (auto it = splitAt(segments, range.begin); position < range.end; ++it) {
    bool isGap = it == segments.end() || it->first > position;
    if (isGap && !written)
      return ByteOrigin{position, range.end, ByteConflict::kNobody};
    if (it == segments.end() || it->first >= range.end)
      break;
    if ((it->second.writer != ByteConflict::kNobody) == written)
      return ByteOrigin{it->first, it->second.end, it->second.writer};
    position = it->second.end;
  }
  return std::nullopt;
}

std::optional<ByteConflict> ByteHistory::read(unsigned op, const ByteRange &range) {
  if (unwritten.count(range.arena))
    if (auto conflict = findUnwritten(range))
      return conflict;
  Segments &segments = arenas[range.arena];
  splitAt(segments, range.end);
  int64_t position = range.begin;
  auto it = splitAt(segments, range.begin);
  while (position < range.end) {
    if (it == segments.end() || it->first > position) {
      int64_t end = it == segments.end() ? range.end : std::min(range.end, it->first);
      it = segments.emplace_hint(it, position, Segment{end, ByteConflict::kNobody, nullptr, {}});
    }
    Segment &segment = it->second;
    if (segment.writer != ByteConflict::kNobody && segment.writer != op &&
        !isBefore(segment.writer, op))
      return ByteConflict{it->first, segment.end, segment.writer, true};
    // An earlier reader that is done before this one says nothing more.
    std::erase_if(segment.readers, [&](unsigned reader) { return isBefore(reader, op); });
    segment.readers.push_back(op);
    position = segment.end;
    ++it;
  }
  return std::nullopt;
}

std::optional<ByteConflict> ByteHistory::write(unsigned op, const ByteRange &range) {
  Segments &segments = arenas[range.arena];
  splitAt(segments, range.end);
  auto it = splitAt(segments, range.begin);
  while (it != segments.end() && it->first < range.end) {
    const Segment &segment = it->second;
    if (segment.writer != ByteConflict::kNobody && segment.writer != op &&
        !isBefore(segment.writer, op))
      return ByteConflict{it->first, segment.end, segment.writer, true};
    for (unsigned reader : segment.readers)
      if (reader != op && !isBefore(reader, op))
        return ByteConflict{it->first, segment.end, reader, false};
    it = segments.erase(it);
  }
  segments.emplace_hint(it, range.begin, Segment{range.end, op, range.buffer, {}});
  return std::nullopt;
}

} // namespace zero
