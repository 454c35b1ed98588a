//===- MachineCodeTest.cpp - Lowered modules as machine code --------------===//

#include "lib/JIT/MachineCode.h"
#include "lib/JIT/ModelState.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace zero;

/// Two kernels: out[i] = exp(in[i]) by libm, and out[i] = in[i] * in[i] + in[i].
static constexpr llvm::StringLiteral kModule = R"mlir(
module @exponential {
  llvm.func @expf(f32) -> f32
  llvm.func @zero_kernel_exponential(%operands: !llvm.ptr, %scalars: !llvm.ptr, %begin: i64, %end: i64) {
    %one = llvm.mlir.constant(1 : i64) : i64
    %in = llvm.load %operands : !llvm.ptr -> !llvm.ptr
    %slot = llvm.getelementptr %operands[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %out = llvm.load %slot : !llvm.ptr -> !llvm.ptr
    llvm.br ^head(%begin : i64)
  ^head(%i: i64):
    %more = llvm.icmp "slt" %i, %end : i64
    llvm.cond_br %more, ^body, ^done
  ^body:
    %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %y = llvm.call @expf(%x) : (f32) -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
    %next = llvm.add %i, %one : i64
    llvm.br ^head(%next : i64)
  ^done:
    llvm.return
  }
}
module @polynomial {
  llvm.func @zero_kernel_polynomial(%operands: !llvm.ptr, %scalars: !llvm.ptr, %begin: i64, %end: i64) {
    %one = llvm.mlir.constant(1 : i64) : i64
    %in = llvm.load %operands : !llvm.ptr -> !llvm.ptr
    %slot = llvm.getelementptr %operands[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %out = llvm.load %slot : !llvm.ptr -> !llvm.ptr
    llvm.br ^head(%begin : i64)
  ^head(%i: i64):
    %more = llvm.icmp "slt" %i, %end : i64
    llvm.cond_br %more, ^body, ^done
  ^body:
    %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %xx = llvm.fmul %x, %x : f32
    %y = llvm.fadd %xx, %x : f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
    %next = llvm.add %i, %one : i64
    llvm.br ^head(%next : i64)
  ^done:
    llvm.return
  }
}
llvm.func @zero_kernel_exponential(!llvm.ptr, !llvm.ptr, i64, i64)
llvm.func @zero_kernel_polynomial(!llvm.ptr, !llvm.ptr, i64, i64)
llvm.mlir.global internal constant @zrt_image("image") : !llvm.array<5 x i8>
llvm.mlir.global internal constant @zrt_kernels() : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.undef : !llvm.array<2 x ptr>
  %1 = llvm.mlir.addressof @zero_kernel_exponential : !llvm.ptr
  %2 = llvm.mlir.addressof @zero_kernel_polynomial : !llvm.ptr
  %3 = llvm.insertvalue %1, %0[0] : !llvm.array<2 x ptr>
  %4 = llvm.insertvalue %2, %3[1] : !llvm.array<2 x ptr>
  llvm.return %4 : !llvm.array<2 x ptr>
}
llvm.mlir.global external constant @zrt_module() : !llvm.struct<(ptr, ptr)> {
  %0 = llvm.mlir.undef : !llvm.struct<(ptr, ptr)>
  %1 = llvm.mlir.addressof @zrt_image : !llvm.ptr
  %2 = llvm.mlir.addressof @zrt_kernels : !llvm.ptr
  %3 = llvm.insertvalue %1, %0[0] : !llvm.struct<(ptr, ptr)>
  %4 = llvm.insertvalue %2, %3[1] : !llvm.struct<(ptr, ptr)>
  llvm.return %4 : !llvm.struct<(ptr, ptr)>
}
)mlir";

namespace {
class MachineCodeTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::Expected<Model> model = Model::parseText(kModule);
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    llvm::Expected<MachineCode> generated = MachineCode::generate(*model->getState().module);
    ASSERT_TRUE(bool(generated)) << llvm::toString(generated.takeError());
    code.emplace(std::move(*generated));
  }

  std::vector<float> run(unsigned kernel, std::vector<float> in, int64_t begin, int64_t end) {
    std::vector<float> out(in.size(), -1);
    void *operands[] = {in.data(), out.data()};
    code->getModule()->kernels[kernel](operands, nullptr, begin, end);
    return out;
  }

  std::optional<MachineCode> code;
};
} // namespace

TEST_F(MachineCodeTest, kernelsCallTheMathsLibraryOfTheProcess) {
  std::vector<float> in;
  for (int i = 0; i < 100; ++i)
    in.push_back(0.1f * i);
  std::vector<float> out = run(0, in, 0, 100);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(out[i], std::exp(in[i]));
}

TEST_F(MachineCodeTest, onlyThePartThatIsAskedForIsComputed) {
  std::vector<float> out = run(1, std::vector<float>(64, 2), 16, 32);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i >= 16 && i < 32 ? 6 : -1);
}

TEST_F(MachineCodeTest, productsAndSumsAreNotContracted) {
  int told = 0; // values where a fused multiply-add would give other bits
  for (int i = 1; i <= 100; ++i) {
    float x = 0.1f * i;
    volatile float square = x * x;
    float separate = square + x;
    told += separate != std::fma(x, x, x);
    EXPECT_EQ(run(1, std::vector<float>(16, x), 0, 16), std::vector<float>(16, separate));
  }
  EXPECT_GT(told, 10);
}
