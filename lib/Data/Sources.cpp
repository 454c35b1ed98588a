//===- Sources.cpp - The kinds of sources of a step's inputs --------------===//

#include "Sources.h"

#include "llvm/Support/Endian.h"

#include <cstring>

using namespace llvm;

namespace zero {

/// Writes element `index` of an i32 or i64 buffer.
static void store(MutableArrayRef<char> out, uint32_t dtype, uint64_t index, int64_t value) {
  if (dtype == ZRT_DTYPE_I64)
    support::endian::write64le(out.data() + index * 8, value);
  else
    support::endian::write32le(out.data() + index * 4, static_cast<int32_t>(value));
}

void WindowSource::fill(uint64_t record, MutableArrayRef<char> out) const {
  int64_t samples = stream->samples, sequence = stream->sequence;
  for (int64_t i = 0; i < samples; ++i) {
    uint64_t first = stream->findWindow(record * samples + i) + shift;
    for (int64_t j = 0; j < sequence; ++j)
      store(out, dtype, i * sequence + j, stream->file[first + j]);
  }
}

int64_t MaskedSource::findElement(const MaskedSample &sample, uint64_t window,
                                  int64_t position) const {
  switch (part) {
  case MaskedPart::Tokens:
    return sample.getToken(position, stream->file[window + position]);
  case MaskedPart::Labels:
    return sample.getLabel(position, stream->file[window + position]);
  case MaskedPart::Segments:
    return sample.getSegment(position);
  case MaskedPart::KeyLengths:
    return sample.getLength();
  }
  llvm_unreachable("every part is covered");
}

void MaskedSource::fill(uint64_t record, MutableArrayRef<char> out) const {
  int64_t elements = part == MaskedPart::KeyLengths ? 1 : rule.sequence;
  for (int64_t i = 0; i < samples; ++i) {
    MaskedSample sample(rule, record * samples + i);
    uint64_t window = stream ? stream->findWindow(record * samples + i) : 0;
    for (int64_t j = 0; j < elements; ++j)
      store(out, dtype, i * elements + j, findElement(sample, window, j));
  }
}

/// Every value of a file of records against what the model reads by it.
static Error checkRange(StringRef path, StringRef bytes, const InputInfo &input,
                        int64_t samples) {
  bool isWide = input.dtype == ZRT_DTYPE_I64;
  if (input.vocabulary == 0 || !(isWide || input.dtype == ZRT_DTYPE_I32))
    return Error::success();
  uint64_t size = isWide ? 8 : 4, perSample = std::max<uint64_t>(1, input.getNumElements() / samples);
  for (uint64_t i = 0; i < bytes.size() / size; ++i) {
    int64_t value = isWide ? int64_t(support::endian::read64le(bytes.data() + i * size))
                           : int32_t(support::endian::read32le(bytes.data() + i * size));
    if ((value >= 0 && value < input.vocabulary) || value == input.ignored)
      continue;
    std::string ignored =
        input.ignored ? ", or " + std::to_string(*input.ignored) + ", which is ignored" : "";
    return createStringError(path + ": input \"" + input.role + "\" holds " + Twine(value) +
                             " at element " + Twine(i % perSample) + " of sample " +
                             Twine(i / perSample) + "; want 0 to " +
                             Twine(input.vocabulary - 1) + ignored);
  }
  return Error::success();
}

Expected<std::unique_ptr<InputSource>> RecordSource::open(StringRef path, const InputInfo &input,
                                                          int64_t samples) {
  auto buffer = readDataFile(path);
  if (!buffer)
    return buffer.takeError();
  uint64_t size = (*buffer)->getBufferSize();
  if (input.bytes == 0 || size % input.bytes != 0)
    return createStringError(path + ": has " + Twine(size) + " bytes; a record of input \"" +
                             input.role + "\", a " + input.getType() + ", has " +
                             Twine(input.bytes));
  if (Error error = checkRange(path, (*buffer)->getBuffer(), input, samples))
    return error;
  return std::unique_ptr<InputSource>(new RecordSource(std::move(*buffer)));
}

void RecordSource::fill(uint64_t record, MutableArrayRef<char> out) const {
  uint64_t records = buffer->getBufferSize() / out.size();
  std::memcpy(out.data(), buffer->getBufferStart() + record % records * out.size(),
              out.size());
}

} // namespace zero
