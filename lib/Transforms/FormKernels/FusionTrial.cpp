//===- FusionTrial.cpp - Whether a generator takes a group ----------------===//

#include "FormKernels.h"

#include "zero/Conversion/KernelSupport.h"
#include "zero/Transforms/SelectKernelConfig.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace zero {

bool FusionTrial::takes(const FusionGroup &group) {
  KernelOp kernel = buildTrialKernel(group);
  auto [entry, isNew] = known.try_emplace(KernelPool::textOf(kernel), false);
  if (!isNew) {
    kernel.erase();
    return entry->second;
  }
  if (!scratch)
    scratch = ModuleOp::create(kernel.getLoc());
  scratch->push_back(kernel);
  bool taken = succeeded(selectKernelConfig(kernel, /*emitErrors=*/false)) &&
               isKernelSupported(kernel);
  kernel.erase();
  return entry->second = taken;
}

Operation *FusionTrial::firstRefused(const FusionGroup &group) {
  if (group.members.size() == 1 || takes(group))
    return nullptr;
  FusionGroup part = group;
  part.members.truncate(1);
  for (Operation *member : llvm::drop_begin(group.members)) {
    part.members.push_back(member);
    if (part.members.size() < group.members.size() && !takes(part))
      return member;
  }
  return group.members.back();
}

} // namespace zero
