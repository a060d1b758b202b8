// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/hdf5_chunk_tree.hpp"

#include <cstring>
#include <string_view>
#include <unordered_map>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

constexpr std::size_t word_bytes = 8;

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[at], word_bytes);
    return word;
}

/// What a leaf of the tree of chunks says of one. (HDF5 File Format Specification 3.0, III.A.1)
struct ChunkKey {
    std::uint64_t bytes;
    std::uint64_t row;  ///< first one of the chunk
    std::size_t dimensions;
    ChunkPlace* place;

    [[nodiscard]] std::size_t size() const { return word_bytes * (2 + dimensions); }
    /// Whether this is the key at the begin of `text`, followed by the address of its chunk.
    [[nodiscard]] bool is_at_begin_of(std::string_view text) const {
        bool same = word_at(text, 0) == (std::uint64_t{unpacked_chunk} << 32U | bytes) &&
                    word_at(text, word_bytes) == row && word_at(text, size()) == place->values;
        for (std::size_t d = 1; d <= dimensions; ++d) {  // other columns, bytes of a value
            same = same && word_at(text, word_bytes * (1 + d)) == 0;
        }
        return same;
    }
};

/// Calls `found(offset of the key, address of its chunk)` for keys of a leaf that begins at `text`.
template <class Found>
void for_each_key(std::string_view text, std::size_t dimensions, const Found& found) {
    constexpr std::size_t leaf_head = 24;
    constexpr std::size_t count_at = 6;
    const std::size_t key = word_bytes * (2 + dimensions);
    const std::size_t entries = text.size() < leaf_head ? 0 : word_at(text, count_at) & 0xffffU;
    for (std::size_t e = 0; e < entries; ++e) {
        const std::size_t at = leaf_head + e * (key + word_bytes);
        if (at + key + word_bytes > text.size()) {
            return;
        }
        found(at, word_at(text, at + key));
    }
}

}  // namespace

/// The newest state of a node is the one that was written last.
void locate_chunk_heads(const Hdf5Image& image, std::span<ChunkedDataset> datasets) {
    constexpr std::string_view leaf{"TREE\x01\x00", 6};  // of chunks, the lowest level
    std::unordered_map<std::uint64_t, ChunkKey> wanted;
    for (ChunkedDataset& dataset : datasets) {
        std::uint64_t row = 0;
        for (ChunkPlace& chunk : dataset.places) {
            wanted.emplace(chunk.values,
                           ChunkKey{dataset.chunk_bytes, row, dataset.dimensions, &chunk});
            row += dataset.chunk_rows;
        }
    }
    for (auto piece = image.pieces.rbegin(); !wanted.empty() && piece != image.pieces.rend();
         ++piece) {
        const std::string_view text(piece->bytes.data(), piece->bytes.size());
        for (std::size_t at = text.find(leaf); at != std::string_view::npos;
             at = text.find(leaf, at + 1)) {
            for (const std::size_t dimensions : {std::size_t{1}, std::size_t{2}}) {
                for_each_key(
                    text.substr(at), dimensions, [&](std::size_t key, std::uint64_t child) {
                        const auto chunk = wanted.find(child);
                        if (chunk != wanted.end() && chunk->second.dimensions == dimensions &&
                            chunk->second.is_at_begin_of(text.substr(at + key))) {
                            chunk->second.place->head = piece->at + at + key;
                            wanted.erase(chunk);
                        }
                    });
            }
        }
    }
    validate<RunError>(wanted.empty(),
                       "a result file cannot be laid out (this HDF5 library keeps chunks in "
                       "another way). Use HDF5 1.10 to 1.14 with its default file format, or "
                       "write without compression.");
}

}  // namespace halocline
