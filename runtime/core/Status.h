//===- Status.h - Making statuses -------------------------------*- C++ -*-===//

#ifndef ZRT_CORE_STATUS_H
#define ZRT_CORE_STATUS_H

#include "zrt.h"

#include <string>

struct zrt_status {
  zrt_status_code_t code;
  std::string message;
};

namespace zrt {

/// A status of `code` with a message made as by printf; null is success everywhere.
[[gnu::format(printf, 2, 3)]] zrt_status_t *makeStatus(zrt_status_code_t code,
                                                       const char *format, ...);

} // namespace zrt

/// Returns from the function with the status of `expression` unless it is success.
#define ZRT_TRY(expression)                                                                        \
  if (zrt_status_t *status_ = (expression))                                                        \
  return status_

#endif // ZRT_CORE_STATUS_H
