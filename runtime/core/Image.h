//===- Image.h - Reading the tables of a module -----------------*- C++ -*-===//

#ifndef ZRT_CORE_IMAGE_H
#define ZRT_CORE_IMAGE_H

#include "zrt.h"

#include <cstddef>
#include <span>

namespace zrt {

/// Bytes of an element; 0 for a type that does not exist.
inline uint64_t elementBytes(uint32_t dtype) {
  switch (dtype) {
  case ZRT_DTYPE_F32:
  case ZRT_DTYPE_I32:
    return 4;
  case ZRT_DTYPE_F64:
  case ZRT_DTYPE_I64:
    return 8;
  case ZRT_DTYPE_BF16:
  case ZRT_DTYPE_F16:
    return 2;
  case ZRT_DTYPE_I8:
    return 1;
  }
  return 0;
}

/// Typed views of an image's sections; the image has been validated.
class Image {
public:
  explicit Image(const zrt_image_t *image) : image(image) {}

  const zrt_image_t &header() const { return *image; }
  template <typename T> std::span<const T> table(zrt_section_t section) const {
    auto *bytes = reinterpret_cast<const std::byte *>(image);
    return {reinterpret_cast<const T *>(bytes + section.offset), section.count};
  }
  const char *string(uint32_t position) const {
    return table<char>(image->strings).data() + position;
  }

  auto programs() const { return table<zrt_program_t>(image->programs); }
  auto buckets() const { return table<zrt_bucket_t>(image->buckets); }
  auto parameters() const { return table<zrt_parameter_t>(image->parameters); }
  auto views() const { return table<zrt_view_t>(image->views); }
  auto scalars() const { return table<int64_t>(image->scalars); }
  auto waits() const { return table<zrt_wait_t>(image->waits); }
  auto dispatches() const { return table<zrt_dispatch_t>(image->dispatches); }
  auto matmuls() const { return table<zrt_matmul_t>(image->matmuls); }
  auto collectives() const { return table<zrt_collective_t>(image->collectives); }
  auto segments() const { return table<zrt_segment_t>(image->segments); }

private:
  const zrt_image_t *image;
};

} // namespace zrt

#endif // ZRT_CORE_IMAGE_H
