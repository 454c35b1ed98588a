//===- KernelHarness.h - Compiles and runs one kernel -----------*- C++ -*-===//

#ifndef ZERO_TEST_UNIT_KERNELHARNESS_H
#define ZERO_TEST_UNIT_KERNELHARNESS_H

#include "zrt.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace zero::test {

/// The one kernel @k of a module, compiled for this machine.
class CompiledKernel {
public:
  /// Records a test failure and stays invalid where `text` does not compile.
  explicit CompiledKernel(const std::string &text);

  bool isValid() const { return function != nullptr; }
  int64_t extent() const { return extentValue; }

  /// Runs the extent in `parts` parts, as threads would but one after the other.
  void run(const std::vector<void *> &operands, const std::vector<int64_t> &scalars = {},
           int64_t parts = 1) const;
  /// Runs [begin, end) only.
  void runPart(const std::vector<void *> &operands, const std::vector<int64_t> &scalars,
               int64_t begin, int64_t end) const;

  double passSeconds = 0, codeSeconds = 0;

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  zrt_kernel_fn_t function = nullptr;
  int64_t extentValue = 0, scratchBytes = 0;
};

/// A kernel of a file as a module of its own, @k, with what is needed to run it.
struct KernelText {
  std::string name, text;
  std::vector<int64_t> operandBytes, scalars;
  int64_t count = 0; ///< dispatches in the file
};
std::vector<KernelText> readKernels(const char *path);

/// The diagnostics that compiling `text` gives; empty where it succeeds.
std::string compileError(const std::string &text);

/// `text` with every "ELT" replaced by the name of T.
template <typename T> std::string withType(std::string text) {
  const std::string name = sizeof(T) == 8 ? "f64" : "f32";
  for (size_t at; (at = text.find("ELT")) != std::string::npos;)
    text.replace(at, 3, name);
  return text;
}

template <typename T> constexpr double tolerance() { return sizeof(T) == 8 ? 1e-12 : 2e-5; }

/// 64-byte aligned numbers, with a guard after them that must stay as it is.
template <typename T> class Buffer {
public:
  explicit Buffer(size_t size, T fill = T(-77)) : size_(size), storage(size + 48, T(-99)) {
    offset = (64 - reinterpret_cast<uintptr_t>(storage.data()) % 64) / sizeof(T);
    for (size_t i = 0; i < size; ++i)
      (*this)[i] = fill;
  }
  Buffer(const Buffer &other) : Buffer(other.size_) {
    for (size_t i = 0; i < size_; ++i)
      (*this)[i] = other[i];
  }
  static Buffer random(size_t size, unsigned seed, double low = -1, double high = 1) {
    Buffer buffer(size);
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> distribution(low, high);
    for (size_t i = 0; i < size; ++i)
      buffer[i] = T(distribution(generator));
    return buffer;
  }
  T &operator[](size_t i) { return storage[offset + i]; }
  const T &operator[](size_t i) const { return storage[offset + i]; }
  size_t size() const { return size_; }
  void *data() const { return const_cast<T *>(storage.data() + offset); }
  bool guardHolds() const {
    for (size_t i = offset + size_; i < storage.size(); ++i)
      if (storage[i] != T(-99))
        return false;
    return true;
  }

private:
  size_t size_, offset;
  std::vector<T> storage;
};

/// Expects |got - want| <= tolerance * (1 + |want|), everywhere, and an unbroken guard.
void expectNear(const std::vector<double> &want, const std::vector<double> &got,
                double tolerance, const std::string &what);

template <typename T>
void expectNear(const std::vector<double> &want, const Buffer<T> &got, const std::string &what,
                double slack = 1) {
  std::vector<double> values;
  for (size_t i = 0; i < got.size(); ++i)
    values.push_back(double(got[i]));
  expectNear(want, values, tolerance<T>() * slack, what);
  if (!got.guardHolds())
    expectNear({0}, {1}, 0, what + ": written past its end");
}

} // namespace zero::test

#endif // ZERO_TEST_UNIT_KERNELHARNESS_H
