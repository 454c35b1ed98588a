//===- Run.h - All of zero-run but main -------------------------*- C++ -*-===//

#ifndef ZERO_RUN_RUN_H
#define ZERO_RUN_RUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace zero {

/// Runs the program with these arguments; what went wrong is said on `err`. Returns
/// the exit status.
int runZero(llvm::ArrayRef<llvm::StringRef> arguments, llvm::raw_ostream &out,
            llvm::raw_ostream &err);

} // namespace zero

#endif // ZERO_RUN_RUN_H
