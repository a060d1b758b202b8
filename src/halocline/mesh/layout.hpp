// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a dat's values lie in memory, as plain data that every layer can walk.
#pragma once

#include "halocline/core/element_type.hpp"
#include "halocline/core/types.hpp"

namespace halocline {

/// Position of component d of element i: rows or columns (block = 1), or blocks of lanes, in which
/// components follow each other one by one or in pairs.
struct Layout {
    int block = 1;             ///< elements in a block: 1 or simd_lanes
    int block_stride = 1;      ///< values from one block to the next
    int lane_stride = 0;       ///< values from one element of a block to the next
    int component_stride = 1;  ///< values from one component to the next; in blocks, within a pair
    int pair_stride = 2;       ///< of blocks: values from one pair of components to the next
    int alone = -1;            ///< of blocks of pairs: a component left over, a column behind them
    LocalIndex column = 0;     ///< elements of that column

    /// Values from the beginning of a dat to component `d` of element `i`.
    [[nodiscard]] HALOCLINE_HD std::int64_t offset(LocalIndex i, int d) const noexcept {
        if (block == 1) {  // a division by a variable costs more than the access
            return static_cast<std::int64_t>(i) * block_stride + component_offset(d);
        }
        if (d == alone) {
            return std::int64_t{column} * alone + i;
        }
        return static_cast<std::int64_t>(i / simd_lanes) * block_stride +
               (i % simd_lanes) * lane_stride + component_offset(d);
    }

    /// From an element's first component to component d, but for one that is `alone`.
    [[nodiscard]] HALOCLINE_HD std::int64_t component_offset(int d) const noexcept {
        return block == 1 ? std::int64_t{d} * component_stride
                          : std::int64_t{d / 2} * pair_stride + d % 2 * component_stride;
    }

    /// Values that `elements` elements of `dim` components take: whole blocks, or whole columns.
    [[nodiscard]] std::int64_t size(LocalIndex elements, int dim) const noexcept {
        if (component_stride > block_stride) {
            return std::int64_t{component_stride} * dim;
        }
        return (std::int64_t{elements} + block - 1) / block * block_stride + column;
    }

    /// Row-major rows of `stride` values.
    static constexpr Layout rows(int stride) { return {1, stride, 0, 1}; }
    /// Blocks of `simd_lanes` elements, component by component.
    static constexpr Layout lanes(int dim) {
        return {simd_lanes, simd_lanes * dim, 1, simd_lanes, 2 * simd_lanes};
    }
    /// Blocks of `simd_lanes` elements, two components of an element side by side; the last one of an
    /// odd number is a column of `column` elements, whole blocks of them.
    static constexpr Layout pairs(int dim, LocalIndex column) {
        const int even = dim / 2 * 2;
        return {simd_lanes,
                simd_lanes * even,
                2,
                1,
                2 * simd_lanes,
                even == dim ? -1 : even,
                even == dim ? 0 : column};
    }
    /// What a device needs to find all components: elements of a column.
    [[nodiscard]] LocalIndex stride() const noexcept {
        return block == 1 ? component_stride : column;
    }
    /// One component after the other, `stride` elements of room for each.
    static constexpr Layout columns(LocalIndex stride) { return {1, 1, 0, stride}; }
};

/// A dat without its type, for code that moves values: halo exchange, files.
struct RawDat {
    double* values = nullptr;  ///< memory in words of eight bytes; `type` says what lies in it
    int dim = 1;               ///< components of an element
    Layout layout;             ///< where component d of element i lies
    ElementType type = ElementType::float64;  ///< of the values

    /// The memory as bytes.
    [[nodiscard]] std::byte* bytes() const { return reinterpret_cast<std::byte*>(values); }
};

}  // namespace halocline
