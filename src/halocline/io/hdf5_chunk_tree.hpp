// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where HDF5's tree of chunks, in the image of a file, says how large each chunk is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halocline/io/hdf5_image.hpp"

namespace halocline {

/// Where a chunk of a dataset lies in the file. It has room for its values unpacked.
struct ChunkPlace {
    std::uint64_t values = 0;
    /// Of two numbers of four bytes: how many bytes are stored there, and which filters were left out.
    std::uint64_t head = 0;
};

/// The filters left out, a bit each, of a chunk that is stored as it is.
inline constexpr std::uint32_t unpacked_chunk = 3;

/// A dataset of one or two dimensions, divided into chunks of whole rows.
struct ChunkedDataset {
    std::vector<ChunkPlace> places;  ///< of its chunks, by row
    std::uint64_t chunk_bytes;       ///< unpacked
    std::uint64_t chunk_rows;
    std::size_t dimensions;
};

/// Sets `head` of all chunks of these datasets, whose `values` are known and which were written as they
/// are. Throws RunError where the image holds no such tree.
void locate_chunk_heads(const Hdf5Image& image, std::span<ChunkedDataset> datasets);

}  // namespace halocline
