//===- RulesTest.cpp - Every rule against central differences in f64 ------===//
//
// A rule joins by adding one line to kRules: the types of its differentiable operands
// (%0, %1, ... of f64), the range they are drawn from, and the operation, which makes
// %y. The loss is the sum of y times random weights.
//
//===----------------------------------------------------------------------===//

#include "zero/Compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace zero;

namespace {

struct Rule {
  const char *name;
  std::vector<const char *> operands; ///< "3x4" or "" for a scalar
  double low, high;
  const char *result; ///< shape of %y
  const char *body;
};

#define T34 "tensor<3x4xf64>"
#define UNARY(op, low, high)                                                                       \
  { op, {"3x4"}, low, high, "3x4", "%y = " op " %0 : " T34 }
#define BINARY(op, low, high)                                                                      \
  { op, {"3x4", "3x4"}, low, high, "3x4", "%y = " op " %0, %1 : " T34 }
/// A buffer of `value` of a type: %e and %z are taken.
#define FILLED(name, value, type)                                                                  \
  "%" name "v = arith.constant " value " : f64\n"                                                  \
  "%" name "e = tensor.empty() : " type "\n"                                                       \
  "%" name " = linalg.fill ins(%" name "v : f64) outs(%" name "e : " type ") -> " type "\n"
#define ZEROS(type) FILLED("z", "0.0", type)

const Rule kRules[] = {
    BINARY("arith.addf", -1, 1),
    BINARY("arith.subf", -1, 1),
    BINARY("arith.mulf", -1, 1),
    BINARY("arith.divf", 0.5, 2),
    UNARY("arith.negf", -1, 1),
    BINARY("arith.maximumf", -1, 1),
    BINARY("arith.minimumf", -1, 1),
    BINARY("arith.maxnumf", -1, 1),
    BINARY("arith.minnumf", -1, 1),
    {"arith.select", {"3x4", "3x4"}, -1, 1, "3x4",
     "%k = arith.cmpf ogt, %0, %1 : " T34 "\n %y = arith.select %k, %0, %1 : tensor<3x4xi1>, " T34},
    {"maximum_of_equals", {"3x4"}, -1, 1, "3x4", "%y = arith.maximumf %0, %0 : " T34},
    UNARY("math.exp", -1, 1),
    UNARY("math.exp2", -1, 1),
    UNARY("math.expm1", -1, 1),
    UNARY("math.log", 0.5, 2),
    UNARY("math.log2", 0.5, 2),
    UNARY("math.log10", 0.5, 2),
    UNARY("math.log1p", 0.5, 2),
    BINARY("math.powf", 0.5, 2),
    UNARY("math.sin", -1, 1),
    UNARY("math.cos", -1, 1),
    UNARY("math.tan", -1, 1),
    UNARY("math.atan", -1, 1),
    BINARY("math.atan2", 0.5, 2),
    UNARY("math.sinh", -1, 1),
    UNARY("math.cosh", -1, 1),
    UNARY("math.tanh", -1, 1),
    UNARY("math.sqrt", 0.5, 2),
    UNARY("math.rsqrt", 0.5, 2),
    UNARY("math.erf", -1, 1),
    UNARY("math.absf", -1, 1),
    {"math.fma", {"3x4", "3x4", "3x4"}, -1, 1, "3x4", "%y = math.fma %0, %1, %2 : " T34},
    {"linalg.matmul", {"3x4", "4x2"}, -1, 1, "3x2",
     ZEROS("tensor<3x2xf64>") "%y = linalg.matmul ins(%0, %1 : " T34 ", tensor<4x2xf64>) outs(%z : "
     "tensor<3x2xf64>) -> tensor<3x2xf64>"},
    {"matmul_accumulating", {"3x4", "4x2", "3x2"}, -1, 1, "3x2",
     "%y = linalg.matmul ins(%0, %1 : " T34 ", tensor<4x2xf64>) outs(%2 : tensor<3x2xf64>) -> "
     "tensor<3x2xf64>"},
    {"matmul_transposed", {"4x3", "2x4"}, -1, 1, "3x2",
     ZEROS("tensor<3x2xf64>") "%y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, "
     "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%0, %1 : "
     "tensor<4x3xf64>, tensor<2x4xf64>) outs(%z : tensor<3x2xf64>) -> tensor<3x2xf64>"},
    {"linalg.batch_matmul", {"2x3x4", "2x4x2"}, -1, 1, "2x3x2",
     ZEROS("tensor<2x3x2xf64>") "%y = linalg.batch_matmul ins(%0, %1 : tensor<2x3x4xf64>, "
     "tensor<2x4x2xf64>) outs(%z : tensor<2x3x2xf64>) -> tensor<2x3x2xf64>"},
    {"linalg.contract", {"3x2x4", "4x5"}, -1, 1, "3x2x5",
     ZEROS("tensor<3x2x5xf64>") "%y = linalg.contract indexing_maps = [affine_map<(a, b, n, k) -> "
     "(a, b, k)>, affine_map<(a, b, n, k) -> (k, n)>, affine_map<(a, b, n, k) -> (a, b, n)>] "
     "ins(%0, %1 : tensor<3x2x4xf64>, tensor<4x5xf64>) outs(%z : tensor<3x2x5xf64>) -> "
     "tensor<3x2x5xf64>"},
    {"linalg.matvec", {"3x4", "4"}, -1, 1, "3",
     ZEROS("tensor<3xf64>") "%y = linalg.matvec ins(%0, %1 : " T34 ", tensor<4xf64>) outs(%z : "
     "tensor<3xf64>) -> tensor<3xf64>"},
    {"linalg.vecmat", {"3", "3x4"}, -1, 1, "4",
     ZEROS("tensor<4xf64>") "%y = linalg.vecmat ins(%0, %1 : tensor<3xf64>, " T34 ") outs(%z : "
     "tensor<4xf64>) -> tensor<4xf64>"},
    {"linalg.dot", {"4", "4"}, -1, 1, "",
     ZEROS("tensor<f64>") "%y = linalg.dot ins(%0, %1 : tensor<4xf64>, tensor<4xf64>) outs(%z : "
     "tensor<f64>) -> tensor<f64>"},
    {"linalg.batch_matvec", {"2x3x4", "2x4"}, -1, 1, "2x3",
     ZEROS("tensor<2x3xf64>") "%y = linalg.batch_matvec ins(%0, %1 : tensor<2x3x4xf64>, "
     "tensor<2x4xf64>) outs(%z : tensor<2x3xf64>) -> tensor<2x3xf64>"},
    {"linalg.batch_vecmat", {"2x3", "2x3x4"}, -1, 1, "2x4",
     ZEROS("tensor<2x4xf64>") "%y = linalg.batch_vecmat ins(%0, %1 : tensor<2x3xf64>, "
     "tensor<2x3x4xf64>) outs(%z : tensor<2x4xf64>) -> tensor<2x4xf64>"},
    {"linalg.batch_reduce_matmul", {"2x3x4", "2x4x2"}, -1, 1, "3x2",
     ZEROS("tensor<3x2xf64>") "%y = linalg.batch_reduce_matmul ins(%0, %1 : tensor<2x3x4xf64>, "
     "tensor<2x4x2xf64>) outs(%z : tensor<3x2xf64>) -> tensor<3x2xf64>"},
    {"linalg.broadcast", {"4"}, -1, 1, "3x4",
     "%e = tensor.empty() : " T34 "\n%y = linalg.broadcast ins(%0 : tensor<4xf64>) outs(%e : " T34
     ") dimensions = [0]"},
    {"linalg.transpose", {"3x4x2"}, -1, 1, "2x3x4",
     "%e = tensor.empty() : tensor<2x3x4xf64>\n%y = linalg.transpose ins(%0 : tensor<3x4x2xf64>) "
     "outs(%e : tensor<2x3x4xf64>) permutation = [2, 0, 1]"},
    {"reduce_add", {"3x4"}, -1, 1, "3",
     ZEROS("tensor<3xf64>") "%y = linalg.reduce { arith.addf } ins(%0 : " T34 ") outs(%z : "
     "tensor<3xf64>) dimensions = [1]"},
    {"reduce_add_rows_into", {"3x4", "4"}, -1, 1, "4",
     "%y = linalg.reduce { arith.addf } ins(%0 : " T34 ") outs(%1 : tensor<4xf64>) dimensions = [0]"},
    {"reduce_max", {"3x4"}, -1, 1, "3",
     FILLED("z", "-1.79769313486231570814e+308", "tensor<3xf64>")
     "%y = linalg.reduce { arith.maximumf } ins(%0 : " T34 ") outs(%z : tensor<3xf64>) dimensions = [1]"},
    {"reduce_mul", {"3x4"}, 0.5, 1.5, "3",
     FILLED("z", "1.0", "tensor<3xf64>")
     "%y = linalg.reduce { arith.mulf } ins(%0 : " T34 ") outs(%z : tensor<3xf64>) dimensions = [1]"},
    {"reduce_mul_with_zeros", {"3x4"}, 0.5, 1.5, "3",
     FILLED("z", "1.0", "tensor<3xf64>")
     "%m = arith.constant dense<[[0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : " T34
     "\n%x = arith.mulf %0, %m : " T34 "\n"
     "%y = linalg.reduce { arith.mulf } ins(%x : " T34 ") outs(%z : tensor<3xf64>) dimensions = [1]"},
    {"tensor.expand_shape", {"12"}, -1, 1, "3x4",
     "%y = tensor.expand_shape %0 [[0, 1]] output_shape [3, 4] : tensor<12xf64> into " T34},
    {"tensor.collapse_shape", {"3x4"}, -1, 1, "12",
     "%y = tensor.collapse_shape %0 [[0, 1]] : " T34 " into tensor<12xf64>"},
    {"tensor.extract_slice", {"3x4"}, -1, 1, "2x2",
     "%y = tensor.extract_slice %0[1, 0] [2, 2] [1, 2] : " T34 " to tensor<2x2xf64>"},
    {"slices_joined_again", {"3x4"}, -1, 1, "3x2",
     "%a = tensor.extract_slice %0[0, 0] [3, 2] [1, 1] : " T34 " to tensor<3x2xf64>\n"
     "%b = tensor.extract_slice %0[0, 2] [3, 2] [1, 1] : " T34 " to tensor<3x2xf64>\n"
     "%y = arith.mulf %a, %b : tensor<3x2xf64>"},
    {"tensor.insert_slice", {"2x2", "3x4"}, -1, 1, "3x4",
     "%y = tensor.insert_slice %0 into %1[1, 1] [2, 2] [1, 1] : tensor<2x2xf64> into " T34},
    {"tensor.concat", {"3x4", "3x2"}, -1, 1, "3x6",
     "%y = tensor.concat dim(1) %0, %1 : (" T34 ", tensor<3x2xf64>) -> tensor<3x6xf64>"},
    {"tensor.concat_rows", {"3x4", "2x4"}, -1, 1, "5x4",
     "%y = tensor.concat dim(0) %0, %1 : (" T34 ", tensor<2x4xf64>) -> tensor<5x4xf64>"},
    {"zero.block_boundary", {"3x4"}, -1, 1, "3x4", "%y = zero.block_boundary %0 : " T34},
    {"nn.embedding", {"5x4"}, -1, 1, "3x4",
     "%i = arith.constant dense<[2, 0, 2]> : tensor<3xi32>\n"
     "%y = nn.embedding %0, %i : (tensor<5x4xf64>, tensor<3xi32>) -> " T34},
    {"nn.layer_norm", {"3x4", "4", "4"}, -1, 1, "3x4",
     "%y, %mean, %rstd = nn.layer_norm %0, %1, %2 {epsilon = 1.0e-2 : f64} : (" T34
     ", tensor<4xf64>, tensor<4xf64>) -> (" T34 ", tensor<3xf64>, tensor<3xf64>)"},
    {"nn.rms_norm", {"3x4", "4"}, -1, 1, "3x4",
     "%y, %rstd = nn.rms_norm %0, %1 {epsilon = 1.0e-2 : f64} : (" T34
     ", tensor<4xf64>) -> (" T34 ", tensor<3xf64>)"},
    {"nn.softmax", {"3x4"}, -1, 1, "3x4", "%y = nn.softmax %0 : (" T34 ") -> " T34},
    {"nn.cross_entropy", {"3x4"}, -1, 1, "",
     "%i = arith.constant dense<[2, -100, 1]> : tensor<3xi32>\n"
     "%y, %w, %lse = nn.cross_entropy %0, %i : (" T34
     ", tensor<3xi32>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>)"},
    {"nn.linear_cross_entropy", {"6x2", "5x2"}, -1, 1, "",
     "%i = arith.constant dense<[2, -100, 1, 0, 4, 4]> : tensor<6xi32>\n"
     "%y, %w = nn.linear_cross_entropy %0, %1, %i : (tensor<6x2xf64>, tensor<5x2xf64>, "
     "tensor<6xi32>) -> (tensor<f64>, tensor<f64>)"},
    {"linear_cross_entropy_bias", {"6x2", "5x2", "5"}, -1, 1, "",
     "%i = arith.constant dense<[2, -100, 1, 0, 4, 4]> : tensor<6xi32>\n"
     "%y, %w = nn.linear_cross_entropy %0, %1, %i bias %2 : (tensor<6x2xf64>, tensor<5x2xf64>, "
     "tensor<6xi32>, tensor<5xf64>) -> (tensor<f64>, tensor<f64>)"},
    {"nn.attention", {"2x3x4x2", "2x5x2x2", "2x5x2x2"}, -1, 1, "2x3x4x2",
     "%n = arith.constant dense<[5, 3]> : tensor<2xi32>\n"
     "%y, %lse = nn.attention %0, %1, %2 key_lengths %n {scale = 0.7 : f64} : (tensor<2x3x4x2xf64>, "
     "tensor<2x5x2x2xf64>, tensor<2x5x2x2xf64>, tensor<2xi32>) -> (tensor<2x3x4x2xf64>, "
     "tensor<2x4x3xf64>)"},
    {"attention_causal", {"2x3x2x4", "2x3x2x4", "2x3x2x4"}, -1, 1, "2x3x2x4",
     "%y, %lse = nn.attention %0, %1, %2 {causal, scale = 0.5 : f64} : (tensor<2x3x2x4xf64>, "
     "tensor<2x3x2x4xf64>, tensor<2x3x2x4xf64>) -> (tensor<2x3x2x4xf64>, tensor<2x2x3xf64>)"},
    {"attention_segments", {"1x4x1x2", "1x4x1x2", "1x4x1x2"}, -1, 1, "1x4x1x2",
     "%s = arith.constant dense<[[0, 0, 1, 1]]> : tensor<1x4xi32>\n"
     "%y, %lse = nn.attention %0, %1, %2 segments %s {scale = 0.5 : f64} : (tensor<1x4x1x2xf64>, "
     "tensor<1x4x1x2xf64>, tensor<1x4x1x2xf64>, tensor<1x4xi32>) -> (tensor<1x4x1x2xf64>, "
     "tensor<1x1x4xf64>)"},
    {"attention_dropout", {"2x3x2x4", "2x3x2x4", "2x3x2x4"}, -1, 1, "2x3x2x4",
     "%k = arith.constant 7 : i64\n"
     "%y, %lse = nn.attention %0, %1, %2 site %k {causal, scale = 0.5 : f64, dropout = 0.3 : f64} : "
     "(tensor<2x3x2x4xf64>, tensor<2x3x2x4xf64>, tensor<2x3x2x4xf64>, i64) -> "
     "(tensor<2x3x2x4xf64>, tensor<2x2x3xf64>)"},
    {"nn.rope", {"1x3x2x4"}, -1, 1, "1x3x2x4",
     "%y = nn.rope %0 : (tensor<1x3x2x4xf64>) -> tensor<1x3x2x4xf64>"},
    {"nn.dropout", {"3x4"}, -1, 1, "3x4",
     "%k = arith.constant 3 : i64\n"
     "%y = nn.dropout %0 site %k {probability = 0.4 : f64} : (" T34 ", i64) -> " T34},
};

std::string tensorOf(const char *shape) {
  return std::string("tensor<") + (*shape ? std::string(shape) + "x" : "") + "f64>";
}

/// A module whose loss is Σ weights * y.
std::string moduleFor(const Rule &rule) {
  std::string init = "#zero.uniform<" + std::to_string(rule.low) + ", " +
                     std::to_string(rule.high) + ">";
  std::string text, reads, type = tensorOf(rule.result);
  for (size_t i = 0; i < rule.operands.size(); ++i) {
    std::string operand = tensorOf(rule.operands[i]), number = std::to_string(i);
    text += "zero.parameter @p" + number + " : " + operand + " {init = " + init + "}\n";
    reads += "%" + number + " = zero.read @p" + number + " : " + operand + "\n";
  }
  text += "zero.parameter @weights : " + type + " {init = #zero.uniform<0.5, 1.5>, frozen}\n";
  text += "zero.step @s() optimizer #zero.sgd {\n" + reads + rule.body + "\n";
  text += "%weights = zero.read @weights : " + type + "\n";
  text += "%product = arith.mulf %y, %weights : " + type + "\n";
  std::string dims;
  for (long d = 0, rank = *rule.result ? std::count(rule.result, rule.result + strlen(rule.result), 'x') + 1 : 0; d < rank; ++d)
    dims += (d ? ", " : "") + std::to_string(d);
  if (dims.empty())
    return text + "zero.yield %product : tensor<f64>\n}\n";
  return text + "%lossv = arith.constant 0.0 : f64\n%losse = tensor.empty() : tensor<f64>\n"
         "%lossz = linalg.fill ins(%lossv : f64) outs(%losse : tensor<f64>) -> tensor<f64>\n"
         "%loss = linalg.reduce { arith.addf } ins(%product : " + type +
         ") outs(%lossz : tensor<f64>) dimensions = [" + dims + "]\n"
         "zero.yield %loss : tensor<f64>\n}\n";
}

template <typename T> T check(llvm::Expected<T> value, const char *what) {
  if (!value) {
    ADD_FAILURE() << what << ": " << llvm::toString(value.takeError());
    std::exit(1);
  }
  return std::move(*value);
}

/// One rank that can be asked for the loss and the gradients.
class Trainer {
public:
  explicit Trainer(CompiledStep compiled)
      : step(std::move(compiled)), ends(check(Communicator::inProcess(1, 30), "communicator")),
        session(check(Session::create(step, ends[0]), "session")) {
    llvm::cantFail(session.initialize(5));
  }

  std::vector<double> read(const std::string &name) {
    std::vector<char> bytes = check(session.readParameter(name), "read");
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  void write(const std::string &name, const std::vector<double> &values) {
    llvm::cantFail(session.writeParameter(
        name, {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(double)}));
  }
  double run(double rate) {
    // The same random numbers every time: dropout is keyed by the step.
    llvm::cantFail(session.initialize(5));
    for (auto &[name, values] : current)
      write(name, values);
    return check(session.run({}, rate), "run").lossSum;
  }

  CompiledStep step;
  std::vector<Communicator> ends;
  Session session;
  std::vector<std::pair<std::string, std::vector<double>>> current;
};

class RulesTest : public testing::TestWithParam<Rule> {};

TEST_P(RulesTest, matchesCentralDifferences) {
  const Rule &rule = GetParam();
  auto model = Model::parseText(moduleFor(rule), rule.name);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError()) << moduleFor(rule);
  auto compiled = zero::compile(*model, CompileOptions{});
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError()) << moduleFor(rule);
  Trainer trainer(*compiled);
  for (size_t i = 0; i < rule.operands.size(); ++i)
    trainer.current.push_back({"p" + std::to_string(i), trainer.read("p" + std::to_string(i))});
  // One step of plain SGD at rate 1 moves a parameter by its gradient.
  trainer.run(1.0);
  std::vector<std::vector<double>> moved;
  for (auto &[name, values] : trainer.current)
    moved.push_back(trainer.read(name));
  constexpr double h = 1e-5;
  for (size_t p = 0; p < trainer.current.size(); ++p)
    for (size_t i = 0; i < moved[p].size(); ++i) {
      double &x = trainer.current[p].second[i], old = x;
      double gradient = old - moved[p][i];
      x = old + h;
      double above = trainer.run(0.0);
      x = old - h;
      double below = trainer.run(0.0);
      x = old;
      double difference = (above - below) / (2 * h);
      ASSERT_NEAR(gradient, difference, 1e-7 + 1e-6 * std::abs(difference))
          << rule.name << ": operand " << p << ", element " << i;
    }
}

std::string nameOf(const testing::TestParamInfo<Rule> &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (c == '.')
      c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, RulesTest, testing::ValuesIn(kRules), nameOf);

} // namespace
