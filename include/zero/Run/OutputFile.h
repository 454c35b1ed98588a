//===- OutputFile.h - A file that appears whole or not at all ---*- C++ -*-===//

#ifndef ZERO_RUN_OUTPUTFILE_H
#define ZERO_RUN_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>

namespace zero {

/// Reserves a place for a file before long work, so that a path that can't be
/// written is known early. The file takes its name when it is committed; one that
/// was there before stays until then.
class OutputFile {
public:
  static llvm::Expected<OutputFile> reserve(llvm::StringRef path);
  OutputFile(OutputFile &&) = default;
  ~OutputFile();

  llvm::raw_ostream &getStream() { return *stream; }
  llvm::Error commit();

private:
  OutputFile(std::string path, std::optional<llvm::sys::fs::TempFile> file,
             std::unique_ptr<llvm::raw_fd_ostream> stream);

  std::string path;
  std::optional<llvm::sys::fs::TempFile> file; ///< none where `path` is no plain file
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

} // namespace zero

#endif // ZERO_RUN_OUTPUTFILE_H
