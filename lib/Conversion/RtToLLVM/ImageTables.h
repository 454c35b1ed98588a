//===- ImageTables.h - The tables of a zrt_image_t, growing -----*- C++ -*-===//

#ifndef ZERO_LIB_CONVERSION_RTTOLLVM_IMAGETABLES_H
#define ZERO_LIB_CONVERSION_RTTOLLVM_IMAGETABLES_H

#include "zrt.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace zero {

/// All tables of an image (see zrt.h). While they grow, a zrt_section_t inside a table
/// holds the index of its first entry in place of an offset; `serialize` replaces it.
struct ImageTables {
  zrt_image_t header{};
  std::string strings;
  llvm::SmallVector<int64_t> dims, scalars;
  llvm::SmallVector<zrt_program_t> programs;
  llvm::SmallVector<zrt_command_t> commands;
  llvm::SmallVector<zrt_external_t> externals;
  llvm::SmallVector<zrt_bucket_t> buckets;
  llvm::SmallVector<zrt_bucket_value_t> bucketValues;
  llvm::SmallVector<zrt_parameter_t> parameters;
  llvm::SmallVector<zrt_view_t> views;
  llvm::SmallVector<zrt_wait_t> waits;
  llvm::SmallVector<zrt_dispatch_t> dispatches;
  llvm::SmallVector<zrt_matmul_t> matmuls;
  llvm::SmallVector<zrt_collective_t> collectives;
  llvm::SmallVector<zrt_segment_t> segments;

  /// The position of `text` in the strings; equal strings are stored once.
  uint32_t addString(llvm::StringRef text);
  uint32_t addDims(llvm::ArrayRef<int64_t> shape);

  /// The bytes of the image, its fingerprint left zero.
  std::string serialize() const;

private:
  llvm::StringMap<uint32_t> positions;
};

} // namespace zero

#endif // ZERO_LIB_CONVERSION_RTTOLLVM_IMAGETABLES_H
