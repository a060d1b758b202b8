// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Compact rows out of any layout.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "halocline/core/types.hpp"
#include "halocline/mesh/raw_dat.hpp"

namespace halocline {

/// A row from memory arrives in time in the second cache, which waits for more lines at once than the
/// first, when it is asked for so many rows ahead: in random order 1.8 ms for 20 MB, into the first cache
/// 4.0.
inline constexpr std::size_t rows_ahead = 128;
inline constexpr int second_cache = 2;

/// Whether the values of an element lie side by side.
[[nodiscard]] inline bool has_whole_rows(const RawDat& dat) {
    return dat.layout.block == 1 && dat.layout.component_stride == 1;
}

namespace detail {

/// A size known to the compiler makes a copy of a few moves of it.
inline constexpr std::size_t most_unrolled_words = 32;
inline constexpr std::size_t word = 4;

template <class Work, std::size_t... words>
void with_row_size(std::index_sequence<words...>, std::size_t bytes, const Work& work) {
    const bool found = ((bytes == (words + 1) * word &&
                         (work(std::integral_constant<std::size_t, (words + 1) * word>{}), true)) ||
                        ...);
    if (!found) {
        work(bytes);
    }
}

}  // namespace detail

/// Calls `work` with the size of a row: as a constant where it is a few words.
template <class Work>
void with_row_size(std::size_t bytes, const Work& work) {
    detail::with_row_size(std::make_index_sequence<detail::most_unrolled_words>{}, bytes, work);
}

/// Copies the rows of `elements`, one after the other, to `rows`. Rows of `next` are asked for meanwhile,
/// one for each that is copied.
void gather_rows(const RawDat& dat, std::span<const LocalIndex> elements,
                 std::span<const LocalIndex> next, std::byte* rows);

}  // namespace halocline
