//===- NNDialect.cpp - The nn dialect -------------------------------------===//

#include "dialects/NN/NNDialect.h"
#include "dialects/NN/NNOps.h"

#include "dialects/NN/NNDialect.cpp.inc"

void zero::nn::NNDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/NN/NNOps.cpp.inc"
      >();
}
