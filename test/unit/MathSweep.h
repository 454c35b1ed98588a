//===- MathSweep.h - Math operations over their whole range -----*- C++ -*-===//

#ifndef ZERO_TEST_UNIT_MATHSWEEP_H
#define ZERO_TEST_UNIT_MATHSWEEP_H

#include <string>
#include <vector>

namespace zero::test {

/// The worst that a math operation does over all exponents, a sample of mantissas and the
/// special values, against a wider type.
struct SweepResult {
  double ulps = 0;          ///< largest error in units in the last place of the result
  std::string where;        ///< the operands there
  long wrongSpecials = 0;   ///< infinities, NaNs and signed zeros that are not C99's
  std::string firstSpecial; ///< operands of the first of these
};

/// Names of the operations that are swept, without the dialect's.
std::vector<std::string> sweptOperations();

/// T is float or double.
template <typename T> SweepResult sweep(const std::string &operation);

} // namespace zero::test

#endif // ZERO_TEST_UNIT_MATHSWEEP_H
