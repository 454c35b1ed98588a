//===- TokenFile.h - A file of training tokens ------------------*- C++ -*-===//

#ifndef ZERO_DATA_TOKENFILE_H
#define ZERO_DATA_TOKENFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace zero {

/// The tokens of a file: 16-bit little-endian words where its name ends in ".bin",
/// bytes otherwise.
class TokenFile {
public:
  /// Fails on a file that is missing, empty, or of half a token too many.
  static llvm::Expected<TokenFile> open(llvm::StringRef path);

  const std::string &getPath() const { return path; }
  uint64_t size() const { return buffer->getBufferSize() / tokenBytes; }
  uint32_t operator[](uint64_t index) const;

  /// Fails on the first token that is not below `vocabulary`, naming it and where
  /// it is.
  llvm::Error checkVocabulary(int64_t vocabulary) const;

private:
  TokenFile(std::string path, std::unique_ptr<llvm::MemoryBuffer> buffer,
            unsigned tokenBytes)
      : path(std::move(path)), buffer(std::move(buffer)), tokenBytes(tokenBytes) {}

  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  unsigned tokenBytes;
};

/// A file's bytes; fails on one that is missing, a directory, or empty.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readDataFile(llvm::StringRef path);

} // namespace zero

#endif // ZERO_DATA_TOKENFILE_H
