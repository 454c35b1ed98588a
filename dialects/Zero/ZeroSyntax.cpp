//===- ZeroSyntax.cpp - Parsing and printing of steps and kernels ---------===//

#include "dialects/Zero/ZeroOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace zero {

//===----------------------------------------------------------------------===//
// zero.step
//===----------------------------------------------------------------------===//

ParseResult StepOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  Attribute optimizer;
  SmallVector<OpAsmParser::Argument> arguments;
  SMLoc location;
  if (parser.parseSymbolName(name, "sym_name", result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/true) ||
      parser.parseKeyword("optimizer") ||
      parser.getCurrentLocation(&location) ||
      parser.parseAttribute(optimizer, "optimizer", result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> argAttrs;
  for (OpAsmParser::Argument &argument : arguments)
    argAttrs.push_back(argument.attrs ? argument.attrs
                                      : builder.getDictionaryAttr({}));
  result.addAttribute("arg_attrs", builder.getArrayAttr(argAttrs));
  Region &body = *result.addRegion();
  if (parser.parseRegion(body, arguments))
    return failure();
  // Said here, since a block without a terminator is refused before any verifier of ours.
  if (body.empty() || body.back().empty() || !isa<YieldOp>(body.back().back()))
    return parser.emitError(parser.getNameLoc())
           << "does not end in zero.yield, so it has no loss";
  return success();
}

void StepOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(
      llvm::enumerate(getBody().getArguments()), printer, [&](auto argument) {
        auto attrs = cast<DictionaryAttr>(getArgAttrs()[argument.index()]);
        printer.printRegionArgument(argument.value(), attrs.getValue());
      });
  printer << ") optimizer " << getOptimizer();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"sym_name", "optimizer", "arg_attrs"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// zero.kernel
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  if (parser.parseSymbolName(name, "sym_name", result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseArrow() || parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()) &&
      (parser.parseTypeList(results) || parser.parseRParen()))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Builder &builder = parser.getBuilder();
  SmallVector<Type> inputs;
  int64_t scalars = 0;
  for (OpAsmParser::Argument &argument : arguments) {
    inputs.push_back(argument.type);
    scalars += isa<IntegerType>(argument.type);
  }
  result.addAttribute("function_type",
                      TypeAttr::get(builder.getFunctionType(inputs, results)));
  result.addAttribute("num_scalars", builder.getI64IntegerAttr(scalars));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getBlock().getArguments(), printer,
                        [&](auto arg) { printer.printRegionArgument(arg); });
  printer << ") -> (";
  llvm::interleaveComma(getFunctionType().getResults(), printer);
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"sym_name", "function_type", "num_scalars"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

} // namespace zero
