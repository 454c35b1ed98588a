//===- Validate.cpp - Is an image safe to run? ----------------------------===//
//
// After this nothing that a program says can lead outside a table or an arena.
//
//===----------------------------------------------------------------------===//

#include "core/Image.h"
#include "core/Status.h"

#include <limits>

namespace zrt {
namespace {

using Wide = unsigned __int128;

constexpr uint32_t kMostOperands = 256;

class Validator {
public:
  explicit Validator(const zrt_module_t &module) : module(module), image(module.image) {}

  zrt_status_t *run();

private:
  zrt_status_t *fail(const char *what, uint64_t index) const {
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "the program's image is damaged: %s %llu is wrong",
                      what, static_cast<unsigned long long>(index));
  }
  template <typename T> bool fits(zrt_section_t section) const {
    return section.offset % alignof(T) == 0 &&
           Wide(section.offset) + Wide(section.count) * sizeof(T) <= header().image_bytes;
  }
  template <typename Table> static bool inRange(const Table &table, uint64_t begin, uint64_t count) {
    return begin <= table.size() && count <= table.size() - begin;
  }
  bool isString(uint32_t position) const { return position < header().strings.count; }
  const zrt_image_t &header() const { return image.header(); }

  zrt_status_t *checkHeader();
  zrt_status_t *checkParameters();
  zrt_status_t *checkBuckets();
  zrt_status_t *checkProgram(const zrt_program_t &program, uint64_t index);
  bool isView(const zrt_view_t &view, std::span<const zrt_external_t> externals) const;
  bool isCommand(const zrt_command_t &command) const;
  bool isDispatch(const zrt_command_t &command, std::span<const zrt_view_t> views) const;
  bool isMatmul(const zrt_command_t &command, std::span<const zrt_view_t> views) const;
  bool isCollective(const zrt_command_t &command, std::span<const zrt_view_t> views) const;

  const zrt_module_t &module;
  Image image;
};
} // namespace

zrt_status_t *Validator::checkHeader() {
  const zrt_image_t &h = header();
  if (h.magic != ZRT_IMAGE_MAGIC || h.abi_version != ZRT_ABI_VERSION)
    return makeStatus(ZRT_STATUS_INVALID_ARGUMENT,
                      "the program has ABI version %u; this runtime has %u", h.abi_version,
                      ZRT_ABI_VERSION);
  bool sections = fits<char>(h.strings) && fits<int64_t>(h.dims) && fits<zrt_program_t>(h.programs) &&
                  fits<zrt_bucket_t>(h.buckets) && fits<zrt_parameter_t>(h.parameters) &&
                  fits<zrt_view_t>(h.views) && fits<int64_t>(h.scalars) && fits<zrt_wait_t>(h.waits) &&
                  fits<zrt_dispatch_t>(h.dispatches) && fits<zrt_matmul_t>(h.matmuls) &&
                  fits<zrt_collective_t>(h.collectives) && fits<zrt_segment_t>(h.segments);
  bool strings = sections && (h.strings.count == 0 ||
                              image.table<char>(h.strings)[h.strings.count - 1] == '\0');
  bool counts = h.world_size > 0 && h.threads_per_rank > 0 && h.threads_per_rank <= 1 << 16 &&
                (h.kernel_count == 0 || module.kernels);
  return strings && counts ? nullptr : fail("header", 0);
}

zrt_status_t *Validator::checkBuckets() {
  auto buckets = image.buckets();
  for (uint64_t i = 0; i < buckets.size(); ++i) {
    const zrt_bucket_t &bucket = buckets[i];
    if (!isString(bucket.name) || !fits<zrt_bucket_value_t>(bucket.values) || !bucket.values.count)
      return fail("bucket", i);
    for (const zrt_bucket_value_t &value : image.table<zrt_bucket_value_t>(bucket.values)) {
      Wide elements = Wide(bucket.shard_elements) * (value.is_cut ? 1 : header().world_size);
      if (!isString(value.name) || !elementBytes(value.dtype) ||
          value.offset + elements * elementBytes(value.dtype) > header().persistent_bytes)
        return fail("bucket", i);
    }
  }
  return nullptr;
}

zrt_status_t *Validator::checkParameters() {
  auto parameters = image.parameters();
  for (uint64_t i = 0; i < parameters.size(); ++i) {
    const zrt_parameter_t &p = parameters[i];
    bool isAlias = p.alias_of != ZRT_NONE;
    if (!isString(p.name) || (isAlias && p.alias_of >= parameters.size()) ||
        p.bucket >= image.buckets().size() || p.init > ZRT_INIT_IOTA || !elementBytes(p.dtype) ||
        !inRange(image.table<int64_t>(header().dims), p.shape_begin, p.rank))
      return fail("parameter", i);
    const zrt_bucket_t &bucket = image.buckets()[p.bucket];
    if (Wide(p.bucket_offset_elements) + p.elements >
            Wide(bucket.shard_elements) * header().world_size ||
        image.table<zrt_bucket_value_t>(bucket.values)[0].dtype != p.dtype)
      return fail("parameter", i);
  }
  return nullptr;
}

bool Validator::isView(const zrt_view_t &view, std::span<const zrt_external_t> externals) const {
  Wide end = Wide(view.offset) + Wide(view.rank_stride) * (header().world_size - 1) + view.size;
  if (Wide(view.thread_stride) * header().threads_per_rank > view.size)
    return false;
  if (view.arena == ZRT_ARENA_PERSISTENT)
    return end <= header().persistent_bytes;
  if (view.arena == ZRT_ARENA_TRANSIENT)
    return end <= header().transient_bytes;
  uint32_t external = view.arena - ZRT_ARENA_EXTERNAL;
  return external < externals.size() && end <= externals[external].bytes;
}

bool Validator::isDispatch(const zrt_command_t &command, std::span<const zrt_view_t> views) const {
  if (command.payload >= image.dispatches().size() || views.size() > kMostOperands)
    return false;
  const zrt_dispatch_t &d = image.dispatches()[command.payload];
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max() / 2;
  return d.kernel < header().kernel_count && d.grain > 0 && d.grain < kMost && d.extent < kMost &&
         inRange(image.segments(), d.segment_begin, d.segment_count);
}

/// Bytes from the first to the last element that strides reach; all are positive.
static Wide reach(std::initializer_list<int64_t> sizes, std::initializer_list<int64_t> strides,
                  uint32_t dtype) {
  Wide last = 0;
  auto stride = strides.begin();
  for (int64_t size : sizes) {
    if (size == 0)
      return 0;
    last += Wide(size - 1) * Wide(*stride++);
  }
  return (last + 1) * elementBytes(dtype);
}

bool Validator::isMatmul(const zrt_command_t &command, std::span<const zrt_view_t> views) const {
  if (command.payload >= image.matmuls().size())
    return false;
  const zrt_matmul_t &m = image.matmuls()[command.payload];
  for (int64_t value : {m.batch, m.m, m.n, m.k, m.a_stride_batch, m.a_stride_m, m.a_stride_k,
                        m.b_stride_batch, m.b_stride_k, m.b_stride_n, m.c_stride_batch, m.c_stride_m})
    if (value < 0 || value > std::numeric_limits<int64_t>::max() / 16)
      return false;
  size_t want = 3 + (m.has_bias ? 1 : 0) + (m.scratch_bytes ? 1 : 0);
  if (views.size() != want || !elementBytes(m.dtype_a) || !elementBytes(m.dtype_b) ||
      !elementBytes(m.dtype_c) || m.threads == 0 || m.threads > header().threads_per_rank)
    return false;
  const zrt_view_t &c = views[m.has_bias ? 3 : 2];
  bool bias = !m.has_bias || reach({m.n}, {1}, m.dtype_c) <= views[2].size;
  bool scratch = !m.scratch_bytes || views.back().size >= m.scratch_bytes;
  return bias && scratch &&
         reach({m.batch, m.m, m.k}, {m.a_stride_batch, m.a_stride_m, m.a_stride_k}, m.dtype_a) <=
             views[0].size &&
         reach({m.batch, m.k, m.n}, {m.b_stride_batch, m.b_stride_k, m.b_stride_n}, m.dtype_b) <=
             views[1].size &&
         reach({m.batch, m.m, m.n}, {m.c_stride_batch, m.c_stride_m, 1}, m.dtype_c) <= c.size;
}

bool Validator::isCollective(const zrt_command_t &command, std::span<const zrt_view_t> views) const {
  if (command.payload >= image.collectives().size() || views.size() != 2)
    return false;
  const zrt_collective_t &c = image.collectives()[command.payload];
  Wide whole = Wide(c.elements) * elementBytes(c.dtype);
  Wide shard = whole / header().world_size;
  if (!elementBytes(c.dtype) || c.group != 0)
    return false;
  if (command.opcode == ZRT_OPCODE_ALL_REDUCE)
    return views[0].size >= whole && views[1].size >= whole;
  bool gathers = command.opcode == ZRT_OPCODE_ALL_GATHER;
  return c.elements % header().world_size == 0 && views[gathers ? 0 : 1].size >= shard &&
         views[gathers ? 1 : 0].size >= whole;
}

bool Validator::isCommand(const zrt_command_t &command) const {
  if (!isString(command.name) || command.queue > ZRT_QUEUE_DISK_WRITE ||
      !inRange(image.views(), command.view_begin, command.view_count) ||
      !inRange(image.scalars(), command.scalar_begin, command.scalar_count) ||
      !inRange(image.waits(), command.wait_begin, command.wait_count))
    return false;
  auto views = image.views().subspan(command.view_begin, command.view_count);
  switch (command.opcode) {
  case ZRT_OPCODE_DISPATCH:
    return isDispatch(command, views);
  case ZRT_OPCODE_MATMUL:
    return isMatmul(command, views);
  case ZRT_OPCODE_FILL:
    return views.size() == 1 && command.scalar_count == 1 && command.payload >= 1 &&
           command.payload <= 8 && views[0].size % command.payload == 0;
  case ZRT_OPCODE_COPY:
    return views.size() == 2 && views[0].size == views[1].size;
  case ZRT_OPCODE_ALL_GATHER:
  case ZRT_OPCODE_REDUCE_SCATTER:
  case ZRT_OPCODE_ALL_REDUCE:
    return isCollective(command, views);
  }
  return false;
}

zrt_status_t *Validator::checkProgram(const zrt_program_t &program, uint64_t index) {
  if (!isString(program.name) || !fits<zrt_command_t>(program.commands) ||
      !fits<zrt_external_t>(program.externals))
    return fail("program", index);
  auto externals = image.table<zrt_external_t>(program.externals);
  for (uint64_t i = 0; i < externals.size(); ++i)
    if (!isString(externals[i].name) || !isString(externals[i].role) ||
        !elementBytes(externals[i].dtype) ||
        !inRange(image.table<int64_t>(header().dims), externals[i].shape_begin, externals[i].rank))
      return fail("external", i);
  uint32_t done[ZRT_QUEUE_DISK_WRITE + 1] = {};
  auto commands = image.table<zrt_command_t>(program.commands);
  for (uint64_t i = 0; i < commands.size(); ++i) {
    if (!isCommand(commands[i]))
      return fail("command", i);
    for (const zrt_view_t &view :
         image.views().subspan(commands[i].view_begin, commands[i].view_count))
      if (!isView(view, externals))
        return fail("a view of command", i);
    // Waits point back, so that the order of the table satisfies them.
    for (const zrt_wait_t &wait :
         image.waits().subspan(commands[i].wait_begin, commands[i].wait_count))
      if (wait.queue > ZRT_QUEUE_DISK_WRITE || wait.ordinal >= done[wait.queue])
        return fail("a wait of command", i);
    ++done[commands[i].queue];
  }
  return nullptr;
}

zrt_status_t *Validator::run() {
  ZRT_TRY(checkHeader());
  ZRT_TRY(checkBuckets());
  ZRT_TRY(checkParameters());
  auto programs = image.programs();
  for (uint64_t i = 0; i < programs.size(); ++i)
    ZRT_TRY(checkProgram(programs[i], i));
  return nullptr;
}

} // namespace zrt

zrt_status_t *zrt_module_validate(const zrt_module_t *module) {
  if (!module || !module->image)
    return zrt::makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "the module or its image is null");
  return zrt::Validator(*module).run();
}
