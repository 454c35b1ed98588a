//===- Status.cpp - Making statuses ---------------------------------------===//

#include "core/Status.h"

#include <cstdarg>
#include <cstdio>

zrt_status_t *zrt::makeStatus(zrt_status_code_t code, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string message(length > 0 ? length : 0, '\0');
  std::vsnprintf(message.data(), message.size() + 1, format, again);
  va_end(arguments);
  va_end(again);
  return new zrt_status{code, std::move(message)};
}

zrt_status_code_t zrt_status_code(const zrt_status_t *status) { return status->code; }
const char *zrt_status_message(const zrt_status_t *status) { return status->message.c_str(); }
void zrt_status_destroy(zrt_status_t *status) { delete status; }
