// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where the values of one element lie in the memory of its dat, known from the dat's type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "halocline/mesh/dat.hpp"

namespace halocline::detail {

template <class DatT>
inline constexpr bool uses_lanes = std::is_same_v<typename DatT::Storage, LaneStorage> ||
                                   std::is_same_v<typename DatT::Storage, TemporaryStorage>;
template <class DatT>
inline constexpr bool uses_derived = has_derived<typename DatT::Storage>;

/// Values from one element to the next in row layouts.
template <class DatT>
constexpr int row_stride_of() {
    if constexpr (uses_derived<DatT>) {
        return DatT::Storage::row_stride(DatT::dim);
    } else {
        return DatT::dim;
    }
}
template <class DatT>
inline constexpr int row_stride = row_stride_of<DatT>();

/// Where the values of element `i` begin in the layout of vectorised loops.
template <class DatT, class Stored>
[[gnu::always_inline]] inline Stored* element_begin(Stored* base, LocalIndex i) {
    if constexpr (uses_lanes<DatT> && DatT::dim > 1) {
        const auto place = static_cast<std::uint32_t>(i);  // no sign extension
        return base + std::int64_t{place / simd_lanes} * simd_lanes * DatT::dim +
               place % simd_lanes;
    } else {
        return base + std::int64_t{i} * row_stride<DatT>;
    }
}
/// From one of its components to the next.
template <class DatT>
inline constexpr int component_step = uses_lanes<DatT> ? simd_lanes : 1;

/// The same in either layout.
template <LayoutMode mode, class DatT, class Stored>
[[gnu::always_inline]] inline Stored* element_in(Stored* base, LocalIndex i) {
    if constexpr (mode == LayoutMode::plain) {
        return base + static_cast<std::size_t>(i) * DatT::dim;
    } else {
        return element_begin<DatT>(base, i);
    }
}
template <LayoutMode mode, class DatT>
inline constexpr int step_in = mode == LayoutMode::plain ? 1 : component_step<DatT>;

}  // namespace halocline::detail
