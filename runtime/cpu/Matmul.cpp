//===- Matmul.cpp - Matrix products by oneDNN -----------------------------===//
//
// A product is cut over the rank's threads by its shape; each part is a primitive of
// its own that runs on one thread. Primitives are made once and kept.
//
//===----------------------------------------------------------------------===//

#include "cpu/Matmul.h"

#include "core/Image.h"

#include <dnnl.h>

#include <algorithm>
#include <mutex>

namespace zrt {

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

static constexpr int64_t kCutMultiple = 16;
static constexpr int64_t kSmallestPart = 1 << 18; // multiply-adds worth a thread

/// The border before part `index` of `count` in [0, size), a multiple of kCutMultiple.
static int64_t border(int64_t size, int64_t index, int64_t count, int64_t multiple) {
  int64_t units = (size + multiple - 1) / multiple;
  return std::min(size, units * index / count * multiple);
}

std::vector<ProductPart> cutProduct(const zrt_matmul_t &mm) {
  double work = double(mm.batch) * mm.m * mm.n * std::max<int64_t>(mm.k, 1);
  int64_t parts = std::clamp<int64_t>(int64_t(work / kSmallestPart), 1, std::max(1u, mm.threads));
  std::vector<ProductPart> result;
  for (int64_t i = 0; i < parts; ++i) {
    ProductPart part{0, mm.batch, 0, mm.m, 0, mm.n};
    if (mm.batch >= parts) {
      part.batchBegin = border(mm.batch, i, parts, 1);
      part.batchEnd = border(mm.batch, i + 1, parts, 1);
    } else if (mm.m > mm.n) {
      part.mBegin = border(mm.m, i, parts, kCutMultiple);
      part.mEnd = border(mm.m, i + 1, parts, kCutMultiple);
    } else {
      part.nBegin = border(mm.n, i, parts, kCutMultiple);
      part.nEnd = border(mm.n, i + 1, parts, kCutMultiple);
    }
    if (part.batchBegin < part.batchEnd && part.mBegin < part.mEnd && part.nBegin < part.nEnd)
      result.push_back(part);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

namespace {

/// Frees the library's handles.
template <typename T, dnnl_status_t (*destroy)(T *)> struct Deleter {
  void operator()(T *handle) const { destroy(handle); }
};
template <typename T, dnnl_status_t (*destroy)(T *)>
using Handle = std::unique_ptr<T, Deleter<T, destroy>>;
using Memory = Handle<dnnl_memory, dnnl_memory_destroy>;
using Primitive = Handle<dnnl_primitive, dnnl_primitive_destroy>;
using Stream = Handle<dnnl_stream, dnnl_stream_destroy>;

/// The one engine of the process.
dnnl_engine_t engine() {
  static dnnl_engine_t shared = [] {
    dnnl_engine_t created = nullptr;
    dnnl_engine_create(&created, dnnl_cpu, 0);
    return created;
  }();
  return shared;
}

dnnl_data_type_t libraryType(uint32_t dtype) {
  switch (dtype) {
  case ZRT_DTYPE_F32:
    return dnnl_f32;
  case ZRT_DTYPE_BF16:
    return dnnl_bf16;
  case ZRT_DTYPE_F16:
    return dnnl_f16;
  default:
    return dnnl_data_type_undef;
  }
}

dnnl_memory_desc_t describe(uint32_t dtype, int64_t batch, int64_t rows, int64_t columns,
                            int64_t strideBatch, int64_t strideRow, int64_t strideColumn) {
  dnnl_memory_desc_t desc{};
  dnnl_dims_t dims{batch, rows, columns}, strides{strideBatch, strideRow, strideColumn};
  // A product of one batch is described in two dimensions.
  int first = batch == 1 ? 1 : 0;
  dnnl_memory_desc_init_by_strides(&desc, 3 - first, dims + first, libraryType(dtype),
                                   strides + first);
  return desc;
}

/// One part of a product: its primitive, and where its operands start.
struct LibraryPart {
  Primitive primitive;
  Memory a, b, c, bias, scratchpad;
  Stream stream;
  int64_t aOffset, bOffset, cOffset, biasOffset; ///< bytes
  uint64_t scratchOffset, scratchBytes;
};

constexpr uint64_t kScratchAlignment = 64;

class LibraryProduct : public Product {
public:
  zrt_status_t *add(const zrt_matmul_t &mm, const ProductPart &cut);
  zrt_status_t *run(const ProductOperands &operands, ThreadPool &pool) override;
  uint64_t scratchBytes() const override { return scratch; }

private:
  std::vector<LibraryPart> parts;
  uint64_t scratch = 0;
};

class LoopProduct : public Product {
public:
  explicit LoopProduct(const zrt_matmul_t &mm) : mm(mm), parts(cutProduct(mm)) {}
  zrt_status_t *run(const ProductOperands &operands, ThreadPool &pool) override {
    pool.forEach(parts.size(), [&](uint64_t i, unsigned) {
      multiplyByLoops(mm, parts[i], operands);
    });
    return nullptr;
  }
  uint64_t scratchBytes() const override { return 0; }

private:
  zrt_matmul_t mm;
  std::vector<ProductPart> parts;
};

/// The primitive descriptor of a part: user scratchpad, sum post-op to accumulate.
struct PrimitiveDescriptor {
  dnnl_primitive_desc_t handle = nullptr;
  dnnl_memory_desc_t a, b, c, bias;
  ~PrimitiveDescriptor() {
    if (handle)
      dnnl_primitive_desc_destroy(handle);
  }

  dnnl_status_t create(const zrt_matmul_t &mm, const ProductPart &cut) {
    int64_t batch = cut.batchEnd - cut.batchBegin, m = cut.mEnd - cut.mBegin,
            n = cut.nEnd - cut.nBegin;
    a = describe(mm.dtype_a, batch, m, mm.k, mm.a_stride_batch, mm.a_stride_m, mm.a_stride_k);
    b = describe(mm.dtype_b, batch, mm.k, n, mm.b_stride_batch, mm.b_stride_k, mm.b_stride_n);
    c = describe(mm.dtype_c, batch, m, n, mm.c_stride_batch, mm.c_stride_m, 1);
    bias = describe(mm.dtype_c, batch == 1 ? 1 : 1, 1, n, n, n, 1);
    if (batch != 1) {
      dnnl_dims_t dims{1, 1, n}, strides{n, n, 1};
      dnnl_memory_desc_init_by_strides(&bias, 3, dims, libraryType(mm.dtype_c), strides);
    }
    dnnl_matmul_desc_t desc;
    dnnl_status_t status =
        dnnl_matmul_desc_init(&desc, &a, &b, mm.has_bias ? &bias : nullptr, &c);
    if (status != dnnl_success)
      return status;
    dnnl_primitive_attr_t attributes = nullptr;
    dnnl_post_ops_t postOps = nullptr;
    dnnl_primitive_attr_create(&attributes);
    dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user);
    if (mm.accumulate) {
      dnnl_post_ops_create(&postOps);
      dnnl_post_ops_append_sum(postOps, 1.0f);
      dnnl_primitive_attr_set_post_ops(attributes, postOps);
      dnnl_post_ops_destroy(postOps);
    }
    status = dnnl_primitive_desc_create(&handle, &desc, attributes, engine(), nullptr);
    dnnl_primitive_attr_destroy(attributes);
    return status;
  }

  const dnnl_memory_desc_t *scratchpad() const {
    return dnnl_primitive_desc_query_md(handle, dnnl_query_scratchpad_md, 0);
  }
};

Memory makeMemory(const dnnl_memory_desc_t &desc) {
  dnnl_memory_t memory = nullptr;
  dnnl_memory_create(&memory, &desc, engine(), DNNL_MEMORY_NONE);
  return Memory(memory);
}
} // namespace

static zrt_status_t *libraryError(const char *call, const zrt_matmul_t &mm, dnnl_status_t status) {
  return makeStatus(status == dnnl_unimplemented ? ZRT_STATUS_UNSUPPORTED : ZRT_STATUS_INTERNAL,
                    "%s fails with status %d for a product of %lld x (%lld x %lld x %lld), types "
                    "%u, %u, %u",
                    call, int(status), (long long)mm.batch, (long long)mm.m, (long long)mm.n,
                    (long long)mm.k, mm.dtype_a, mm.dtype_b, mm.dtype_c);
}

zrt_status_t *LibraryProduct::add(const zrt_matmul_t &mm, const ProductPart &cut) {
  PrimitiveDescriptor descriptor;
  if (dnnl_status_t status = descriptor.create(mm, cut); status != dnnl_success)
    return libraryError("dnnl_primitive_desc_create", mm, status);
  LibraryPart part{};
  dnnl_primitive_t primitive = nullptr;
  if (dnnl_status_t status = dnnl_primitive_create(&primitive, descriptor.handle);
      status != dnnl_success)
    return libraryError("dnnl_primitive_create", mm, status);
  part.primitive.reset(primitive);
  dnnl_stream_t stream = nullptr;
  dnnl_stream_create(&stream, engine(), dnnl_stream_default_flags);
  part.stream.reset(stream);
  part.a = makeMemory(descriptor.a);
  part.b = makeMemory(descriptor.b);
  part.c = makeMemory(descriptor.c);
  part.scratchpad = makeMemory(*descriptor.scratchpad());
  if (mm.has_bias)
    part.bias = makeMemory(descriptor.bias);
  int64_t aBytes = elementBytes(mm.dtype_a), bBytes = elementBytes(mm.dtype_b),
          cBytes = elementBytes(mm.dtype_c);
  part.aOffset = (cut.batchBegin * mm.a_stride_batch + cut.mBegin * mm.a_stride_m) * aBytes;
  part.bOffset = (cut.batchBegin * mm.b_stride_batch + cut.nBegin * mm.b_stride_n) * bBytes;
  part.cOffset =
      (cut.batchBegin * mm.c_stride_batch + cut.mBegin * mm.c_stride_m + cut.nBegin) * cBytes;
  part.biasOffset = cut.nBegin * cBytes;
  part.scratchOffset = scratch;
  part.scratchBytes = dnnl_memory_desc_get_size(descriptor.scratchpad());
  scratch += (part.scratchBytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
  parts.push_back(std::move(part));
  return nullptr;
}

static dnnl_status_t runPart(LibraryPart &part, const ProductOperands &o) {
  dnnl_memory_set_data_handle(part.a.get(), const_cast<std::byte *>(o.a + part.aOffset));
  dnnl_memory_set_data_handle(part.b.get(), const_cast<std::byte *>(o.b + part.bOffset));
  dnnl_memory_set_data_handle(part.c.get(), o.c + part.cOffset);
  dnnl_exec_arg_t arguments[5] = {{DNNL_ARG_SRC, part.a.get()},
                                  {DNNL_ARG_WEIGHTS, part.b.get()},
                                  {DNNL_ARG_DST, part.c.get()}};
  int count = 3;
  if (part.bias) {
    dnnl_memory_set_data_handle(part.bias.get(), const_cast<std::byte *>(o.bias + part.biasOffset));
    arguments[count++] = {DNNL_ARG_BIAS, part.bias.get()};
  }
  if (part.scratchBytes) {
    dnnl_memory_set_data_handle(part.scratchpad.get(), o.scratch + part.scratchOffset);
    arguments[count++] = {DNNL_ARG_SCRATCHPAD, part.scratchpad.get()};
  }
  return dnnl_primitive_execute(part.primitive.get(), part.stream.get(), count, arguments);
}

zrt_status_t *LibraryProduct::run(const ProductOperands &operands, ThreadPool &pool) {
  std::atomic<int> worst{dnnl_success};
  pool.forEach(parts.size(), [&](uint64_t i, unsigned) {
    if (dnnl_status_t status = runPart(parts[i], operands); status != dnnl_success)
      worst = status;
  });
  if (worst != dnnl_success)
    return makeStatus(ZRT_STATUS_INTERNAL, "dnnl_primitive_execute fails with status %d",
                      worst.load());
  return nullptr;
}

zrt_status_t *Product::create(const zrt_matmul_t &mm, std::unique_ptr<Product> &out) {
  if (mm.dtype_c == ZRT_DTYPE_F64 || mm.k == 0) {
    bool isKnown = mm.dtype_c == ZRT_DTYPE_F64 || mm.dtype_c == ZRT_DTYPE_F32;
    if (!isKnown || mm.dtype_a != mm.dtype_c || mm.dtype_b != mm.dtype_c)
      return makeStatus(ZRT_STATUS_UNSUPPORTED, "there is no product of types %u, %u, %u",
                        mm.dtype_a, mm.dtype_b, mm.dtype_c);
    out = std::make_unique<LoopProduct>(mm);
    return nullptr;
  }
  if (libraryType(mm.dtype_a) == dnnl_data_type_undef ||
      libraryType(mm.dtype_b) == dnnl_data_type_undef ||
      libraryType(mm.dtype_c) == dnnl_data_type_undef)
    return makeStatus(ZRT_STATUS_UNSUPPORTED, "there is no product of types %u, %u, %u",
                      mm.dtype_a, mm.dtype_b, mm.dtype_c);
  useOneMathThread();
  auto product = std::make_unique<LibraryProduct>();
  for (const ProductPart &part : cutProduct(mm))
    ZRT_TRY(product->add(mm, part));
  out = std::move(product);
  return nullptr;
}

} // namespace zrt

zrt_status_t *zrt_matmul_scratch_bytes(const zrt_matmul_t *matmul, uint64_t *out_bytes) {
  if (matmul->batch < 0 || matmul->m < 0 || matmul->n < 0 || matmul->k < 0)
    return zrt::makeStatus(ZRT_STATUS_INVALID_ARGUMENT, "a size of the product is negative");
  std::unique_ptr<zrt::Product> product;
  ZRT_TRY(zrt::Product::create(*matmul, product));
  *out_bytes = product->scratchBytes();
  return nullptr;
}
