//===- FormUpdates.cpp - Optimizer applications as kernels ----------------===//
//
//  zero.apply @b using @sgd ...      zero.kernel @update(g, scale, rate, step,
//                               =>                       p, lr_scale, decay)
//                                    zero.launch @update ins(...) outs(p)
//
// The optimizer's scalar region is written on tensors. What depends on the learning
// rate, the step and constants alone stays a tensor of rank 0, computed once.
//
//===----------------------------------------------------------------------===//

#include "FormKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace zero {
namespace {

/// Writes scalar operations on tensors of rank 0 or of the update's shape.
class RegionLifter {
public:
  RegionLifter(OpBuilder &builder, Location loc, RankedTensorType full)
      : builder(builder), loc(loc), full(full) {}

  /// The tensor of rank 0 that holds scalar `value`.
  Value scalarTensor(Value value) {
    Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(),
                                          value.getType());
    return linalg::FillOp::create(builder, loc, value, empty).getResult(0);
  }

  /// `value` as it is if it has the update's shape, else repeated.
  Value widen(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == full.getRank())
      return value;
    Value empty = tensor::EmptyOp::create(builder, loc, full.getShape(),
                                          type.getElementType());
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(full.getRank()));
    return linalg::BroadcastOp::create(builder, loc, value, empty, dims).getResult()[0];
  }

  /// Converts a float tensor to the element type of the update.
  Value convert(Value value) { return convert(value, full.getElementType()); }

  Value convert(Value value, Type elementType) {
    auto from = cast<RankedTensorType>(value.getType());
    auto to = RankedTensorType::get(from.getShape(), elementType);
    if (from == to)
      return value;
    if (from.getElementTypeBitWidth() > to.getElementTypeBitWidth())
      return arith::TruncFOp::create(builder, loc, to, value);
    return arith::ExtFOp::create(builder, loc, to, value);
  }

  /// Clones `op`, a scalar operation, on the tensors that `map` has for its operands.
  void lift(Operation *op, IRMapping &map) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Value scalar = builder.clone(*op)->getResult(0);
      map.map(constant.getResult(), scalarTensor(scalar));
      return;
    }
    SmallVector<Value> operands;
    bool isFull = false;
    for (Value operand : op->getOperands()) {
      operands.push_back(map.lookup(operand));
      isFull |= cast<RankedTensorType>(operands.back().getType()).getRank() != 0;
    }
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(RankedTensorType::get(
          isFull ? full.getShape() : ArrayRef<int64_t>(), type));
    if (isFull)
      for (Value &operand : operands)
        operand = widen(operand);
    OperationState state(loc, op->getName(), operands, types, op->getAttrs());
    Operation *lifted = builder.create(state);
    map.map(op->getResults(), lifted->getResults());
  }

private:
  OpBuilder &builder;
  Location loc;
  RankedTensorType full;
};
} // namespace

/// scale, or 1 where it is 0: a step in which every label was ignored has a
/// gradient of 0, not 0 / 0.
static Value guardZero(OpBuilder &builder, Location loc, Value scale) {
  auto type = cast<RankedTensorType>(scale.getType());
  auto splat = [&](double value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getFloatAttr(type.getElementType(), value)));
  };
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, scale,
                                       splat(0.0));
  return arith::SelectOp::create(builder, loc, isZero, splat(1.0), scale);
}

/// The f64 whose bits `scalar` holds, as a tensor of rank 0.
static Value bitsAsTensor(OpBuilder &builder, Location loc, RegionLifter &lifter,
                          Value scalar) {
  Value f64 = arith::BitcastOp::create(builder, loc, builder.getF64Type(), scalar);
  return lifter.scalarTensor(f64);
}

/// Fills `kernel`, whose arguments are (gradient, scale, rate, step), (parameter,
/// states...), lr_scale, weight_decay.
static void buildBody(KernelOp kernel, OptimizerOp optimizer, RankedTensorType full) {
  Location loc = optimizer.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBlock());
  RegionLifter lifter(builder, loc, full);
  auto inputs = kernel.getInputs();
  auto outs = kernel.getOuts();
  auto scalars = kernel.getScalars();

  Value scale = guardZero(builder, loc, lifter.convert(inputs[1]));
  Value mean = arith::DivFOp::create(builder, loc, lifter.convert(inputs[0]),
                                     lifter.widen(scale));
  Value lrScale = bitsAsTensor(builder, loc, lifter, scalars[0]);
  Value rate = arith::MulFOp::create(
      builder, loc, lifter.convert(inputs[2], builder.getF64Type()), lrScale);
  Value decay = lifter.convert(bitsAsTensor(builder, loc, lifter, scalars[1]));

  IRMapping map;
  Block &region = optimizer.getBody().front();
  unsigned states = optimizer.getStates().size();
  map.map(region.getArgument(0), outs[0]);
  map.map(region.getArgument(1), mean);
  for (unsigned i = 0; i < states; ++i)
    map.map(region.getArgument(2 + i), outs[1 + i]);
  map.map(region.getArgument(2 + states), lifter.convert(rate));
  map.map(region.getArgument(3 + states), lifter.convert(inputs[3]));
  map.map(region.getArgument(4 + states), decay);
  for (Operation &op : region.without_terminator())
    lifter.lift(&op, map);
  SmallVector<Value> results;
  for (Value value : cast<YieldOp>(region.getTerminator()).getValues())
    results.push_back(lifter.widen(map.lookup(value)));
  YieldOp::create(builder, loc, results);
}

/// An update kernel for `apply`, not yet in a module.
static KernelOp buildKernel(ApplyOp apply, OptimizerOp optimizer) {
  OpBuilder builder(apply.getContext());
  SmallVector<Type> outs(apply.getResultTypes());
  SmallVector<Type> inputs{apply.getGradient().getType(), apply.getScale().getType(),
                           apply.getRate().getType(), apply.getStep().getType()};
  llvm::append_range(inputs, outs);
  inputs.append(2, builder.getI64Type());
  auto kernel = KernelOp::create(builder, optimizer.getLoc(), "update",
                                 builder.getFunctionType(inputs, outs),
                                 /*num_scalars=*/2, /*update=*/true, DictionaryAttr());
  SmallVector<Location> locations(inputs.size(), optimizer.getLoc());
  kernel.getBody().emplaceBlock().addArguments(inputs, locations);
  buildBody(kernel, optimizer, apply.getParameter().getType());
  return kernel;
}

LogicalResult formUpdates(StepOp step, KernelPool &pool) {
  for (auto apply : llvm::make_early_inc_range(step.getBody().front().getOps<ApplyOp>())) {
    auto optimizer = SymbolTable::lookupNearestSymbolFrom<OptimizerOp>(
        step, apply.getOptimizerAttr());
    if (!optimizer)
      return apply.emitOpError() << "names an unknown optimizer";
    KernelOp kernel = pool.intern(buildKernel(apply, optimizer), "update");
    OpBuilder builder(apply);
    SmallVector<Value> ins{apply.getGradient(), apply.getScale(), apply.getRate(),
                           apply.getStep()};
    SmallVector<Value> outs{apply.getParameter()};
    llvm::append_range(outs, apply.getStates());
    auto launch = LaunchOp::create(
        builder, apply.getLoc(), apply.getResultTypes(),
        FlatSymbolRefAttr::get(kernel.getSymNameAttr()), ins, outs,
        builder.getDenseI64ArrayAttr({}), apply.getBucketAttr());
    launch->setAttr("weight_decay", optimizer.getWeightDecayAttr());
    apply->replaceAllUsesWith(launch);
    apply.erase();
  }
  return success();
}

} // namespace zero
