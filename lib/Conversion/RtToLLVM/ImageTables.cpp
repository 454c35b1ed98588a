//===- ImageTables.cpp - The tables of a zrt_image_t as bytes -------------===//

#include "ImageTables.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace zero {

uint32_t ImageTables::addString(llvm::StringRef text) {
  auto [it, isNew] = positions.insert({text, uint32_t(strings.size())});
  if (isNew) {
    strings += text;
    strings += '\0';
  }
  return it->second;
}

uint32_t ImageTables::addDims(llvm::ArrayRef<int64_t> shape) {
  uint32_t begin = dims.size();
  dims.append(shape.begin(), shape.end());
  return begin;
}

namespace {
/// Lays tables one after the other, each at a multiple of 8 bytes.
class Layout {
public:
  template <typename Table> zrt_section_t place(const Table &table) {
    zrt_section_t section{end, table.size()};
    end = llvm::alignTo(end + table.size() * sizeof(table[0]), 8);
    return section;
  }
  uint64_t end = llvm::alignTo(sizeof(zrt_image_t), 8);
};
} // namespace

template <typename Table>
static void write(std::string &bytes, zrt_section_t section, const Table &table) {
  if (!table.empty())
    std::memcpy(bytes.data() + section.offset, table.data(), table.size() * sizeof(table[0]));
}

/// Index of the first entry to offset in the image.
template <typename Table>
static void resolve(zrt_section_t &section, zrt_section_t table, const Table &entries) {
  section.offset = table.offset + section.offset * sizeof(entries[0]);
}

std::string ImageTables::serialize() const {
  zrt_image_t image = header;
  Layout layout;
  image.strings = layout.place(strings);
  image.dims = layout.place(dims);
  image.programs = layout.place(programs);
  image.buckets = layout.place(buckets);
  image.parameters = layout.place(parameters);
  image.views = layout.place(views);
  image.scalars = layout.place(scalars);
  image.waits = layout.place(waits);
  image.dispatches = layout.place(dispatches);
  image.matmuls = layout.place(matmuls);
  image.collectives = layout.place(collectives);
  image.segments = layout.place(segments);
  zrt_section_t commandTable = layout.place(commands);
  zrt_section_t externalTable = layout.place(externals);
  zrt_section_t valueTable = layout.place(bucketValues);
  image.image_bytes = layout.end;

  auto resolvedPrograms = programs;
  for (zrt_program_t &program : resolvedPrograms) {
    resolve(program.commands, commandTable, commands);
    resolve(program.externals, externalTable, externals);
  }
  auto resolvedBuckets = buckets;
  for (zrt_bucket_t &bucket : resolvedBuckets)
    resolve(bucket.values, valueTable, bucketValues);

  std::string bytes(layout.end, '\0');
  std::memcpy(bytes.data(), &image, sizeof(image));
  write(bytes, image.strings, strings);
  write(bytes, image.dims, dims);
  write(bytes, image.programs, resolvedPrograms);
  write(bytes, image.buckets, resolvedBuckets);
  write(bytes, image.parameters, parameters);
  write(bytes, image.views, views);
  write(bytes, image.scalars, scalars);
  write(bytes, image.waits, waits);
  write(bytes, image.dispatches, dispatches);
  write(bytes, image.matmuls, matmuls);
  write(bytes, image.collectives, collectives);
  write(bytes, image.segments, segments);
  write(bytes, commandTable, commands);
  write(bytes, externalTable, externals);
  write(bytes, valueTable, bucketValues);
  return bytes;
}

} // namespace zero
