// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chunks that we pack are read by HDF5 itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "halocline/io/chunk_stream.hpp"
#include "halocline/io/hdf5_layout.hpp"
#include "support/error_of.hpp"

namespace halocline {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

class Chunks : public ::testing::Test {
protected:
    Chunks() {
        std::string made = ::testing::TempDir() + "halocline-chunks-XXXXXX";
        folder = ::mkdtemp(made.data());
        path = folder + "/file.h5";
    }
    ~Chunks() override { std::filesystem::remove_all(folder); }

    std::string folder;
    std::string path;
};

struct Stored {
    std::vector<double> values;
    std::vector<std::uint64_t> chunk_bytes;
    std::vector<unsigned> left_out;
};

Stored read(const std::string& path, const char* name, std::size_t count) {
    Stored stored{std::vector<double>(count), {}, {}};
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.values.data()),
              0);
    const hid_t space = H5Dget_space(data);
    hsize_t chunks = 0;
    H5Dget_num_chunks(data, space, &chunks);
    for (hsize_t n = 0; n < chunks; ++n) {
        hsize_t size = 0;
        unsigned left_out = 0;
        std::array<hsize_t, 2> offset{};
        H5Dget_chunk_info(data, space, n, offset.data(), &left_out, nullptr, &size);
        stored.chunk_bytes.push_back(size);
        stored.left_out.push_back(left_out);
    }
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    return stored;
}

/// Writes rows of two datasets of three and one columns, in pieces of an odd size.
void write(const std::string& path, const Compression& compression,
           const std::vector<double>& three, const std::vector<double>& one) {
    Hdf5Layout layout;
    const auto rows = static_cast<std::int64_t>(one.size());
    const std::size_t first =
        layout.add_chunked("/three", {rows, 3}, StoredType::float64, compression);
    const std::size_t second = layout.add_chunked("/one", {rows}, StoredType::float64, compression);
    const Hdf5Image image = layout.finish();
    OutputFile file = OutputFile::create(path);
    file.resize(image.file_bytes);
    for (const Hdf5Image::Piece& piece : image.pieces) {
        file.write_at(piece.at, piece.bytes.data(), piece.bytes.size());
    }
    const auto put = [&](std::size_t dataset, const std::vector<double>& values) {
        const std::vector<ChunkPlace> chunks = layout.take_chunks(dataset);
        const std::size_t row = values.size() / one.size() * sizeof(double);
        ChunkStream stream(compression, row * static_cast<std::size_t>(compression.chunk_rows),
                           sizeof(double));
        stream.begin(file, chunks, values.size() * sizeof(double));
        const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
        for (std::size_t at = 0; at < values.size() * sizeof(double);) {
            const std::size_t size =
                std::min<std::size_t>(61 * row, values.size() * sizeof(double) - at);
            std::copy_n(bytes + at, size, stream.room(size));
            stream.commit(size);
            at += size;
        }
    };
    put(second, one);
    put(first, three);
    file.publish();
}

TEST_F(Chunks, PackedValues_AreReadBack) {
    constexpr std::size_t rows = 100000;  // enough chunks for a tree of several leaves
    std::vector<double> one(rows);
    std::vector<double> three(3 * rows);
    for (std::size_t i = 0; i < rows; ++i) {
        one[i] = std::sin(1e-3 * static_cast<double>(i));
        for (std::size_t d = 0; d < 3; ++d) {
            three[3 * i + d] = std::floor(static_cast<double>(i) / 50) + static_cast<double>(d);
        }
    }
    Compression compression = make_compression("deflate", 6);
    compression.chunk_rows = 512;
    write(path, compression, three, one);
    const Stored first = read(path, "three", three.size());
    const Stored second = read(path, "one", one.size());
    EXPECT_EQ(first.values, three);
    EXPECT_EQ(second.values, one);
    EXPECT_EQ(first.chunk_bytes.size(), (rows + 511) / 512);
    for (const std::uint64_t bytes : first.chunk_bytes) {
        EXPECT_LT(bytes, 512 * 3 * sizeof(double) / 4);
    }
    EXPECT_THAT(first.left_out, ::testing::Each(0U));
}

TEST_F(Chunks, NoiseThatCannotBePacked_IsStoredAsItIs) {
    constexpr std::size_t rows = 5000;
    std::mt19937_64 random(3);
    std::vector<double> one(rows);
    std::vector<double> three(3 * rows);
    for (std::vector<double>* values : {&one, &three}) {
        for (double& value : *values) {
            // All bits at random but the one that would make a value that is not a number.
            value = std::bit_cast<double>(random() & ~(std::uint64_t{1} << 62U));
        }
    }
    Compression compression = make_compression("deflate", 1);
    compression.chunk_rows = 1024;
    write(path, compression, three, one);
    const Stored stored = read(path, "one", rows);
    EXPECT_EQ(stored.values, one);
    EXPECT_EQ(stored.chunk_bytes.front(), 1024 * sizeof(double));
    EXPECT_EQ(stored.left_out.front(), unpacked_chunk);
    EXPECT_EQ(read(path, "three", 3 * rows).values, three);
}

TEST_F(Chunks, WhatWasNeverWritten_IsReadAsZeros) {
    Hdf5Layout layout;
    Compression compression = make_compression("deflate", 0);
    compression.chunk_rows = 1024;
    static_cast<void>(layout.add_chunked("/one", {5000}, StoredType::float64, compression));
    const Hdf5Image image = layout.finish();
    OutputFile file = OutputFile::create(path);
    file.resize(image.file_bytes);
    for (const Hdf5Image::Piece& piece : image.pieces) {
        file.write_at(piece.at, piece.bytes.data(), piece.bytes.size());
    }
    file.publish();
    EXPECT_EQ(read(path, "one", 5000).values, std::vector<double>(5000, 0.0));
}

TEST(Compressions, WrongNamesAndLevels_AreRefused) {
    EXPECT_THAT(error_of([] { static_cast<void>(make_compression("gzip", 0)); }),
                HasSubstr("there is no compression 'gzip'"));
    EXPECT_THAT(error_of([] { static_cast<void>(make_compression("zst", 0)); }),
                HasSubstr("Did you mean 'zstd'"));
    EXPECT_THAT(error_of([] { static_cast<void>(make_compression("deflate", 10)); }),
                HasSubstr("levels are 1 to 9"));
    EXPECT_FALSE(make_compression("none", 0).is_on());
}

}  // namespace
}  // namespace halocline
