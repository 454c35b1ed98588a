//===- ZeroDialect.cpp - The zero dialect and its attributes --------------===//

#include "dialects/Zero/ZeroDialect.h"
#include "dialects/Zero/ZeroOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace zero {
static FailureOr<llvm::APFloat> parseDouble(AsmParser &parser) {
  double value;
  if (failed(parser.parseFloat(value)))
    return failure();
  return llvm::APFloat(value);
}
} // namespace zero

#include "dialects/Zero/ZeroDialect.cpp.inc"
#include "dialects/Zero/ZeroEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Zero/ZeroAttrs.cpp.inc"

void zero::ZeroDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Zero/ZeroOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Zero/ZeroAttrs.cpp.inc"
      >();
}

namespace zero {

LogicalResult NormalAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 llvm::APFloat mean, llvm::APFloat stddev) {
  if (stddev.isNegative() || !stddev.isFinite() || !mean.isFinite())
    return emitError() << "a normal needs a finite mean and a standard "
                          "deviation that is finite and not negative";
  return success();
}

LogicalResult
UniformAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                    llvm::APFloat low, llvm::APFloat high) {
  if (!low.isFinite() || !high.isFinite() || low > high)
    return emitError() << "a uniform needs finite bounds, low first";
  return success();
}

namespace {
/// A hyper-parameter of an optimizer attribute: name, default, and the range
/// that it must lie in.
struct HyperParameter {
  StringRef name;
  double value;
  double limit; // exclusive upper bound
};
} // namespace

/// Parses `<name = value, ...>`, or nothing, over the defaults in `hyper`.
static ParseResult parseHyperParameters(AsmParser &parser,
                                        MutableArrayRef<HyperParameter> hyper) {
  auto parseOne = [&]() -> ParseResult {
    StringRef name;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *found = llvm::find_if(
        hyper, [&](const HyperParameter &h) { return h.name == name; });
    if (found == hyper.end())
      return parser.emitError(location)
             << "this optimizer has no hyper-parameter '" << name << "'";
    if (parser.parseFloat(found->value))
      return failure();
    if (!(found->value >= 0 && found->value < found->limit))
      return parser.emitError(location)
             << "'" << name << "' is " << found->value
             << " and must be in [0, " << found->limit << ")";
    return success();
  };
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::OptionalLessGreater, parseOne);
}

using NamedDoubles = std::initializer_list<std::pair<StringRef, llvm::APFloat>>;

static void printHyperParameters(AsmPrinter &printer, NamedDoubles values) {
  printer << '<';
  llvm::interleaveComma(values, printer.getStream(), [&](const auto &entry) {
    printer << entry.first << " = ";
    printer.printFloat(entry.second);
  });
  printer << '>';
}

static constexpr double kUnbounded = std::numeric_limits<double>::infinity();

Attribute SgdAttr::parse(AsmParser &parser, Type) {
  HyperParameter hyper[] = {{"weight_decay", 0.0, kUnbounded}};
  if (parseHyperParameters(parser, hyper))
    return {};
  return get(parser.getContext(), llvm::APFloat(hyper[0].value));
}
void SgdAttr::print(AsmPrinter &printer) const {
  printHyperParameters(printer, {{"weight_decay", getWeightDecay()}});
}

Attribute MomentumAttr::parse(AsmParser &parser, Type) {
  HyperParameter hyper[] = {{"momentum", 0.9, 1.0},
                            {"weight_decay", 0.0, kUnbounded}};
  if (parseHyperParameters(parser, hyper))
    return {};
  return get(parser.getContext(), llvm::APFloat(hyper[0].value),
             llvm::APFloat(hyper[1].value));
}
void MomentumAttr::print(AsmPrinter &printer) const {
  printHyperParameters(printer, {{"momentum", getMomentum()},
                                 {"weight_decay", getWeightDecay()}});
}

/// Adam and AdamW have the same hyper-parameters but for the default decay.
template <typename AttrT>
static Attribute parseAdam(AsmParser &parser, double weightDecay) {
  HyperParameter hyper[] = {{"beta1", 0.9, 1.0},
                            {"beta2", 0.999, 1.0},
                            {"epsilon", 1e-8, kUnbounded},
                            {"weight_decay", weightDecay, kUnbounded}};
  if (parseHyperParameters(parser, hyper))
    return {};
  return AttrT::get(parser.getContext(), llvm::APFloat(hyper[0].value),
                    llvm::APFloat(hyper[1].value),
                    llvm::APFloat(hyper[2].value),
                    llvm::APFloat(hyper[3].value));
}
template <typename AttrT>
static void printAdam(AsmPrinter &printer, AttrT attr) {
  printHyperParameters(printer, {{"beta1", attr.getBeta1()},
                                 {"beta2", attr.getBeta2()},
                                 {"epsilon", attr.getEpsilon()},
                                 {"weight_decay", attr.getWeightDecay()}});
}

Attribute AdamAttr::parse(AsmParser &parser, Type) {
  return parseAdam<AdamAttr>(parser, 0.0);
}
void AdamAttr::print(AsmPrinter &printer) const { printAdam(printer, *this); }

Attribute AdamWAttr::parse(AsmParser &parser, Type) {
  return parseAdam<AdamWAttr>(parser, 0.01);
}
void AdamWAttr::print(AsmPrinter &printer) const { printAdam(printer, *this); }

} // namespace zero
