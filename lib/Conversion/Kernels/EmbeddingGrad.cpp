//===- EmbeddingGrad.cpp - Gradients of embeddings ------------------------===//

#include "KernelEvaluator.h"

using namespace mlir;

namespace zero {

/// The rows of the init that have to be copied to the out: none if they are one
/// buffer.
Value KernelEvaluator::rowsToCopy(nn::EmbeddingGradOp op) {
  Value rows = constant(typeOf(op.getResult()).getDimSize(0));
  auto argument = dyn_cast<BlockArgument>(op.getInit());
  if (!argument)
    return rows;
  Value from = operandPointer(argument.getArgNumber());
  Value to = operandPointer(kernel.getNumInputs());
  placeHere();
  Value isSame =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, from, to);
  return select(isSame, constant(0), rows);
}

/// Each thread adds its block of columns of every row, in token order.
void KernelEvaluator::emitEmbeddingGrad() {
  nn::EmbeddingGradOp op;
  for (Operation &candidate : kernel.getBlock())
    if (auto grad = dyn_cast<nn::EmbeddingGradOp>(candidate))
      op = grad;
  if (kernel.getYield().getNumOperands() != 1 || !op ||
      kernel.getYield().getOperand(0) != op.getResult()) {
    fail(kernel, "gives more than the gradient of one embedding",
         b.getF32Type());
    return;
  }
  RankedTensorType type = typeOf(op.getResult());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  auto [first, last] = columnRange(columns);
  // An init that stands where the result goes is there already.
  if (op.getInit() != kernel.getOuts()[0])
    forLoop(constant(0), rowsToCopy(op), 1, {},
            [&](Value row, ValueRange) -> Values {
              vectorLoop(first, last, {},
                         [&](Index column, ValueRange) -> Values {
                           storeOut(0, {uniform(row), column},
                                    eval(op.getInit(), {uniform(row), column}));
                           return {};
                         });
              return {};
            });
  RankedTensorType idsType = typeOf(op.getIds());
  Value table = operandPointer(kernel.getNumInputs());
  forLoop(
      constant(0), constant(idsType.getNumElements()), 1, {},
      [&](Value token, ValueRange) -> Values {
        Point at = delinearise(uniform(token), idsType.getShape());
        Value id = toIndex(eval(op.getIds(), at));
        Value valid = compareInt(arith::CmpIPredicate::ult, id, constant(rows));
        ifThen(valid, [&] {
          vectorLoop(first, last, {}, [&](Index column, ValueRange) -> Values {
            Point source = at;
            source.push_back(column);
            Index place = linearise({uniform(id), column}, type.getShape());
            Value before = load(table, type.getElementType(), place, false);
            Value sum = arith<arith::AddFOp>(before, eval(op.getDy(), source));
            store(table, type.getElementType(), place, sum);
            return {};
          });
        });
        return {};
      });
}

} // namespace zero
