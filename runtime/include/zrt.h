/*===- zrt.h - The C ABI of the ZeRO runtime ----------------------- C -*-===*
 *
 * Everything a compiled training step needs to run, and nothing of MLIR.
 *
 * Conventions, for every declaration below:
 *  - Handles are opaque; `zrt_noun_create` makes one, `zrt_noun_destroy` frees
 *    it and accepts null.
 *  - Every fallible call returns `zrt_status_t *`: null is success, anything
 *    else is owned by the caller, says what is wrong and where in one line
 *    without a final period, and is freed by `zrt_status_destroy`.
 *  - Outputs come last and are named `out_x`; they are written on success only.
 *  - Nothing prints, exits, aborts or throws across this boundary, and no wait
 *    is without a deadline.
 *  - Sizes are bytes unless a name says elements. All are 64-bit.
 *  - Config structs begin with their own size, so that they can grow.
 *  - The tables of a compiled module (`zrt_image_t` and what it refers to) are
 *    constant plain data: no pointers, only positions in the image. One image
 *    serves all ranks of a process.
 *===---------------------------------------------------------------------===*/

#ifndef ZRT_H
#define ZRT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define ZRT_ABI_VERSION 1u
#define ZRT_IMAGE_MAGIC 0x54525a45u /* "EZRT" */
#define ZRT_NONE UINT32_MAX

/*===-- Status -----------------------------------------------------------===*/

typedef enum zrt_status_code {
  ZRT_STATUS_INVALID_ARGUMENT = 1, /* the caller's input is wrong */
  ZRT_STATUS_OUT_OF_MEMORY = 2,
  ZRT_STATUS_DEADLINE_EXCEEDED = 3, /* a rank did not come in time */
  ZRT_STATUS_MISMATCH = 4,          /* ranks disagree: fingerprint, order, count */
  ZRT_STATUS_ABORTED = 5,           /* another rank failed first */
  ZRT_STATUS_UNSUPPORTED = 6,
  ZRT_STATUS_INTERNAL = 7,
} zrt_status_code_t;

typedef struct zrt_status zrt_status_t;

zrt_status_code_t zrt_status_code(const zrt_status_t *status);
const char *zrt_status_message(const zrt_status_t *status);
void zrt_status_destroy(zrt_status_t *status);

/*===-- The tables of a compiled module ----------------------------------===*/

typedef enum zrt_dtype {
  ZRT_DTYPE_F32 = 0,
  ZRT_DTYPE_F64 = 1,
  ZRT_DTYPE_BF16 = 2,
  ZRT_DTYPE_F16 = 3,
  ZRT_DTYPE_I32 = 4,
  ZRT_DTYPE_I64 = 5,
  ZRT_DTYPE_I8 = 6, /* also i1, one byte an element */
} zrt_dtype_t;

/* A run of `count` table entries that starts `offset` bytes into the image. */
typedef struct zrt_section {
  uint64_t offset;
  uint64_t count;
} zrt_section_t;

/* Arena numbers. Above these, arena ZRT_ARENA_EXTERNAL + i is the caller's
 * buffer for external i of the program that runs. */
enum { ZRT_ARENA_PERSISTENT = 0, ZRT_ARENA_TRANSIENT = 1, ZRT_ARENA_EXTERNAL = 2 };

typedef enum zrt_access { ZRT_ACCESS_READ = 1, ZRT_ACCESS_WRITE = 2 } zrt_access_t;

/* Bytes [offset + rank * rank_stride, + size) of an arena. For per-thread
 * scratch, thread t uses [.. + t * thread_stride, + thread_stride). */
typedef struct zrt_view {
  uint64_t offset;
  uint64_t rank_stride;
  uint64_t thread_stride;
  uint64_t size;
  uint32_t arena;
  uint32_t access; /* bits of zrt_access_t */
} zrt_view_t;

typedef enum zrt_opcode {
  ZRT_OPCODE_DISPATCH = 0,       /* payload: index into dispatches */
  ZRT_OPCODE_MATMUL = 1,         /* payload: index into matmuls */
  ZRT_OPCODE_FILL = 2,           /* operand: dst; scalar 0: the byte pattern (8 bytes); payload: pattern bytes 1, 2, 4, 8 */
  ZRT_OPCODE_COPY = 3,           /* operands: src, dst, of one size */
  ZRT_OPCODE_ALL_GATHER = 4,     /* payload: index into collectives */
  ZRT_OPCODE_REDUCE_SCATTER = 5, /* likewise */
  ZRT_OPCODE_ALL_REDUCE = 6,     /* likewise */
} zrt_opcode_t;

typedef enum zrt_queue {
  ZRT_QUEUE_COMPUTE = 0,
  ZRT_QUEUE_COLLECTIVE = 1,
  ZRT_QUEUE_TO_DEVICE = 2,
  ZRT_QUEUE_TO_HOST = 3,
  ZRT_QUEUE_DISK_READ = 4,
  ZRT_QUEUE_DISK_WRITE = 5,
} zrt_queue_t;

/* Work that must be done before a command starts: the first `ordinal` + 1
 * commands of `queue`. */
typedef struct zrt_wait {
  uint32_t queue;
  uint32_t ordinal;
} zrt_wait_t;

typedef struct zrt_command {
  uint32_t opcode; /* zrt_opcode_t */
  uint32_t queue;  /* zrt_queue_t */
  uint32_t payload;
  uint32_t name; /* byte position in the strings section: where it came from */
  uint32_t view_begin, view_count;
  uint32_t scalar_begin, scalar_count;
  uint32_t wait_begin, wait_count;
} zrt_command_t;

/* A generated kernel: `operands[i]` is the address of view i, `scalars` are the
 * command's constants (then the segment's), and [begin, end) is the part of
 * the kernel's outer parallel extent to compute. */
typedef void (*zrt_kernel_fn_t)(void *const *operands, const int64_t *scalars,
                                int64_t begin, int64_t end);

/* The runtime cuts [0, extent) over threads at multiples of `grain`.
 * With segments (an update): [0, extent) are the elements of this rank's
 * slice, which starts at element rank * rank_elements of the bucket; the kernel
 * runs once per segment, clipped to the slice, so that padding is untouched. */
typedef struct zrt_dispatch {
  uint64_t extent;
  uint64_t grain;
  uint64_t rank_elements;
  uint32_t kernel; /* index into the module's kernel table */
  uint32_t segment_begin, segment_count;
  uint32_t reserved;
} zrt_dispatch_t;

/* Elements [begin, end) of a bucket, with constants for its update; they reach
 * the kernel as scalars: the bit patterns of the two doubles. */
typedef struct zrt_segment {
  uint64_t begin, end;
  double lr_scale, weight_decay;
} zrt_segment_t;

/* C[b] = A[b] x B[b] (+ bias over n) (+ C[b] when accumulating). Strides are
 * elements; the last two of each operand in the order named. A stride of 0
 * over the batch broadcasts. Views: a, b, [bias,] c, [scratch].
 * Accumulation is in f32 (f64 for f64), rounded once to dtype_c. */
typedef struct zrt_matmul {
  int64_t batch, m, n, k;
  int64_t a_stride_batch, a_stride_m, a_stride_k;
  int64_t b_stride_batch, b_stride_k, b_stride_n;
  int64_t c_stride_batch, c_stride_m; /* n is contiguous in C */
  uint32_t dtype_a, dtype_b, dtype_c; /* zrt_dtype_t */
  uint32_t accumulate, has_bias;
  uint32_t threads;       /* threads the product is split over */
  uint64_t scratch_bytes; /* from zrt_matmul_scratch_bytes; 0: no scratch view */
} zrt_matmul_t;

/* Views: src, dst. All-gather: src is the rank's slice (S elements), dst all
 * W * S; in place when src is dst's own slice. Reduce-scatter: the reverse; in
 * place when dst is src's own slice. All-reduce: both hold all elements; in
 * place when equal. Sums add in f32 (f64 for f64, exact integers for integers)
 * in the order of the ranks and are rounded once to `dtype`. */
typedef struct zrt_collective {
  uint64_t elements; /* of the whole: W * S */
  uint32_t dtype;
  uint32_t group;     /* 0: all ranks */
  uint32_t is_scalar; /* counted under scalars, not under collectives */
  uint32_t reserved;
} zrt_collective_t;

typedef enum zrt_external_kind { ZRT_EXTERNAL_INPUT = 0, ZRT_EXTERNAL_OUTPUT = 1 } zrt_external_kind_t;

/* A host buffer that the caller hands to each run. `role` is the step input's
 * role ("tokens", "learning_rate", ...), or the output's name ("loss", ...). */
typedef struct zrt_external {
  uint32_t name, role; /* byte positions in strings */
  uint32_t kind;       /* zrt_external_kind_t */
  uint32_t dtype;
  uint32_t rank;
  uint32_t shape_begin; /* into dims */
  uint64_t bytes;
} zrt_external_t;

typedef enum zrt_collective_kind {
  ZRT_COLLECTIVE_ALL_GATHER = 0,
  ZRT_COLLECTIVE_REDUCE_SCATTER = 1,
  ZRT_COLLECTIVE_ALL_REDUCE = 2,
  ZRT_COLLECTIVE_KINDS = 3,
} zrt_collective_kind_t;

/* What one rank does; predicted by the compiler, counted by the runtime. */
typedef struct zrt_counters {
  uint64_t collective_count[3]; /* by zrt_collective_kind_t, scalars apart */
  uint64_t collective_bytes_sent[3];
  uint64_t scalar_count, scalar_bytes_sent;
  uint64_t dispatches, matmuls, fills, copies;
  uint64_t packing_copy_bytes; /* bytes of copies; a copy packs by definition */
} zrt_counters_t;

typedef struct zrt_program {
  uint32_t name;
  uint32_t reserved;
  zrt_section_t commands;  /* of zrt_command_t */
  zrt_section_t externals; /* of zrt_external_t */
  zrt_counters_t predicted; /* for one run on one rank */
} zrt_program_t;

/* Persistent values of a bucket: kind 0 is the parameter, 1.. the optimizer
 * states in order. A cut value holds shard_elements on each rank, a whole one
 * world_size * shard_elements. */
typedef struct zrt_bucket_value {
  uint32_t name; /* "parameter", "m", ... */
  uint32_t is_cut;
  uint32_t dtype;
  uint32_t reserved;
  uint64_t offset; /* in the persistent arena */
} zrt_bucket_value_t;

typedef struct zrt_bucket {
  uint32_t name;
  uint32_t is_trainable;
  uint64_t shard_elements;
  uint64_t real_elements;
  zrt_section_t values; /* of zrt_bucket_value_t; the parameter first */
} zrt_bucket_t;

typedef enum zrt_init {
  ZRT_INIT_ZEROS = 0,
  ZRT_INIT_ONES = 1,
  ZRT_INIT_CONSTANT = 2, /* arg0 */
  ZRT_INIT_NORMAL = 3,   /* arg0: mean, arg1: standard deviation */
  ZRT_INIT_UNIFORM = 4,  /* [arg0, arg1) */
  ZRT_INIT_IOTA = 5,     /* arg0 + arg1 * flat index; for tests */
} zrt_init_t;

typedef struct zrt_parameter {
  uint32_t name;
  uint32_t alias_of; /* index of the parameter that this is another name of, or ZRT_NONE */
  uint32_t bucket;
  uint32_t dtype;
  uint32_t rank;
  uint32_t shape_begin; /* into dims */
  uint64_t bucket_offset_elements;
  uint64_t elements;
  uint32_t init; /* zrt_init_t */
  uint32_t is_frozen;
  double init_arg0, init_arg1;
} zrt_parameter_t;

typedef struct zrt_image {
  uint32_t magic, abi_version;
  uint64_t image_bytes;
  uint64_t fingerprint[2]; /* of module and options */
  uint32_t world_size, stage;
  uint32_t threads_per_rank, kernel_count;
  uint64_t persistent_bytes, transient_bytes;
  uint64_t lower_bound_bytes; /* largest sum of live transient buffers */
  uint64_t state_bytes[3];    /* parameters, gradients, optimizer */
  uint64_t library_workspace_bytes;
  zrt_section_t strings; /* bytes, each string ended by 0 */
  zrt_section_t dims;    /* int64_t */
  zrt_section_t programs, buckets, parameters;
  zrt_section_t views, scalars /* int64_t */, waits;
  zrt_section_t dispatches, matmuls, collectives, segments;
} zrt_image_t;

/* What generated code exports, as the symbol `zrt_module`. */
typedef struct zrt_module {
  const zrt_image_t *image;
  const zrt_kernel_fn_t *kernels;
} zrt_module_t;

/* Checks every position, size, arena range and table index of `module`. */
zrt_status_t *zrt_module_validate(const zrt_module_t *module);

/*===-- What the compiler asks of the backend ----------------------------===*/

/* The scratch (user scratchpad and packing space) that `matmul` needs, all
 * threads together; a pure function of the descriptor and the instruction set.
 * UNSUPPORTED where the library has no such product. */
zrt_status_t *zrt_matmul_scratch_bytes(const zrt_matmul_t *matmul, uint64_t *out_bytes);

/*===-- Communicators ----------------------------------------------------===*/

typedef struct zrt_communicator zrt_communicator_t; /* one rank's end of a group */

typedef struct zrt_communicator_config {
  uint64_t struct_size;
  double deadline_seconds; /* of each wait; must be positive */
  uint32_t check; /* compare operation, dtype, count and group of each collective */
  uint32_t reserved;
} zrt_communicator_config_t;

/* `world_size` ends of an in-process communicator; out_ends has that many. Each
 * end belongs to one rank thread and is destroyed apart. */
zrt_status_t *zrt_communicator_create_in_process(const zrt_communicator_config_t *config,
                                                 uint32_t world_size,
                                                 zrt_communicator_t **out_ends);
void zrt_communicator_destroy(zrt_communicator_t *communicator);
uint32_t zrt_communicator_rank(const zrt_communicator_t *communicator);
uint32_t zrt_communicator_world_size(const zrt_communicator_t *communicator);
/* Makes every present and later wait on the group fail with ABORTED and `reason`. */
void zrt_communicator_abort(zrt_communicator_t *communicator, const char *reason);

/*===-- Ranks ------------------------------------------------------------===*/

typedef struct zrt_rank zrt_rank_t;

typedef struct zrt_rank_config {
  uint64_t struct_size;
  uint32_t threads; /* must equal the image's threads_per_rank */
  uint32_t reserved;
} zrt_rank_config_t;

/* Allocates the arenas, starts the rank's threads, compares fingerprints with
 * the other ranks (collective). `communicator` is borrowed. */
zrt_status_t *zrt_rank_create(const zrt_module_t *module, zrt_communicator_t *communicator,
                              const zrt_rank_config_t *config, zrt_rank_t **out_rank);
void zrt_rank_destroy(zrt_rank_t *rank);

/* Sets parameters from their init attributes by a counter-based generator keyed
 * by (seed, parameter name, element index); states and padding to zero. Values
 * do not depend on world size or stage; only bytes that the rank stores are made. */
zrt_status_t *zrt_rank_initialize(zrt_rank_t *rank, uint64_t seed);

/* Runs program `program` once (collective). externals[i] is the host buffer of
 * external i, of exactly its bytes. */
zrt_status_t *zrt_rank_run(zrt_rank_t *rank, uint32_t program, void *const *externals);

/* Reads one value of a parameter whole, padding dropped (collective). `value`
 * as in zrt_bucket: 0 is the parameter, 1.. its states. */
zrt_status_t *zrt_rank_read_parameter(zrt_rank_t *rank, uint32_t parameter, uint32_t value,
                                      void *out_bytes, uint64_t bytes);
/* The reverse; every rank passes the same whole value and keeps its part. */
zrt_status_t *zrt_rank_write_parameter(zrt_rank_t *rank, uint32_t parameter, uint32_t value,
                                       const void *in_bytes, uint64_t bytes);

/* Counted by zrt_rank_run, in the copy loops, since creation. */
void zrt_rank_counters(const zrt_rank_t *rank, zrt_counters_t *out_counters);
/* Bytes of the arenas that the rank has allocated. */
uint64_t zrt_rank_allocated_bytes(const zrt_rank_t *rank);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* ZRT_H */
