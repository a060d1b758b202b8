// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes of a stream are those of plain writes, wherever a run begins and however it comes.
#include "halocline/core/file_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "support/error_of.hpp"
#include "support/file_size_limit.hpp"

namespace halocline {
namespace {

using testing::error_of;
using testing::FileSizeLimit;
using ::testing::HasSubstr;

class Stream : public ::testing::Test {
protected:
    Stream() {
        std::string made = ::testing::TempDir() + "halocline-stream-XXXXXX";
        folder = ::mkdtemp(made.data());
        path = folder + "/file";
    }
    ~Stream() override { std::filesystem::remove_all(folder); }

    [[nodiscard]] std::vector<std::byte> content() const {
        std::ifstream file(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        std::vector<std::byte> bytes(text.size());
        std::transform(text.begin(), text.end(), bytes.begin(),
                       [](char c) { return static_cast<std::byte>(c); });
        return bytes;
    }

    std::string folder;
    std::string path;
};

/// No two blocks of a page are equal.
std::vector<std::byte> numbered_bytes(std::size_t size, unsigned salt) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>((i * 31 + i / 4096 * 7 + salt) % 251);
    }
    return bytes;
}

struct Piece {
    std::uint64_t offset;
    std::size_t size;
    std::size_t piece;
};

class StreamRuns : public Stream, public ::testing::WithParamInterface<Piece> {};

TEST_P(StreamRuns, HaveTheBytesOfPlainWritesAndTouchNothingElse) {
    const Piece run = GetParam();
    const std::size_t size = run.offset + run.size + 5000;
    const std::vector<std::byte> around = numbered_bytes(size, 101);
    const std::vector<std::byte> bytes = numbered_bytes(run.size, 3);
    OutputFile file = OutputFile::create(path);
    file.write_at(0, around.data(), around.size());
    FileStream stream;
    stream.begin(file, run.offset, run.size);
    for (std::size_t at = 0; at < bytes.size(); at += run.piece) {
        const std::size_t count = std::min(run.piece, bytes.size() - at);
        std::copy_n(&bytes[at], count, stream.room(count));
        stream.commit(count);
    }
    file.publish();
    std::vector<std::byte> expected = around;
    std::copy(bytes.begin(), bytes.end(), expected.begin() + static_cast<long>(run.offset));
    EXPECT_TRUE(content() == expected);
}

constexpr std::size_t mib = std::size_t{1} << 20U;

INSTANTIATE_TEST_SUITE_P(
    Places, StreamRuns,
    ::testing::Values(Piece{0, 1, 1}, Piece{100, 50, 7}, Piece{4096, 4096, 4096},
                      Piece{0, mib, 65536}, Piece{0, 3 * mib, 40000}, Piece{8, 3 * mib, 65536},
                      Piece{4088, 2 * mib + 24, 40}, Piece{4095, 300000, 33333},
                      Piece{12345, 5 * mib + 1, 65536}, Piece{8192, 4 * mib, 65536},
                      Piece{4096, 262144, 5000}, Piece{2048, mib - 2048, 65536},
                      Piece{2048, mib + 4096 - 2048, 65536}));

TEST_F(Stream, OneAfterTheOther_ReusesTheBuffer) {
    const std::vector<std::byte> bytes = numbered_bytes(3 * mib + 17, 5);
    const std::size_t first = mib + 5;
    OutputFile file = OutputFile::create(path);
    FileStream stream;
    stream.begin(file, first, bytes.size() - first);
    stream.write(std::span(bytes).subspan(first));
    stream.begin(file, 0, first);
    stream.write(std::span(bytes).first(first));
    file.publish();
    EXPECT_TRUE(content() == bytes);
}

TEST_F(Stream, SharedBlock_KeepsWhatBothWrote) {
    const std::vector<std::byte> bytes = numbered_bytes(4 * mib, 9);
    const std::size_t border = 2 * mib + 1234;
    OutputFile file = OutputFile::create(path);
    OutputFile other = OutputFile::join(path, file.temporary_path());
    FileStream low;
    FileStream high;
    low.begin(file, 0, border);
    high.begin(other, border, bytes.size() - border);
    for (std::size_t at = 0; at < border; at += FileStream::most_room) {
        const auto part = [&](std::size_t from, std::size_t end) {
            return std::span(bytes).subspan(
                std::min(from, end), std::min(FileStream::most_room, end - std::min(from, end)));
        };
        low.write(part(at, border));
        high.write(part(border + at, bytes.size()));
    }
    other.complete();
    file.publish();
    EXPECT_TRUE(content() == bytes);
}

TEST_F(Stream, LimitOnFileSize_IsOneSentence) {
    OutputFile file = OutputFile::create(path);
    FileStream stream;
    const std::vector<std::byte> bytes = numbered_bytes(4 * mib, 1);
    const FileSizeLimit limit(mib);
    EXPECT_THAT(error_of([&] {
                    stream.begin(file, 0, bytes.size());
                    stream.write(bytes);
                }),
                HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace halocline
