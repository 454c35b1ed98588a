//===- MathSweepBench.cpp - The largest error of each math operation ------===//
//
// Not a test: prints, for each operation, the largest error in units in the last place
// and where it is.
//
//===----------------------------------------------------------------------===//

#include "MathSweep.h"

#include <cstdio>

using namespace zero::test;

static void print(const std::string &name, const char *type, const SweepResult &result) {
  std::printf("%-8s %-4s %12.3f  at %s", name.c_str(), type, result.ulps, result.where.c_str());
  if (result.wrongSpecials)
    std::printf("  %ld wrong special values, first %s", result.wrongSpecials,
                result.firstSpecial.c_str());
  std::printf("\n");
}

int main() {
  std::printf("operation         ulp\n");
  for (const std::string &name : sweptOperations()) {
    print(name, "f32", sweep<float>(name));
    print(name, "f64", sweep<double>(name));
  }
}
