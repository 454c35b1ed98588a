// Trains the network of mlp.mlir on two ranks, threads of this program, at ZeRO stage 3.
//
//   host-program path/to/mlp.mlir

#include "zero/Compiler.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

static constexpr int steps = 20;

/// What one rank feeds: points and, as targets, a function of them.
static std::vector<std::vector<float>> makeInputs(const zero::CompiledStep &step,
                                                  int64_t rank) {
  std::vector<std::vector<float>> buffers;
  for (const zero::InputInfo &input : step.getInputs()) {
    std::vector<float> &buffer = buffers.emplace_back();
    for (int64_t i = 0; i < input.getNumElements() && !input.isFedBySession; ++i)
      buffer.push_back(std::sin(0.1f * (i + 1) * (rank + 1)));
  }
  return buffers;
}

static llvm::Error trainRank(const zero::CompiledStep &step, zero::Communicator &end) {
  llvm::Expected<zero::Session> session = zero::Session::create(step, end);
  if (!session)
    return session.takeError();
  if (llvm::Error error = session->initialize(/*seed=*/1))
    return error;

  std::vector<std::vector<float>> buffers = makeInputs(step, end.getRank());
  std::vector<zero::InputBuffer> inputs;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!step.getInputs()[i].isFedBySession)
      inputs.emplace_back(step.getInputs()[i].role, buffers[i]);

  for (int i = 1; i <= steps; ++i) {
    llvm::Expected<zero::StepResult> result = session->run(inputs, /*learningRate=*/0.01);
    if (!result)
      return result.takeError();
    if (end.getRank() == 0)
      llvm::outs() << llvm::format("step %2d  loss %.6f\n", i, result->getLoss());
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::ExitOnError check("host-program: ");
  if (argc != 2)
    check(llvm::createStringError("want the path of mlp.mlir"));

  zero::Model model = check(zero::Model::parseFile(argv[1]));
  zero::CompileOptions options;
  options.stage = 3;
  options.worldSize = 2;
  zero::CompiledStep step = check(zero::compile(model, options));
  llvm::outs() << "a rank holds " << step.getMemory().getDeviceBytes() << " bytes\n";

  auto ends = check(zero::Communicator::inProcess(options.worldSize));
  check(zero::forEachRank(
      ends, [&](zero::Communicator &end) { return trainRank(step, end); }));
}
