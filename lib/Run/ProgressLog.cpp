//===- ProgressLog.cpp - A line per step ----------------------------------===//

#include "ProgressLog.h"

#include "llvm/Support/Format.h"

using namespace llvm;

namespace zero {

static constexpr StringLiteral kClearLine("\r\033[K");

void ProgressLog::writeStep(uint64_t number, double loss, double learningRate,
                            double seconds) {
  finish();
  os << format("step %6llu  loss %.17g  lr %g  ", static_cast<unsigned long long>(number),
               loss, learningRate)
     << throughput.unit << format(" %.0f\n", throughput.perStep / seconds);
  if (hasBar)
    drawBar(number);
  os.flush();
}

void ProgressLog::drawBar(uint64_t done) {
  constexpr uint64_t width = 40;
  uint64_t filled = static_cast<double>(done) / steps * width;
  os << '[' << std::string(filled, '#') << std::string(width - filled, '.') << "] " << done
     << '/' << steps;
}

void ProgressLog::finish() {
  if (hasBar)
    os << kClearLine;
  os.flush();
}

} // namespace zero
