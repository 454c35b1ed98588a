//===- ByteHistory.h - Who touched which bytes last -------------*- C++ -*-===//

#ifndef ZERO_LIB_RTTRANSFORMS_BYTEHISTORY_H
#define ZERO_LIB_RTTRANSFORMS_BYTEHISTORY_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace zero {

inline constexpr unsigned kPersistentArena = 0, kTransientArena = 1, kExternalArena = 2;

/// Bytes [begin, end) of an arena, as part of `buffer` (any identity).
struct ByteRange {
  unsigned arena;
  int64_t begin, end;
  const void *buffer;
};

/// Two accesses that are not ordered, or a read of what was not written.
struct ByteConflict {
  static constexpr unsigned kNobody = ~0u;
  int64_t begin, end;
  unsigned other; ///< operation; kNobody for a read before a write
  bool otherWrites;
};

/// Bytes [begin, end) and the operation that wrote them last; kNobody for none.
struct ByteOrigin {
  int64_t begin, end;
  unsigned writer;
};

/// An interval map from bytes to their last writer and the readers since.
class ByteHistory {
public:
  using IsBefore = std::function<bool(unsigned, unsigned)>;
  explicit ByteHistory(IsBefore isBefore) : isBefore(std::move(isBefore)) {}

  /// The bytes of `arena` hold nothing at the start.
  void startUnwritten(unsigned arena) { unwritten.insert(arena); }

  std::optional<ByteConflict> read(unsigned op, const ByteRange &range);
  std::optional<ByteConflict> write(unsigned op, const ByteRange &range);

  /// The first bytes of `range` that an operation has written (`written`), or that none
  /// has.
  std::optional<ByteOrigin> findOrigin(const ByteRange &range, bool written);

private:
  struct Segment {
    int64_t end;
    unsigned writer = ByteConflict::kNobody;
    const void *buffer = nullptr; ///< that the writer wrote
    std::vector<unsigned> readers;
  };
  using Segments = std::map<int64_t, Segment>;

  Segments::iterator splitAt(Segments &segments, int64_t position);
  std::optional<ByteConflict> findUnwritten(const ByteRange &range);

  IsBefore isBefore;
  std::set<unsigned> unwritten;
  std::map<unsigned, Segments> arenas;
};

} // namespace zero

#endif // ZERO_LIB_RTTRANSFORMS_BYTEHISTORY_H
