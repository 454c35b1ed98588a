//===- Report.cpp - What was planned and what was measured ----------------===//

#include "zero/Run/Report.h"

#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace zero {

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kCollectives[] = {"all_gather", "reduce_scatter", "all_reduce"};

namespace {
struct Quantity {
  std::string name;
  uint64_t value;
};
} // namespace

/// Every counter with its name in the report.
static std::vector<Quantity> listCounters(const zrt_counters_t &counters) {
  std::vector<Quantity> list;
  for (size_t kind = 0; kind < ZRT_COLLECTIVE_KINDS; ++kind) {
    list.push_back({kCollectives[kind].str() + " count", counters.collective_count[kind]});
    list.push_back(
        {kCollectives[kind].str() + " bytes_sent", counters.collective_bytes_sent[kind]});
  }
  list.push_back({"scalars count", counters.scalar_count});
  list.push_back({"scalars bytes_sent", counters.scalar_bytes_sent});
  list.push_back({"dispatches", counters.dispatches});
  list.push_back({"matmuls", counters.matmuls});
  list.push_back({"fills", counters.fills});
  list.push_back({"copies", counters.copies});
  list.push_back({"packing_copy_bytes", counters.packing_copy_bytes});
  return list;
}

static zrt_counters_t multiply(zrt_counters_t counters, uint64_t steps) {
  // The struct is nothing but 64-bit counts.
  static_assert(sizeof(zrt_counters_t) == 13 * sizeof(uint64_t));
  auto *counts = reinterpret_cast<uint64_t *>(&counters);
  std::transform(counts, counts + 13, counts, [&](uint64_t count) { return count * steps; });
  return counters;
}

static Error refuse(size_t rank, StringRef name, uint64_t planned, uint64_t measured) {
  return createStringError("rank " + Twine(rank) + ": planned and measured " + name +
                           " differ: " + Twine(planned) + " and " + Twine(measured));
}

Error compareWithPlan(const CompiledStep &step, const TrainingRecord &record) {
  auto planned = listCounters(multiply(step.getPredicted(), record.losses.size()));
  uint64_t plannedBytes = step.getMemory().getDeviceBytes();
  for (size_t rank = 0; rank < record.counters.size(); ++rank) {
    if (record.allocatedBytes[rank] != plannedBytes)
      return refuse(rank, "device_bytes", plannedBytes, record.allocatedBytes[rank]);
    auto measured = listCounters(record.counters[rank]);
    for (auto [want, got] : zip_equal(planned, measured))
      if (want.value != got.value)
        return refuse(rank, want.name, want.value, got.value);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// JSON has no word for values that are not finite.
static json::Value number(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static void writeCounters(json::OStream &json, const zrt_counters_t &counters) {
  auto writePair = [&](StringRef name, uint64_t count, uint64_t bytes) {
    json.attributeObject(name, [&] {
      json.attribute("count", count);
      json.attribute("bytes_sent", bytes);
    });
  };
  json.attributeObject("collectives", [&] {
    for (size_t kind = 0; kind < ZRT_COLLECTIVE_KINDS; ++kind)
      writePair(kCollectives[kind], counters.collective_count[kind],
                counters.collective_bytes_sent[kind]);
  });
  writePair("scalars", counters.scalar_count, counters.scalar_bytes_sent);
  json.attributeObject("transfers", [&] {
    for (StringRef direction : {"to_device", "to_host", "disk_read", "disk_write"})
      json.attribute(direction, 0);
  });
  json.attribute("dispatches", counters.dispatches);
  json.attribute("matmuls", counters.matmuls);
  json.attribute("fills", counters.fills);
  json.attribute("copies", counters.copies);
  json.attribute("packing_copy_bytes", counters.packing_copy_bytes);
}

static void writeTiers(json::OStream &json, uint64_t deviceBytes) {
  json.attribute("device_bytes", deviceBytes);
  json.attribute("host_bytes", 0);
  json.attribute("disk_bytes", 0);
}

static void writePlanned(json::OStream &json, const CompiledStep &step, uint64_t steps) {
  const MemoryPlan &memory = step.getMemory();
  json.attribute("steps", steps);
  writeTiers(json, memory.getDeviceBytes());
  json.attributeObject("state_bytes", [&] {
    json.attribute("parameters", memory.parameterBytes);
    json.attribute("gradients", memory.gradientBytes);
    json.attribute("optimizer", memory.optimizerBytes);
  });
  json.attribute("persistent_bytes", memory.persistentBytes);
  json.attribute("transient_bytes", memory.transientBytes);
  json.attribute("lower_bound_bytes", memory.lowerBoundBytes);
  json.attribute("library_workspace", memory.libraryWorkspaceBytes);
  writeCounters(json, multiply(step.getPredicted(), steps));
}

/// Of rank 0; compareWithPlan has shown that the others are the same.
static void writeMeasured(json::OStream &json, const TrainingRecord &record) {
  json.attribute("steps", record.losses.size());
  writeTiers(json, record.allocatedBytes.front());
  writeCounters(json, record.counters.front());
}

static void writeStepSeconds(json::OStream &json, std::vector<double> seconds) {
  if (seconds.empty())
    return;
  std::sort(seconds.begin(), seconds.end());
  size_t middle = seconds.size() / 2;
  double median = seconds.size() % 2 ? seconds[middle]
                                     : (seconds[middle - 1] + seconds[middle]) / 2;
  json.attribute("median", median);
  json.attribute("min", seconds.front());
  json.attribute("max", seconds.back());
}

static void writeHead(json::OStream &json, const CompiledStep &step,
                      const RunOptions &options) {
  json.attribute("model", options.model);
  json.attribute("stage", step.getStage());
  json.attribute("world_size", step.getWorldSize());
  json.attribute("threads_per_rank", step.getThreadsPerRank());
  json.attribute("target", "cpu");
  json.attribute("precision", dtypeName(step.getPrecision()));
  json.attribute("seed", options.feed.seed);
  json.attribute("learning_rate", options.learningRate);
  json.attribute("fingerprint", step.getFingerprint());
  json.attribute("unique_kernels", step.getUniqueKernels());
  json.attributeArray("kept_whole", [&] {
    for (const WholeBucket &bucket : step.getKeptWhole())
      json.object([&] {
        json.attribute("bucket", bucket.name);
        json.attribute("bytes", bucket.bytes);
        json.attribute("reason", "cutting it would raise the planned bytes above stage 2");
      });
  });
  json.attribute("cost_model", nullptr);
  json.attribute("compile_seconds", step.getPassSeconds() + step.getMachineCodeSeconds());
  json.attributeObject("compile_seconds_by_part", [&] {
    json.attribute("passes", step.getPassSeconds());
    json.attribute("machine_code", step.getMachineCodeSeconds());
  });
}

static void writeTraining(json::OStream &json, const TrainingRecord &record) {
  json.attribute("steps", record.losses.size());
  json.attributeArray("losses", [&] {
    for (double loss : record.losses)
      json.value(number(loss));
  });
  json.attribute("grad_norms", json::Array());
  json.attributeObject("step_seconds", [&] { writeStepSeconds(json, record.stepSeconds); });
}

void writeReport(raw_ostream &os, const CompiledStep &step, const RunOptions &options,
                 const TrainingRecord *record) {
  uint64_t steps = record ? record->losses.size() : 1;
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    writeHead(json, step, options);
    writeTraining(json, record ? *record : TrainingRecord());
    json.attribute("dispatches", step.getPredicted().dispatches);
    json.attribute("packing_copy_bytes", step.getPredicted().packing_copy_bytes);
    json.attributeObject("planned", [&] { writePlanned(json, step, steps); });
    if (record)
      json.attributeObject("measured", [&] { writeMeasured(json, *record); });
  });
  os << '\n';
}

} // namespace zero
