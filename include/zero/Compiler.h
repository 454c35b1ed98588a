//===- Compiler.h - Compile a model and train it from a program -*- C++ -*-===//
//
// The door for host programs: parse a model, compile its step for a number of
// ranks, give each rank a session and run steps with host buffers. Every error
// is an llvm::Error; those of a model carry file, line and column.
//
// Nothing of MLIR is needed to include this header.
//
//===----------------------------------------------------------------------===//

#ifndef ZERO_COMPILER_H
#define ZERO_COMPILER_H

#include "zrt.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace zero {

/// A failure of the runtime, with its code, so that a caller can tell a rank
/// that failed from one that was stopped because another did.
class RuntimeError : public llvm::ErrorInfo<RuntimeError> {
public:
  static char ID;
  RuntimeError(zrt_status_code_t code, std::string message)
      : code(code), text(std::move(message)) {}
  zrt_status_code_t getCode() const { return code; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  zrt_status_code_t code;
  std::string text;
};

/// What is wrong with a model: a line per error or note, `file:line:col: error: text`.
class ModelError : public llvm::ErrorInfo<ModelError> {
public:
  static char ID;
  explicit ModelError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string text;
};

/// The name of an element type as models spell it: "f32", "i64", ...
llvm::StringRef dtypeName(uint32_t dtype);
/// Bytes of one element.
uint64_t dtypeBytes(uint32_t dtype);

/// A model: a module with one `zero.step`. Not to be compiled by two threads at
/// the same time.
class Model {
public:
  static llvm::Expected<Model> parseFile(llvm::StringRef path);
  /// `name` stands for the file in messages.
  static llvm::Expected<Model> parseText(llvm::StringRef text,
                                         llvm::StringRef name = "model");
  Model(Model &&);
  Model &operator=(Model &&);
  ~Model();

  struct State;
  State &getState() const { return *state; }

private:
  explicit Model(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// What a compilation is told; the names are those of the command lines.
struct CompileOptions {
  int64_t stage = 0;          ///< ZeRO stage, 0 to 3
  int64_t worldSize = 1;      ///< ranks W
  int64_t threadsPerRank = 1; ///< threads of a rank
  int64_t alignBytes = 64;    ///< multiple at which bucket slots start
  std::string dumpPhases = {}; ///< directory for the module after each phase, or empty
};

/// An input of the step. `role` is its `zero.input` attribute.
struct InputInfo {
  std::string name, role;
  std::vector<int64_t> shape;
  uint32_t dtype = ZRT_DTYPE_F32;
  uint64_t bytes = 0;
  /// Values are below this where it indexes a table or names a class; 0: unknown.
  int64_t vocabulary = 0;
  /// The label that does not count, which is no class; only where it names classes.
  std::optional<int64_t> ignored;
  /// The session feeds it: "learning_rate", "step", "random".
  bool isFedBySession = false;

  int64_t getNumElements() const;
  /// As in MLIR: "tensor<4x256xi32>".
  std::string getType() const;
};

/// A parameter, or another name of one.
struct ParameterInfo {
  std::string name;
  std::string aliasOf; ///< the parameter that this is another name of, or empty
  std::vector<int64_t> shape;
  uint32_t dtype = ZRT_DTYPE_F32;
  uint64_t bytes = 0; ///< whole, without padding
  bool isFrozen = false;
  /// Its persistent values: "parameter", then the optimizer's states.
  std::vector<std::string> values;
};

/// Bytes of one rank, as the compiler placed them.
struct MemoryPlan {
  uint64_t persistentBytes = 0, transientBytes = 0;
  uint64_t lowerBoundBytes = 0; ///< largest sum of live transient buffers
  uint64_t parameterBytes = 0, gradientBytes = 0, optimizerBytes = 0;
  uint64_t libraryWorkspaceBytes = 0;

  uint64_t getDeviceBytes() const { return persistentBytes + transientBytes; }
};

/// A bucket whose parameters stage 3 does not cut, since that would raise the plan.
struct WholeBucket {
  std::string name;
  uint64_t bytes = 0; ///< that cutting would have saved per rank
};

/// A step compiled for W ranks: machine code and tables, constant and shared by
/// all sessions. Copies are handles of the same code.
class CompiledStep {
public:
  int64_t getStage() const;
  int64_t getWorldSize() const;
  int64_t getThreadsPerRank() const;
  /// Samples in one rank's inputs, B.
  int64_t getSamples() const;
  /// The element type of the loss.
  uint32_t getPrecision() const;
  const std::vector<InputInfo> &getInputs() const;
  const std::vector<ParameterInfo> &getParameters() const;
  const MemoryPlan &getMemory() const;
  const std::vector<WholeBucket> &getKeptWhole() const;
  /// What one step of one rank does.
  const zrt_counters_t &getPredicted() const;
  /// Of module and options, 32 hexadecimal digits.
  std::string getFingerprint() const;
  int64_t getUniqueKernels() const;
  double getPassSeconds() const;
  double getMachineCodeSeconds() const;

  struct State;
  explicit CompiledStep(std::shared_ptr<const State> state) : state(std::move(state)) {}
  const State &getState() const { return *state; }

private:
  std::shared_ptr<const State> state;
};

llvm::Expected<CompiledStep> compile(const Model &model, const CompileOptions &options);

/// One rank's end of a communicator.
class Communicator {
public:
  /// Ends of `worldSize` ranks that are threads of this process. No wait is
  /// longer than `deadlineSeconds`; `check` compares operation, type and count of
  /// each collective over ranks.
  static llvm::Expected<std::vector<Communicator>>
  inProcess(int64_t worldSize, double deadlineSeconds = 300, bool check = true);

  int64_t getRank() const;
  int64_t getWorldSize() const;
  /// Ends every present and later wait of every rank with `reason`.
  void abort(llvm::StringRef reason);
  zrt_communicator_t *getHandle() const { return handle.get(); }

private:
  struct Destroy {
    void operator()(zrt_communicator_t *end) const;
  };
  explicit Communicator(zrt_communicator_t *handle) : handle(handle) {}
  std::unique_ptr<zrt_communicator_t, Destroy> handle;
};

/// Runs `body` in one thread per end. The first rank that fails aborts the group,
/// and its error, not those of the ranks it took down, is returned.
llvm::Error forEachRank(llvm::MutableArrayRef<Communicator> ends,
                        llvm::function_ref<llvm::Error(Communicator &)> body);

/// The host buffer of an input, found by the input's role.
struct InputBuffer {
  llvm::StringRef name;
  llvm::ArrayRef<char> bytes;

  InputBuffer(llvm::StringRef name, llvm::ArrayRef<char> bytes) : name(name), bytes(bytes) {}
  template <typename T>
  InputBuffer(llvm::StringRef name, const std::vector<T> &elements)
      : name(name), bytes(reinterpret_cast<const char *>(elements.data()),
                          elements.size() * sizeof(T)) {}
};

/// The loss of a step: sums over all ranks.
struct StepResult {
  double lossSum = 0, weight = 0;

  /// The mean; 0 where every label is ignored.
  double getLoss() const { return weight == 0 ? 0 : lossSum / weight; }
};

/// One rank's training state. Calls marked collective must be made by all ranks.
class Session {
public:
  /// Collective: ranks compare the fingerprints of their programs. The end must
  /// outlive the session.
  static llvm::Expected<Session> create(const CompiledStep &step, Communicator &end);

  /// Sets parameters from their init attributes and states to zero, and the count
  /// of steps to 0. `seed` also keys dropout.
  llvm::Error initialize(uint64_t seed);

  /// Collective: one step. Every input that the session does not feed itself must
  /// be given, by role.
  llvm::Expected<StepResult> run(llvm::ArrayRef<InputBuffer> inputs, double learningRate);

  /// Collective: a value of a parameter, whole. `value` is "parameter" or the name
  /// of an optimizer's state.
  llvm::Expected<std::vector<char>> readParameter(llvm::StringRef name,
                                                  llvm::StringRef value = "parameter");
  /// The reverse; every rank passes the same bytes.
  llvm::Error writeParameter(llvm::StringRef name, llvm::ArrayRef<char> bytes,
                             llvm::StringRef value = "parameter");

  uint64_t getStepsDone() const { return stepsDone; }
  /// What this rank did since it was created, counted by the runtime.
  zrt_counters_t getCounters() const;
  /// Bytes of the arenas that this rank has allocated.
  uint64_t getAllocatedBytes() const;

private:
  struct Destroy {
    void operator()(zrt_rank_t *rank) const;
  };
  Session(CompiledStep step, zrt_rank_t *handle, int64_t rank)
      : step(std::move(step)), handle(handle), rank(rank) {}

  CompiledStep step;
  std::unique_ptr<zrt_rank_t, Destroy> handle;
  int64_t rank;
  uint64_t seed = 0, stepsDone = 0;
};

} // namespace zero

#endif // ZERO_COMPILER_H
