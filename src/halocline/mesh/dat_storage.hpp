// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a dat's type says that its values shall lie for vectorised loops.
#pragma once

#include "halocline/core/types.hpp"
#include "halocline/core/values.hpp"
#include "halocline/mesh/layout.hpp"

namespace halocline {

/// Compact rows: any use.
struct RowStorage {
    /// Layout of `dim` components.
    static Layout layout(int dim) { return Layout::rows(dim); }
};

/// Blocks of eight elements, component by component: cheapest for dats that are read and written
/// directly, expensive for dats read through maps.
struct LaneStorage {
    /// Layout of `dim` components.
    static Layout layout(int dim) { return Layout::lanes(dim); }
};

/// Rows of eight, or of several times eight: the components and what `Function` makes of them, from the
/// beginning of a cache line. Loops that read `derived(dat)` get both. Whoever writes the dat updates the
/// derived part, unless nobody read it the last time: then who reads it next does.
/// `Function` has `static constexpr int size` and `operator()(const Values<V, dim>&, Values<V, size>&)`.
template <class Function_>
struct DerivedStorage {
    /// Makes the derived values from the components.
    using Function = Function_;
    /// Values from one element to the next, a multiple of `simd_lanes`.
    static constexpr int row_stride(int dim) {
        return (dim + Function::size + simd_lanes - 1) / simd_lanes * simd_lanes;
    }
    /// Layout of `dim` components with the derived values behind them.
    static Layout layout(int dim) { return Layout::rows(row_stride(dim)); }
};

/// Values of a chain's temporaries: eight elements at a time in a thread's tile, or registers.
struct TemporaryStorage {
    /// Layout of `dim` components.
    static Layout layout(int dim) { return Layout::lanes(dim); }
};

namespace detail {

template <class Storage>
inline constexpr bool has_derived = false;
template <class Function>
inline constexpr bool has_derived<DerivedStorage<Function>> = true;

template <class Storage>
inline constexpr int derived_size = 0;
template <class Function>
inline constexpr int derived_size<DerivedStorage<Function>> = Function::size;

}  // namespace detail

}  // namespace halocline
