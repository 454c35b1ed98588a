//===- FeedTest.cpp - What each rank's inputs hold ------------------------===//

#include "zero/Data/Feed.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <set>

using namespace zero;

namespace {
/// A file in a directory of the test's own.
class FeedTest : public testing::Test {
protected:
  void SetUp() override { llvm::sys::fs::createUniqueDirectory("feed", directory); }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string write(llvm::StringRef name, llvm::StringRef bytes) {
    std::string path = (directory + "/" + name).str();
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
    return path;
  }

  llvm::SmallString<64> directory;
};
} // namespace

static InputInfo makeInput(std::string role, std::vector<int64_t> shape, int64_t vocabulary = 0,
                           uint32_t dtype = ZRT_DTYPE_I32) {
  InputInfo input;
  input.name = input.role = std::move(role);
  input.shape = std::move(shape);
  input.dtype = dtype;
  input.bytes = input.getNumElements() * dtypeBytes(dtype);
  input.vocabulary = vocabulary;
  return input;
}

/// 0, 1, 2, ... modulo 251, so that a token tells where it is from.
static std::string makeText(size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i)
    text.push_back(static_cast<char>(i % 251));
  return text;
}

static std::vector<int32_t> read(const Batch &batch, llvm::StringRef role) {
  llvm::ArrayRef<char> bytes = batch.find(role);
  std::vector<int32_t> elements(bytes.size() / 4);
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

static std::string messageOf(llvm::Expected<Feed> feed) {
  return feed ? "" : llvm::toString(feed.takeError());
}

static std::vector<int32_t> readAllRanks(const Feed &feed, uint64_t step, int64_t worldSize,
                                         llvm::StringRef role) {
  std::vector<int32_t> all;
  Batch batch = feed.makeBatch();
  for (int64_t rank = 0; rank < worldSize; ++rank) {
    feed.fill(step, rank, batch);
    std::vector<int32_t> elements = read(batch, role);
    all.insert(all.end(), elements.begin(), elements.end());
  }
  return all;
}

TEST_F(FeedTest, nextTokensAreTheTokensOnePlaceLater) {
  std::string path = write("text", makeText(200));
  auto feed = Feed::create({makeInput("tokens", {2, 8}), makeInput("next_tokens", {2, 8})}, 2,
                           1, {path});
  ASSERT_TRUE(bool(feed)) << llvm::toString(feed.takeError());
  EXPECT_EQ(feed->getTokensPerRank(), 16);
  Batch batch = feed->makeBatch();
  feed->fill(3, 0, batch);
  std::vector<int32_t> tokens = read(batch, "tokens"), next = read(batch, "next_tokens");
  for (size_t i = 0; i < tokens.size(); ++i)
    EXPECT_EQ(next[i], tokens[i] + 1);
}

TEST_F(FeedTest, samplesOfAStepDoNotDependOnTheNumberOfRanks) {
  std::string path = write("text", makeText(1000));
  for (llvm::StringRef role : {"tokens", "masked_tokens", "masked_labels"}) {
    auto one = Feed::create({makeInput(role.str(), {4, 8}, 256)}, 4, 1, {path});
    auto two = Feed::create({makeInput(role.str(), {2, 8}, 256)}, 2, 2, {path});
    auto four = Feed::create({makeInput(role.str(), {1, 8}, 256)}, 1, 4, {path});
    ASSERT_TRUE(one && two && four);
    for (uint64_t step : {0, 1, 5, 31, 32}) {
      std::vector<int32_t> expected = readAllRanks(*one, step, 1, role);
      EXPECT_EQ(readAllRanks(*two, step, 2, role), expected);
      EXPECT_EQ(readAllRanks(*four, step, 4, role), expected);
    }
  }
}

TEST_F(FeedTest, anEpochReadsEveryWindowOnce) {
  std::string path = write("text", makeText(81)); // 10 windows of 8
  auto feed = Feed::create({makeInput("tokens", {1, 8})}, 1, 2, {path});
  ASSERT_TRUE(bool(feed));
  std::set<int32_t> starts;
  for (uint64_t step = 0; step < 5; ++step) {
    std::vector<int32_t> tokens = readAllRanks(*feed, step, 2, "tokens");
    starts.insert(tokens[0]);
    starts.insert(tokens[8]);
  }
  EXPECT_EQ(starts, (std::set<int32_t>{0, 8, 16, 24, 32, 40, 48, 56, 64, 72}));
}

TEST_F(FeedTest, binFilesHoldTokensOfTwoBytes) {
  std::string path = write("data.bin", llvm::StringRef("\x01\x02\x03\x04\x05\x06", 6));
  auto feed = Feed::create({makeInput("tokens", {1, 2})}, 1, 1, {path});
  ASSERT_TRUE(bool(feed)) << llvm::toString(feed.takeError());
  EXPECT_EQ(readAllRanks(*feed, 0, 1, "tokens"), (std::vector<int32_t>{0x0201, 0x0403}));
}

TEST_F(FeedTest, recordsComeInOrderOfStepAndRankAndStartOver) {
  std::string path = write("x", llvm::StringRef("\0\0\0\0\1\0\0\0\2\0\0\0", 12));
  auto feed = Feed::create({makeInput("x", {1}, 0, ZRT_DTYPE_F32)}, 1, 2,
                           {"", {{"x", path}}});
  ASSERT_TRUE(bool(feed)) << llvm::toString(feed.takeError());
  EXPECT_EQ(readAllRanks(*feed, 0, 2, "x"), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(readAllRanks(*feed, 1, 2, "x"), (std::vector<int32_t>{2, 0}));
}

TEST_F(FeedTest, keyLengthsAgreeWithPadding) {
  std::string path = write("text", makeText(2000));
  auto feed = Feed::create({makeInput("masked_tokens", {4, 16}, 300),
                            makeInput("masked_labels", {4, 16}, 300),
                            makeInput("segments", {4, 16}, 2), makeInput("key_lengths", {4})},
                           4, 1, {path});
  ASSERT_TRUE(bool(feed)) << llvm::toString(feed.takeError());
  Batch batch = feed->makeBatch();
  bool sawShort = false;
  for (uint64_t step = 0; step < 20; ++step) {
    feed->fill(step, 0, batch);
    std::vector<int32_t> lengths = read(batch, "key_lengths");
    std::vector<int32_t> labels = read(batch, "masked_labels");
    for (int sample = 0; sample < 4; ++sample)
      for (int position = lengths[sample]; position < 16; ++position) {
        sawShort = true;
        EXPECT_EQ(labels[sample * 16 + position], -100);
      }
  }
  EXPECT_TRUE(sawShort);
}

TEST_F(FeedTest, refusesFilesBeforeTraining) {
  std::vector<InputInfo> inputs{makeInput("tokens", {2, 8}, 64)};
  EXPECT_EQ(messageOf(Feed::create(inputs, 2, 1, {})),
            "input \"tokens\" needs a data file, and none is given");
  EXPECT_NE(messageOf(Feed::create(inputs, 2, 1, {"/nowhere"})).find("/nowhere: No such file"),
            std::string::npos);
  std::string empty = write("empty", "");
  EXPECT_EQ(messageOf(Feed::create(inputs, 2, 1, {empty})), empty + ": the file is empty");
  std::string odd = write("odd.bin", "abc");
  EXPECT_EQ(messageOf(Feed::create(inputs, 2, 1, {odd})),
            odd + ": has 3 bytes; a .bin file holds tokens of 2 bytes");
  std::string small = write("small", makeText(16));
  EXPECT_EQ(messageOf(Feed::create(inputs, 2, 1, {small})),
            small + ": has 16 tokens, less than one batch: 1 ranks of 2 samples of 8 tokens "
                    "need 17");
  std::string big = write("big", makeText(200));
  EXPECT_EQ(messageOf(Feed::create(inputs, 2, 1, {big})),
            big + ": token 64 at offset 64 is beyond the vocabulary of 64");
}

TEST_F(FeedTest, refusesRecordsThatDoNotFit) {
  std::vector<InputInfo> inputs{makeInput("x", {2}, 0, ZRT_DTYPE_F32)};
  EXPECT_EQ(messageOf(Feed::create(inputs, 1, 1, {})),
            "input \"x\", a tensor<2xf32>, must be given a file of records");
  std::string path = write("x", "123456789");
  EXPECT_EQ(messageOf(Feed::create(inputs, 1, 1, {"", {{"x", path}}})),
            path + ": has 9 bytes; a record of input \"x\", a tensor<2xf32>, has 8");
  EXPECT_EQ(messageOf(Feed::create(inputs, 1, 1, {"", {{"y", path}}})),
            "the step has no input \"y\"");
  std::string good = write("good", "12345678");
  EXPECT_EQ(messageOf(Feed::create(inputs, 1, 1, {path, {{"x", good}}})),
            path + ": no input of the step reads the data file");
  EXPECT_EQ(messageOf(Feed::create(inputs, 1, 1, {"", {{"x", good}, {"x", good}}})),
            "input \"x\" is given two files");
}
