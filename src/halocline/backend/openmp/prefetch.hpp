// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Asks for memory that later slots and blocks read.
#pragma once

#include "halocline/backend/openmp/block_access.hpp"

namespace halocline::detail {

/// As `__builtin_prefetch` counts caches.
inline constexpr int second_cache = 2;

/// Asks for the cache lines of rows that a later slot will read, into the second cache: it waits for two to
/// three times as many lines at once as the first. Inlined by force: g++ takes a function that only
/// prefetches for one without effect and drops the call.
template <class DatT>
[[gnu::always_inline]] inline void prefetch_rows(const typename DatT::Stored* base,
                                                 const std::uint32_t* offsets) {
    for (int lane = 0; lane < pack_lanes; ++lane) {
        __builtin_prefetch(
            base +
                (is_full_row<DatT> ? offsets[lane] : offsets[lane] / simd_lanes * row_stride<DatT>),
            0, second_cache);
    }
}

/// The same of rows that follow each other.
template <class DatT>
[[gnu::always_inline]] inline void prefetch_run(const typename DatT::Stored* base,
                                                LocalIndex first) {
    const auto* row = base + std::int64_t{first} * row_stride<DatT>;
    for (int lane = 0; lane < pack_lanes; ++lane) {
        __builtin_prefetch(row + lane * row_stride<DatT>, 0, second_cache);
    }
}

/// Asks for a whole block.
template <class Arg>
[[gnu::always_inline]] inline void prefetch_block(const typename Arg::Stored* memory) {
    using DatT = typename Arg::DatT;
    constexpr int values = (uses_lanes<DatT> ? Arg::size : row_stride<DatT>)*simd_lanes;
    constexpr int values_a_line = 64 / static_cast<int>(sizeof(typename Arg::Stored));
    for (int first = 0; first < values; first += values_a_line) {
        __builtin_prefetch(memory + first, 0, second_cache);
    }
}

/// Asks for the rows of elements that a later slot or block will read.
template <class DatT>
[[gnu::always_inline]] inline void prefetch_elements(const typename DatT::Stored* base,
                                                     const LocalIndex* elements) {
    if constexpr (!uses_lanes<DatT>) {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            __builtin_prefetch(base + static_cast<std::int64_t>(elements[lane]) * row_stride<DatT>);
        }
    }
}

/// Asks for one element's row: its first and its last line.
template <class Arg>
[[gnu::always_inline]] inline void prefetch_element(const typename Arg::Stored* base,
                                                    LocalIndex element) {
    using DatT = typename Arg::DatT;
    const auto* first = element_begin<DatT>(base, element);
    __builtin_prefetch(first);
    if constexpr (Arg::size > 1) {
        __builtin_prefetch(first + (Arg::size - 1) * component_step<DatT>);
    }
}

}  // namespace halocline::detail
