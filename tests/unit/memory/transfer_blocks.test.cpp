// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Block sizes by message size: which entry holds, and which files are refused.
#include "halocline/memory/transfer_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "halocline/core/error.hpp"

namespace halocline {
namespace {

class TransferBlocksFile : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) / "transfer_blocks_test";
        std::filesystem::create_directories(folder_);
        path_ = (folder_ / "blocks.json").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void write(const std::string& text) const { std::ofstream(path_) << text; }
    [[nodiscard]] std::string refusal() const {
        try {
            (void)TransferBlocks::read(path_);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    }
    std::filesystem::path folder_;
    std::string path_;
};

constexpr const char* good = R"({"format": "halocline-transfer-blocks", "version": 1,
  "machine": "here", "entries": [{"message_bytes": 4096, "block_bytes": 0},
  {"message_bytes": 1048576, "block_bytes": 262144}, {"message_bytes": 4194304, "block_bytes": 524288}]})";

TEST_F(TransferBlocksFile, AnEntryHoldsFromItsSizeUpToTheNext) {
    write(good);
    const TransferBlocks blocks = TransferBlocks::read(path_);
    EXPECT_EQ(blocks.block_for(1), 0U);
    EXPECT_EQ(blocks.block_for(4096), 0U);
    EXPECT_EQ(blocks.block_for(1048575), 0U);
    EXPECT_EQ(blocks.block_for(1048576), 262144U);
    EXPECT_EQ(blocks.block_for(4194304), 524288U);
    EXPECT_EQ(blocks.block_for(std::size_t{1} << 40), 524288U);
    EXPECT_EQ(blocks.origin(), path_);
}

TEST(TransferBlocks, DefaultCutsFromHalfAMebibyteOn) {
    const TransferBlocks blocks;
    EXPECT_EQ(blocks.block_for(524287), 0U);
    EXPECT_EQ(blocks.block_for(524288), 262144U);
}

TEST(TransferBlocks, ABlockAsLargeAsTheMessageIsNoCut) {
    const TransferBlocks blocks({{0, 65536}});
    EXPECT_EQ(blocks.block_for(65536), 0U);
    EXPECT_EQ(blocks.block_for(65537), 65536U);
}

TEST_F(TransferBlocksFile, FaultsAreSentencesThatNameFileAndKey) {
    EXPECT_THAT(refusal(), ::testing::HasSubstr("cannot be read"));
    write("{]");
    EXPECT_THAT(refusal(), ::testing::HasSubstr("not a transfer-blocks file"));
    write(R"({"format": "halocline-transfer-blocks", "version": 2, "entries": []})");
    EXPECT_THAT(refusal(), ::testing::HasSubstr("version"));
    write(R"({"format": "halocline-transfer-blocks", "version": 1, "entires": []})");
    EXPECT_THAT(refusal(), ::testing::HasSubstr("'entires'. Did you mean 'entries'?"));
    write(
        R"({"format": "halocline-transfer-blocks", "version": 1, "entries": [{"message_bytes": -1, "block_bytes": 0}]})");
    EXPECT_THAT(refusal(), ::testing::HasSubstr("'message_bytes'"));
    write(R"({"format": "halocline-transfer-blocks", "version": 1, "entries": [
        {"message_bytes": 2, "block_bytes": 0}, {"message_bytes": 2, "block_bytes": 1}]})");
    EXPECT_THAT(refusal(), ::testing::HasSubstr("ascend"));
    EXPECT_THAT(refusal(), ::testing::HasSubstr(path_));
}

TEST_F(TransferBlocksFile, TheEnvironmentNamesTheFileOfThisMachine) {
    write(good);
    setenv("HALOCLINE_TRANSFER_BLOCKS", path_.c_str(), 1);
    EXPECT_EQ(TransferBlocks::of_this_machine().block_for(4194304), 524288U);
    setenv("HALOCLINE_TRANSFER_BLOCKS", (path_ + ".absent").c_str(), 1);
    EXPECT_EQ(TransferBlocks::of_this_machine().origin(), "default");
    unsetenv("HALOCLINE_TRANSFER_BLOCKS");
}

}  // namespace
}  // namespace halocline
