//===- InputFactsTest.cpp - What a model says about its inputs ------------===//

#include "lib/JIT/InputFacts.h"
#include "lib/JIT/ModelState.h"

#include "gtest/gtest.h"

using namespace zero;

static llvm::Expected<InputFacts> find(llvm::StringRef text) {
  llvm::Expected<Model> model = Model::parseText(text);
  if (!model)
    return model.takeError();
  return findInputFacts(*model->getState().module);
}

TEST(InputFactsTest, vocabularyIsTheLeastOfTablesAndClassesThatViewsReach) {
  llvm::Expected<InputFacts> facts = find(R"mlir(
    zero.parameter @wide : tensor<100x4xf64> {init = #zero.zeros}
    zero.parameter @narrow : tensor<60x4xf64> {init = #zero.zeros}
    zero.step @train(%tokens: tensor<2x4xi32> {zero.input = "tokens"},
                     %labels: tensor<8xi32> {zero.input = "next_tokens"},
                     %other: tensor<8xi32> {zero.input = "other"})
        optimizer #zero.sgd attributes {samples = 2 : i64} {
      %wide = zero.read @wide : tensor<100x4xf64>
      %narrow = zero.read @narrow : tensor<60x4xf64>
      %ids = tensor.collapse_shape %tokens [[0, 1]] : tensor<2x4xi32> into tensor<8xi32>
      %a = nn.embedding %wide, %ids : (tensor<100x4xf64>, tensor<8xi32>) -> tensor<8x4xf64>
      %b = nn.embedding %narrow, %tokens
          : (tensor<60x4xf64>, tensor<2x4xi32>) -> tensor<2x4x4xf64>
      %sum, %weight = nn.linear_cross_entropy %a, %wide, %labels
          : (tensor<8x4xf64>, tensor<100x4xf64>, tensor<8xi32>) -> (tensor<f64>, tensor<f64>)
      zero.yield %sum, %weight : tensor<f64>, tensor<f64>
    })mlir");
  ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
  EXPECT_EQ(facts->samples, 2);
  EXPECT_EQ(facts->precision, uint32_t(ZRT_DTYPE_F64));
  EXPECT_EQ(facts->vocabularies.lookup("tokens"), 60);
  EXPECT_EQ(facts->vocabularies.lookup("next_tokens"), 100);
  EXPECT_EQ(facts->vocabularies.count("other"), 0u);
}

TEST(InputFactsTest, aModelHasOneStep) {
  llvm::Expected<InputFacts> facts = find("");
  ASSERT_FALSE(bool(facts));
  EXPECT_EQ(llvm::toString(facts.takeError()),
            "the model has 0 zero.step operations; want one");
}
