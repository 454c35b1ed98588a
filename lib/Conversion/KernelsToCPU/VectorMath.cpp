//===- VectorMath.cpp - Elementary functions on all lanes -----------------===//
//
// Functions of lanes become calls of glibc's vector library (libmvec), as many as the
// instruction set of this machine needs for 16 lanes. It is within 4 ulp over the whole
// range and takes special values, denormals and huge arguments as C99 says. A single value
// is computed as one of its lanes: a value that is computed again elsewhere has the same
// bits. Where the library is missing LLVM calls libm.
//
//===----------------------------------------------------------------------===//

#include "CpuEvaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace zero {
namespace {

/// The library's variant for an instruction set (x86 vector function ABI).
struct VectorLibrary {
  char isa = 0; ///< 0: none
  int64_t bits = 0;
};
} // namespace

static VectorLibrary findVectorLibrary() {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.getArch() != llvm::Triple::x86_64 || !triple.isOSLinux() || !triple.isGNUEnvironment())
    return {};
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f") && features.lookup("avx512dq"))
    return {'e', 512};
  if (features.lookup("avx2") && features.lookup("fma"))
    return {'d', 256};
  return {'b', 128};
}

/// The C name of what `op` computes in double; empty if the library has none.
static StringRef functionName(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().stripDialect())
      .Case("exp", "exp")
      .Case("exp2", "exp2")
      .Case("expm1", "expm1")
      .Case("log", "log")
      .Case("log2", "log2")
      .Case("log10", "log10")
      .Case("log1p", "log1p")
      .Case("sin", "sin")
      .Case("cos", "cos")
      .Case("tan", "tan")
      .Case("asin", "asin")
      .Case("acos", "acos")
      .Case("atan", "atan")
      .Case("sinh", "sinh")
      .Case("cosh", "cosh")
      .Case("tanh", "tanh")
      .Case("asinh", "asinh")
      .Case("acosh", "acosh")
      .Case("atanh", "atanh")
      .Case("erf", "erf")
      .Case("erfc", "erfc")
      .Case("cbrt", "cbrt")
      .Case("powf", "pow")
      .Case("atan2", "atan2")
      .Default("");
}

static LLVM::LLVMFuncOp declare(ModuleOp module, StringRef name, VectorType type,
                                unsigned operands) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Type> arguments(operands, type);
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                                  LLVM::LLVMFunctionType::get(type, arguments));
}

static SmallVector<int64_t> range(int64_t begin, int64_t end) {
  return llvm::to_vector(llvm::seq<int64_t>(begin, end));
}

/// The pieces, a power of two of them, one behind the other.
static Value concatenate(OpBuilder &b, Location loc, SmallVector<Value> pieces) {
  while (pieces.size() > 1) {
    SmallVector<Value> joined;
    int64_t lanes = 2 * cast<VectorType>(pieces.front().getType()).getNumElements();
    for (size_t i = 0; i < pieces.size(); i += 2)
      joined.push_back(
          vector::ShuffleOp::create(b, loc, pieces[i], pieces[i + 1], range(0, lanes)));
    pieces = joined;
  }
  return pieces.front();
}

static void callLibrary(Operation *op, StringRef function, const VectorLibrary &library) {
  Type element = getElementTypeOrSelf(op->getResult(0));
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  int64_t width = library.bits / element.getIntOrFloatBitWidth();
  if (type)
    width = std::min<int64_t>(type.getNumElements(), width);
  auto part = VectorType::get(width, element);
  std::string name = ("_ZGV" + Twine(library.isa) + "N" + Twine(width) +
                      std::string(op->getNumOperands(), 'v') + "_" + function +
                      (element.isF32() ? "f" : ""))
                         .str();
  LLVM::LLVMFuncOp callee =
      declare(op->getParentOfType<ModuleOp>(), name, part, op->getNumOperands());
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (!type) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(vector::BroadcastOp::create(b, loc, part, operand));
    Value lanes = LLVM::CallOp::create(b, loc, callee, operands).getResult();
    op->replaceAllUsesWith(ValueRange{vector::ExtractOp::create(b, loc, lanes, 0)});
    op->erase();
    return;
  }
  SmallVector<Value> results;
  for (int64_t lane = 0; lane < type.getNumElements(); lane += width) {
    SmallVector<Value> operands(op->getOperands());
    if (part != type)
      for (Value &operand : operands)
        operand = vector::ShuffleOp::create(b, loc, operand, operand, range(lane, lane + width));
    results.push_back(LLVM::CallOp::create(b, loc, callee, operands).getResult());
  }
  op->replaceAllUsesWith(ValueRange{concatenate(b, loc, results)});
  op->erase();
}

void callVectorLibrary(ModuleOp module) {
  static const VectorLibrary library = findVectorLibrary();
  if (!library.isa)
    return;
  SmallVector<std::pair<Operation *, StringRef>> calls;
  module.walk([&](Operation *op) {
    if (!isa<math::MathDialect>(op->getDialect()) || op->getNumResults() != 1)
      return;
    Type element = getElementTypeOrSelf(op->getResult(0));
    if (!element.isF32() && !element.isF64())
      return;
    if (StringRef name = functionName(op); !name.empty())
      calls.push_back({op, name});
  });
  for (auto [op, name] : calls)
    callLibrary(op, name, library);
}

} // namespace zero
