// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Tile by tile: rows come together in the first cache, then whole lines go to memory past all caches.
#include "halocline/output/row_copy.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "halocline/core/element_type.hpp"
#include "halocline/io/row_gather.hpp"

namespace halocline::output {

namespace {

constexpr std::size_t line_bytes = 64;
/// Whatever the size of a row, this many of them are whole cache lines.
constexpr std::size_t tile_rows = 64;
/// Larger rows go to memory as they come.
constexpr std::size_t largest_tile_row = 128;

/// Storing past the caches saves reading the lines first. `to` and `size` are whole lines.
void store_lines([[maybe_unused]] std::byte* to, [[maybe_unused]] const std::byte* from,
                 std::size_t size) {
#ifdef __SSE2__
    constexpr std::size_t step = sizeof(__m128i);
    for (std::size_t at = 0; at < size; at += step) {
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                         _mm_load_si128(reinterpret_cast<const __m128i*>(from + at)));
    }
#else
    std::memcpy(to, from, size);
#endif
}

/// Lines stored past the caches are there for other threads.
void finish_stores() {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/// Rows `begin` to `end`; `begin` is the first of a tile.
void copy_range(const RawDat& dat, std::span<const LocalIndex> elements, std::size_t begin,
                std::size_t end, std::byte* rows) {
    alignas(line_bytes) std::array<std::byte, tile_rows * largest_tile_row> tile;
    const std::size_t row_bytes = static_cast<std::size_t>(dat.dim) * bytes_of(dat.type);
    for (std::size_t first = begin; first < end; first += tile_rows) {
        const std::size_t count = std::min(tile_rows, end - first);
        const auto part = [&](std::size_t from) {
            const std::size_t at = std::min(from, elements.size());
            return elements.subspan(at, std::min(count, elements.size() - at));
        };
        std::byte* const to = rows + first * row_bytes;
        const bool past_cache = row_bytes <= largest_tile_row && count == tile_rows;
        gather_rows(dat, part(first), part(first + rows_ahead), past_cache ? tile.data() : to);
        if (past_cache) {
            store_lines(to, tile.data(), count * row_bytes);
        }
    }
    finish_stores();
}

/// Of a thread at a time.
constexpr std::size_t part_rows = 64 * tile_rows;

}  // namespace

void copy_rows(const RawDat& dat, std::span<const LocalIndex> elements, std::byte* rows,
               int threads) {
    const auto parts = static_cast<std::int64_t>((elements.size() + part_rows - 1) / part_rows);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && parts > 16)
    for (std::int64_t part = 0; part < parts; ++part) {
        const std::size_t begin = static_cast<std::size_t>(part) * part_rows;
        copy_range(dat, elements, begin, std::min(elements.size(), begin + part_rows), rows);
    }
}

}  // namespace halocline::output
