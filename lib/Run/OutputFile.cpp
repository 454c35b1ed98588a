//===- OutputFile.cpp - A file that appears whole or not at all -----------===//

#include "zero/Run/OutputFile.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zero {

OutputFile::OutputFile(std::string path, std::optional<sys::fs::TempFile> file,
                       std::unique_ptr<raw_fd_ostream> stream)
    : path(std::move(path)), file(std::move(file)), stream(std::move(stream)) {}

OutputFile::~OutputFile() {
  if (!stream) // moved from
    return;
  stream->clear_error();
  stream.reset();
  if (file)
    consumeError(file->discard());
}

static Error cannotWrite(StringRef path, std::error_code code) {
  return createStringError(code, path + ": can't be written: " + code.message());
}

Expected<OutputFile> OutputFile::reserve(StringRef path) {
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(path, status);
  if (sys::fs::is_directory(status))
    return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  // Devices and pipes are written in place.
  if (!code && !sys::fs::is_regular_file(status)) {
    auto stream = std::make_unique<raw_fd_ostream>(path, code);
    if (code)
      return cannotWrite(path, code);
    return OutputFile(path.str(), std::nullopt, std::move(stream));
  }
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(path + ".%%%%%%%%");
  if (!file)
    return cannotWrite(path, errorToErrorCode(file.takeError()));
  auto stream = std::make_unique<raw_fd_ostream>(file->FD, /*shouldClose=*/false);
  return OutputFile(path.str(), std::move(*file), std::move(stream));
}

Error OutputFile::commit() {
  stream->flush();
  std::error_code code = stream->error();
  stream->clear_error();
  stream.reset();
  if (!file)
    return code ? cannotWrite(path, code) : Error::success();
  if (code) {
    consumeError(file->discard());
    return cannotWrite(path, code);
  }
  if (Error error = file->keep(path))
    return cannotWrite(path, errorToErrorCode(std::move(error)));
  return Error::success();
}

} // namespace zero
