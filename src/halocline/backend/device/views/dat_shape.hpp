// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How dats lie on a device: the layout that a dat's type calls for, and the place to call for another.
#pragma once

#include <type_traits>

#include "halocline/mesh/dat.hpp"

namespace halocline::device {

/// How a dat lies on the device, by its type.
/// Blocks of eight elements with eight components in pairs for what is read through maps as a whole: a
/// load of eight lanes whose elements are neighbours touches one or two cache lines, where rows would
/// make it four to eight. Columns (one after the other) for what threads read side by side, nothing
/// for temporaries: they are registers.
enum class Shape { none, pairs, rows, columns };

/// Whether a dat has more components, with those derived from them, than a block of pairs holds.
template <class DatT>
inline constexpr bool is_wide_derived =
    halocline::detail::has_derived<typename DatT::Storage>&& DatT::row_size > simd_lanes;

template <class DatT>
constexpr Shape usual_shape() {
    using Storage = typename DatT::Storage;
    if constexpr (std::is_same_v<Storage, TemporaryStorage>) {
        return Shape::none;
    } else if constexpr (halocline::detail::has_derived<Storage>) {
        return is_wide_derived<DatT> ? Shape::rows : Shape::pairs;
    } else if constexpr (std::is_same_v<Storage, LaneStorage>) {
        return Shape::columns;
    } else {
        constexpr bool in_pairs =
            DatT::dim == simd_lanes && std::is_same_v<typename DatT::Stored, double>;
        return in_pairs ? Shape::pairs : Shape::rows;
    }
}

/// Specialised beside a dat's type, for the C++ compiler and nvcc alike, it lays dats of that type out
/// in another shape: a choice at run time would cost every load and store a branch (decision 34).
template <class DatT>
struct DeviceShape {
    static constexpr Shape shape = usual_shape<DatT>();
};

template <class DatT>
constexpr Shape shape_of() {
    constexpr Shape shape = DeviceShape<DatT>::shape;
    static_assert(
        (shape == Shape::none) == std::is_same_v<typename DatT::Storage, TemporaryStorage>,
        "temporaries, and nothing else, have no place on a device");
    static_assert(!halocline::detail::has_derived<typename DatT::Storage> ||
                      (shape == Shape::pairs) != is_wide_derived<DatT>,
                  "dats with derived values lie in pairs, in rows where these are too many");
    static_assert(shape != Shape::pairs || DatT::row_size <= simd_lanes,
                  "an element in pairs has eight components at most");
    return shape;
}

}  // namespace halocline::device
