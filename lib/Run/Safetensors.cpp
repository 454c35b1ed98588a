//===- Safetensors.cpp - Parameters as a file -----------------------------===//

#include "zero/Run/Safetensors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace zero {

static void writeTensor(json::OStream &header, const ParameterInfo &parameter,
                        uint64_t offset) {
  header.attributeObject(parameter.name, [&] {
    header.attribute("dtype", dtypeName(parameter.dtype).upper());
    header.attributeArray("shape", [&] {
      for (int64_t size : parameter.shape)
        header.value(size);
    });
    header.attributeArray("data_offsets", [&] {
      header.value(offset);
      header.value(offset + parameter.bytes);
    });
  });
}

/// The JSON header, padded with spaces so that the tensors start at a multiple of 8.
static std::string makeHeader(const CompiledStep &step) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream header(os);
  header.object([&] {
    header.attributeObject("__metadata__", [&] {
      header.attribute("format", "pt");
      for (const ParameterInfo &parameter : step.getParameters())
        if (!parameter.aliasOf.empty())
          header.attribute("alias." + parameter.name, parameter.aliasOf);
    });
    uint64_t offset = 0;
    for (const ParameterInfo &parameter : step.getParameters()) {
      if (!parameter.aliasOf.empty())
        continue;
      writeTensor(header, parameter, offset);
      offset += parameter.bytes;
    }
  });
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

Error dumpParameters(const CompiledStep &step, Session &session, raw_ostream *stream) {
  if (stream) {
    std::string header = makeHeader(step);
    char size[8];
    support::endian::write64le(size, header.size());
    *stream << StringRef(size, sizeof size) << header;
  }
  for (const ParameterInfo &parameter : step.getParameters()) {
    if (!parameter.aliasOf.empty())
      continue;
    Expected<std::vector<char>> bytes = session.readParameter(parameter.name);
    if (!bytes)
      return bytes.takeError();
    if (stream)
      stream->write(bytes->data(), bytes->size());
  }
  return Error::success();
}

} // namespace zero
