//===- TokenFile.cpp - A file of training tokens --------------------------===//

#include "zero/Data/TokenFile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace zero {

Expected<std::unique_ptr<MemoryBuffer>> readDataFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(), path + ": " + buffer.getError().message());
  if ((*buffer)->getBufferSize() == 0)
    return createStringError(path + ": the file is empty");
  return std::move(*buffer);
}

Expected<TokenFile> TokenFile::open(StringRef path) {
  auto buffer = readDataFile(path);
  if (!buffer)
    return buffer.takeError();
  unsigned tokenBytes = path.ends_with(".bin") ? 2 : 1;
  if ((*buffer)->getBufferSize() % tokenBytes != 0)
    return createStringError(path + ": has " + Twine((*buffer)->getBufferSize()) +
                             " bytes; a .bin file holds tokens of 2 bytes");
  return TokenFile(path.str(), std::move(*buffer), tokenBytes);
}

uint32_t TokenFile::operator[](uint64_t index) const {
  const char *token = buffer->getBufferStart() + index * tokenBytes;
  return tokenBytes == 2 ? support::endian::read16le(token) : static_cast<uint8_t>(*token);
}

Error TokenFile::checkVocabulary(int64_t vocabulary) const {
  for (uint64_t i = 0, e = size(); i < e; ++i)
    if ((*this)[i] >= vocabulary)
      return createStringError(path + ": token " + Twine((*this)[i]) + " at offset " +
                               Twine(i) + " is beyond the vocabulary of " +
                               Twine(vocabulary));
  return Error::success();
}

} // namespace zero
