//===- OutputFileTest.cpp - Files that appear whole or not at all ---------===//

#include "zero/Run/OutputFile.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace zero;

namespace {
class OutputFileTest : public testing::Test {
protected:
  void SetUp() override { llvm::sys::fs::createUniqueDirectory("output", directory); }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  int countFiles() const {
    std::error_code code;
    int count = 0;
    for (llvm::sys::fs::directory_iterator i(directory, code), end; i != end && !code;
         i.increment(code))
      ++count;
    return count;
  }

  llvm::SmallString<64> directory;
};
} // namespace

TEST_F(OutputFileTest, appearsOnCommit) {
  std::string path = (directory + "/a").str();
  auto file = OutputFile::reserve(path);
  ASSERT_TRUE(bool(file));
  file->getStream() << "whole";
  EXPECT_FALSE(llvm::sys::fs::exists(path));
  EXPECT_FALSE(bool(file->commit()));
  EXPECT_EQ((*llvm::MemoryBuffer::getFile(path))->getBuffer(), "whole");
  EXPECT_EQ(countFiles(), 1);
}

TEST_F(OutputFileTest, leavesNothingWithoutCommit) {
  { EXPECT_TRUE(bool(OutputFile::reserve((directory + "/a").str()))); }
  EXPECT_EQ(countFiles(), 0);
}

TEST_F(OutputFileTest, refusesPathsThatCantBeWritten) {
  auto missing = OutputFile::reserve((directory + "/no/where").str());
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()),
            (directory + "/no/where: can't be written: No such file or directory").str());
  auto folder = OutputFile::reserve(directory);
  ASSERT_FALSE(bool(folder));
  EXPECT_EQ(llvm::toString(folder.takeError()),
            (directory + ": can't be written: Is a directory").str());
}
