//===- FormKernels.h - The parts of zero-form-kernels -----------*- C++ -*-===//
//
// zero-form-kernels runs these in order on a partitioned step:
//   expandLosses     losses become row-wise ops, products and small reductions
//   formProducts     matrix products take their library form
//   formUpdates      each optimizer application becomes one kernel
//   planFusion       the decision: which operations run as one kernel
//   FusionTrial      a generator is asked whether it takes each; if not, others are planned
//   outlineKernels   the decision written as zero.kernel and zero.launch
//
//===----------------------------------------------------------------------===//

#ifndef ZERO_LIB_TRANSFORMS_FORMKERNELS_FORMKERNELS_H
#define ZERO_LIB_TRANSFORMS_FORMKERNELS_FORMKERNELS_H

#include "dialects/Zero/ZeroOps.h"

#include "llvm/ADT/StringMap.h"

namespace zero {

/// Adds kernels to a module, one per different body and type.
class KernelPool {
public:
  explicit KernelPool(mlir::ModuleOp module);

  /// A kernel equal to `kernel` (but for its name), which is given to the pool:
  /// either it is inserted under a name made from `stem`, or an equal one that is
  /// there is returned and `kernel` is erased.
  KernelOp intern(KernelOp kernel, llvm::StringRef stem);
  unsigned size() const { return byText.size(); }

  /// The kernel's text without its name and locations.
  static std::string textOf(KernelOp kernel);

private:
  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  llvm::StringMap<KernelOp> byText;
};

/// Replaces whole-loss operations by tiles of rows (logits of a tile are never
/// larger than the head's weight), splits the gradients of norms into the row part
/// and the column part, and drops block boundaries.
void expandLosses(StepOp step);

/// Turns linalg products into zero.product; transpositions, slices and reshapes of
/// the operands become strides, the add of a broadcast bias an epilogue.
mlir::LogicalResult formProducts(StepOp step);

/// Turns each zero.apply into the launch of an update kernel.
mlir::LogicalResult formUpdates(StepOp step, KernelPool &pool);

/// How the elements of an operation's results depend on those of its operands.
enum class IterationKind {
  Map,     ///< element by element
  Rows,    ///< reductions inside rows of `columns` elements
  Columns, ///< reductions over rows
  Single,  ///< a kernel of its own
};

/// Operations that run as one kernel, in block order.
struct FusionGroup {
  IterationKind kind;
  int64_t rows = 1, columns = 1; ///< iteration domain; Map: rows * columns elements
  llvm::SmallVector<mlir::Operation *> members;
};

/// True where `op` only renames or repeats elements, so that it is cloned into the
/// kernels that use it.
bool isFreeView(mlir::Operation *op);
/// True where `op` is a view of the contiguous bytes of its operand, so that it may
/// stay in the step.
bool isStepView(mlir::Operation *op);
/// True where `op` stays in the step as it is.
bool isStepOperation(mlir::Operation *op);

/// Groups the operations of `step` that must run in kernels. One of `separate` joins no
/// group that makes its operands. Fails at an operation that no kernel can hold.
mlir::FailureOr<llvm::SmallVector<FusionGroup>>
planFusion(StepOp step, const llvm::DenseSet<mlir::Operation *> &separate);

/// A kernel of `group`'s operations, not in a module; the step stays as it is.
KernelOp buildTrialKernel(const FusionGroup &group);

/// Asks the generators whether they take groups, once for each different kernel.
class FusionTrial {
public:
  FusionTrial() = default;
  FusionTrial(const FusionTrial &) = delete;

  /// The operation with which `group` becomes a kernel that no generator takes, as its
  /// operations are added in order; null if the whole is taken. A group of one is not
  /// asked for: there is nothing smaller to run it as.
  mlir::Operation *firstRefused(const FusionGroup &group);

private:
  bool takes(const FusionGroup &group);

  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  llvm::StringMap<bool> known;
};

/// Erases what nothing uses.
void eraseDeadOperations(StepOp step);

/// Writes the groups as kernels and launches.
void outlineKernels(StepOp step, llvm::ArrayRef<FusionGroup> groups, KernelPool &pool);

} // namespace zero

#endif // ZERO_LIB_TRANSFORMS_FORMKERNELS_FORMKERNELS_H
