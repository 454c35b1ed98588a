//===- KernelBench.cpp - Speed of generated kernels on one core -----------===//
//
// Not a test: prints seconds to compile, GB/s and GFLOP/s of kernels of gpt2-small or,
// with the name of a file, of every zero.kernel in it (after --zero-compile-to-rt).
//
//===----------------------------------------------------------------------===//

#include "KernelHarness.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <immintrin.h>

using namespace zero::test;

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Measured peak of fused multiply-adds, in GFLOP/s.
static double measurePeak() {
  __m512 sums[12];
  for (auto &sum : sums)
    sum = _mm512_set1_ps(1.f);
  __m512 a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(1e-3f);
  double best = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    double start = now();
    for (int i = 0; i < 200000; ++i) {
      for (auto &sum : sums)
        sum = _mm512_fmadd_ps(sum, a, b);
      for (auto &sum : sums)
        asm volatile("" : "+v"(sum));
    }
    best = std::max(best, 200000.0 * 12 * 32 / (now() - start) * 1e-9);
  }
  volatile float sink = _mm512_reduce_add_ps(sums[3]) + _mm512_reduce_add_ps(sums[11]);
  (void)sink;
  return best;
}

static void report(const char *name, const CompiledKernel &kernel, std::vector<Buffer<float> *> buffers,
                   std::vector<int64_t> scalars, double flops, double bytes) {
  std::vector<void *> operands;
  for (auto *buffer : buffers)
    operands.push_back(buffer->data());
  double best = 1e9;
  for (int repeat = 0; repeat < 12; ++repeat) {
    double start = now();
    kernel.run(operands, scalars);
    best = std::min(best, now() - start);
  }
  std::printf("%-28s passes %6.1f ms code %6.1f ms  %8.3f ms", name, kernel.passSeconds * 1e3,
              kernel.codeSeconds * 1e3, best * 1e3);
  if (bytes > 0)
    std::printf("  %6.1f GB/s", bytes / best * 1e-9);
  if (flops > 0)
    std::printf("  %6.1f GFLOP/s", flops / best * 1e-9);
  std::printf("\n");
}

static std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at; (at = text.find(from)) != std::string::npos;)
    text.replace(at, from.size(), to);
  return text;
}

static void benchAttention(int64_t batch, int64_t length, bool causal) {
  int64_t heads = 12, channels = 64, n = batch * length * heads * channels;
  std::string Q = "tensor<" + std::to_string(batch) + "x" + std::to_string(length) + "x12x64xf32>";
  std::string L = "tensor<" + std::to_string(batch) + "x12x" + std::to_string(length) + "xf32>";
  std::string options = causal ? " {causal, scale = 0.125 : f64}" : " {scale = 0.125 : f64}";
  auto fill = [&](std::string text) {
    return replaceAll(replaceAll(replaceAll(text, "$Q", Q), "$L", L), "$OPT", options);
  };
  CompiledKernel forward(fill("zero.kernel @k(%q: $Q, %k: $Q, %v: $Q, %o: $Q, %p: $L) -> ($Q, $L) {\n"
                              "%y, %l = nn.attention %q, %k, %v $OPT : ($Q, $Q, $Q) -> ($Q, $L)\n"
                              "zero.yield %y, %l : $Q, $L }"));
  CompiledKernel backward(fill("zero.kernel @k(%dy: $Q, %q: $Q, %k: $Q, %v: $Q, %y: $Q, %l: $L, %o: $Q, %p: $Q, %r: $Q) -> ($Q, $Q, $Q) {\n"
                               "%a, %b, %c = nn.attention_grad %dy, %q, %k, %v, %y, %l $OPT : ($Q, $Q, $Q, $Q, $Q, $L) -> ($Q, $Q, $Q)\n"
                               "zero.yield %a, %b, %c : $Q, $Q, $Q }"));
  auto q = Buffer<float>::random(n, 1), k = Buffer<float>::random(n, 2), v = Buffer<float>::random(n, 3),
       dy = Buffer<float>::random(n, 4);
  Buffer<float> y(n), lse(batch * heads * length), dq(n), dk(n), dv(n);
  double pairs = double(batch) * heads * length * (causal ? (length + 1) / 2.0 : length);
  char name[64];
  std::snprintf(name, sizeof name, "attention %lld%s", (long long)length, causal ? " causal" : "");
  report(name, forward, {&q, &k, &v, &y, &lse}, {}, 4 * pairs * channels, 0);
  std::snprintf(name, sizeof name, "attention_grad %lld%s", (long long)length, causal ? " causal" : "");
  report(name, backward, {&dy, &q, &k, &v, &y, &lse, &dq, &dk, &dv}, {}, 10 * pairs * channels, 0);
}

static void benchRows() {
  int64_t rows = 1024, columns = 768, n = rows * columns;
  auto fill = [&](std::string text) {
    text = replaceAll(text, "$S", "tensor<1024x768xf32>");
    text = replaceAll(text, "$R", "tensor<1024xf32>");
    text = replaceAll(text, "$H", "tensor<1024x3072xf32>");
    return replaceAll(replaceAll(text, "$C", "tensor<768xf32>"), "$D", "tensor<3072xf32>");
  };
  auto a = Buffer<float>::random(n, 1), b = Buffer<float>::random(n, 2), g = Buffer<float>::random(columns, 3),
       h = Buffer<float>::random(columns, 4), m = Buffer<float>::random(rows, 5), r = Buffer<float>::random(rows, 6);
  Buffer<float> o(n), p(n), q(rows), u(rows), dg(columns), db(columns);
  CompiledKernel norm(fill("zero.kernel @k(%a: $S, %b: $S, %g: $C, %h: $C, %o: $S, %p: $S, %q: $R, %u: $R) -> ($S, $S, $R, $R) {\n"
                           "%x = arith.addf %a, %b : $S\n"
                           "%y, %m, %r = nn.layer_norm %x, %g, %h {epsilon = 1.0e-5 : f64} : ($S, $C, $C) -> ($S, $R, $R)\n"
                           "zero.yield %x, %y, %m, %r : $S, $S, $R, $R }"));
  report("add + layer_norm", norm, {&a, &b, &g, &h, &o, &p, &q, &u}, {}, 0, n * 16.0);
  std::string op = "%dx, %dg, %db = nn.layer_norm_grad %dy, %x, %g, %m, %r : ($S, $S, $C, $R, $R) -> ($S, $C, $C)\n";
  std::string in = "zero.kernel @k(%dy: $S, %x: $S, %g: $C, %m: $R, %r: $R, ";
  CompiledKernel rowGrad(fill(in + "%o: $S) -> ($S) {\n" + op + "zero.yield %dx : $S }"));
  report("layer_norm_grad rows", rowGrad, {&a, &b, &g, &m, &r, &o}, {}, 0, n * 12.0);
  CompiledKernel columnGrad(fill(in + "%o: $C, %p: $C) -> ($C, $C) {\n" + op + "zero.yield %dg, %db : $C, $C }"));
  report("layer_norm_grad columns", columnGrad, {&a, &b, &g, &m, &r, &dg, &db}, {}, 0, n * 8.0);
  auto x = Buffer<float>::random(rows * 3072, 1, -3, 3), bias = Buffer<float>::random(3072, 2);
  Buffer<float> y(rows * 3072);
  CompiledKernel sum(fill("zero.kernel @k(%x: $H, %o: $D) -> ($D) {\n%c = arith.constant dense<0.0> : $D\n"
                          "%0 = linalg.reduce { arith.addf } ins(%x : $H) outs(%c : $D) dimensions = [0]\nzero.yield %0 : $D }"));
  Buffer<float> sums(3072);
  report("bias gradient", sum, {&x, &sums}, {}, 0, rows * 3072 * 4.0);
  std::string gelu = "zero.kernel @k(%x: $H, %b: $D, %o: $H) -> ($H) {\n%e = tensor.empty() : $H\n"
                     "%c = linalg.broadcast ins(%b : $D) outs(%e : $H) dimensions = [0]\n%v = arith.addf %x, %c : $H\n"
                     "%s = arith.constant dense<0.79788456> : $H\n%h = arith.constant dense<0.5> : $H\n"
                     "%k = arith.constant dense<0.044715> : $H\n%1 = arith.constant dense<1.0> : $H\n"
                     "%v2 = arith.mulf %v, %v : $H\n%v3 = arith.mulf %v2, %v : $H\n%w = arith.mulf %v3, %k : $H\n"
                     "%z = arith.addf %v, %w : $H\n%t = arith.mulf %z, %s : $H\n%f = math.tanh %t : $H\n"
                     "%p = arith.addf %f, %1 : $H\n%q = arith.mulf %v, %p : $H\n%r = arith.mulf %q, %h : $H\nzero.yield %r : $H }";
  CompiledKernel geluKernel(fill(gelu));
  report("bias + gelu (tanh)", geluKernel, {&x, &bias, &y}, {}, 0, rows * 3072 * 8.0);
  CompiledKernel erf(fill(replaceAll(gelu, "math.tanh", "math.erf")));
  report("bias + gelu (erf)", erf, {&x, &bias, &y}, {}, 0, rows * 3072 * 8.0);
  CompiledKernel exp(fill(replaceAll(gelu, "math.tanh", "math.exp")));
  report("bias + exp", exp, {&x, &bias, &y}, {}, 0, rows * 3072 * 8.0);
  int64_t vocabulary = 50257, tile = 512;
  auto logits = Buffer<float>::random(tile * vocabulary, 1, -5, 5);
  Buffer<float> gradient(tile * vocabulary), labels(tile, 0), loss(tile), weight(tile), dsum(1, 1);
  std::string loss512 = "zero.kernel @k(%x: $S, %l: tensor<512xi32>, %d: tensor<f32>, %o: $R, %p: $R, %q: $S) -> ($R, $R, $S) {\n"
                        "%a, %w, %e = nn.cross_entropy_rows %x, %l : ($S, tensor<512xi32>) -> ($R, $R, $R)\n"
                        "%g = nn.cross_entropy_grad %d, %x, %l, %e : (tensor<f32>, $S, tensor<512xi32>, $R) -> $S\n"
                        "zero.yield %a, %w, %g : $R, $R, $S }";
  CompiledKernel cross(replaceAll(replaceAll(loss512, "$S", "tensor<512x50257xf32>"), "$R", "tensor<512xf32>"));
  report("cross entropy + gradient", cross, {&logits, &labels, &dsum, &loss, &weight, &gradient}, {}, 0, tile * vocabulary * 8.0);
  auto table = Buffer<float>::random(50257 * 768, 1);
  Buffer<float> ids(1024, 0);
  for (int i = 0; i < 1024; ++i)
    reinterpret_cast<int32_t *>(ids.data())[i] = i * 7919 % 50257;
  CompiledKernel gather("zero.kernel @k(%t: tensor<50257x768xf32>, %i: tensor<1024xi32>, %o: tensor<1024x768xf32>) -> (tensor<1024x768xf32>) {\n"
                        "%0 = nn.embedding %t, %i : (tensor<50257x768xf32>, tensor<1024xi32>) -> tensor<1024x768xf32>\nzero.yield %0 : tensor<1024x768xf32> }");
  report("embedding", gather, {&table, &ids, &o}, {}, 0, n * 8.0);
  CompiledKernel drop(fill("zero.kernel @k(%x: $S, %r: tensor<4xi64>, %o: $S, %s: i64) -> ($S) {\n"
                           "%0 = nn.dropout %x site %s random %r {probability = 0.1 : f64} : ($S, i64, tensor<4xi64>) -> $S\nzero.yield %0 : $S }"));
  Buffer<float> random(8, 0);
  report("dropout", drop, {&a, &random, &o}, {3}, 0, n * 8.0);
}

static void benchUpdate() {
  int64_t n = 7 << 20;
  auto p = Buffer<float>::random(n, 1), m = Buffer<float>::random(n, 2), v = Buffer<float>::random(n, 3, 0, 1), g = Buffer<float>::random(n, 4);
  std::string text =
      "zero.kernel @k(%g: $N, %p: $N, %m: $N, %v: $N) -> ($N, $N, $N) attributes {update} {\n"
      "%b1 = arith.constant dense<0.9> : $N\n%c1 = arith.constant dense<0.1> : $N\n"
      "%b2 = arith.constant dense<0.999> : $N\n%c2 = arith.constant dense<0.001> : $N\n"
      "%lr = arith.constant dense<0.0001> : $N\n%eps = arith.constant dense<1.0e-8> : $N\n"
      "%m0 = arith.mulf %m, %b1 : $N\n%m1 = arith.mulf %g, %c1 : $N\n%m2 = arith.addf %m0, %m1 : $N\n"
      "%g2 = arith.mulf %g, %g : $N\n%v0 = arith.mulf %v, %b2 : $N\n%v1 = arith.mulf %g2, %c2 : $N\n%v2 = arith.addf %v0, %v1 : $N\n"
      "%s = math.sqrt %v2 : $N\n%d = arith.addf %s, %eps : $N\n%u = arith.divf %m2, %d : $N\n"
      "%w = arith.mulf %u, %lr : $N\n%q = arith.subf %p, %w : $N\nzero.yield %q, %m2, %v2 : $N, $N, $N }";
  CompiledKernel kernel(replaceAll(text, "$N", "tensor<" + std::to_string(n) + "xf32>"));
  report("Adam", kernel, {&g, &p, &m, &v}, {}, 0, n * 28.0);
}

/// The kernels of an rt module and how often a step runs each.
static void benchFile(const char *path) {
  double total = 0;
  for (const KernelText &kernel : readKernels(path)) {
    CompiledKernel compiled(kernel.text);
    std::vector<Buffer<float>> buffers;
    double bytes = 0;
    for (int64_t size : kernel.operandBytes) {
      buffers.push_back(Buffer<float>::random(size / 4 + 1, 1, 0, 1e-3));
      bytes += size;
    }
    std::vector<void *> operands;
    for (auto &buffer : buffers)
      operands.push_back(buffer.data());
    double best = 1e9;
    for (int repeat = 0; repeat < 5; ++repeat) {
      double start = now();
      compiled.run(operands, kernel.scalars);
      best = std::min(best, now() - start);
    }
    std::printf("%-22s %3lld x %8.3f ms = %8.2f ms  %6.1f GB/s  code %5.1f ms\n", kernel.name.c_str(),
                (long long)kernel.count, best * 1e3, kernel.count * best * 1e3,
                bytes / best * 1e-9, compiled.codeSeconds * 1e3);
    total += kernel.count * best;
  }
  std::printf("all kernels of a step: %.1f ms on one thread\n", total * 1e3);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    benchFile(argv[1]);
    return 0;
  }
  std::printf("peak %.1f GFLOP/s\n", measurePeak());
  benchRows();
  benchUpdate();
  for (int64_t length : {256, 1024})
    for (bool causal : {false, true})
      benchAttention(1024 / length, length, causal);
}
