// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a dat's values lie in memory, as plain data that every layer can walk.
#pragma once

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
    static constexpr Layout rows(int stride) { return {.block_stride = stride}; }
    /// One component after the other, `stride` elements of room for each.
    static constexpr Layout columns(LocalIndex stride) { return {.component_stride = stride}; }
    /// Blocks of `simd_lanes` elements, component by component.
    static constexpr Layout lanes(int dim) {
        return {.block = simd_lanes,
                .block_stride = simd_lanes * dim,
                .lane_stride = 1,
                .component_stride = simd_lanes,
                .pair_stride = 2 * simd_lanes};
    }
    /// Blocks of `simd_lanes` elements, two components of an element side by side; the last one of an
    /// odd number is a column of `column` elements, whole blocks of them.
    static constexpr Layout pairs(int dim, LocalIndex column) {
        const bool is_odd = dim % 2 == 1;
        return {.block = simd_lanes,
                .block_stride = simd_lanes * (dim / 2 * 2),
                .lane_stride = 2,
                .component_stride = 1,
                .pair_stride = 2 * simd_lanes,
                .alone = is_odd ? dim - 1 : -1,
                .column = is_odd ? column : 0};
    }
    /// What a device needs to find all components: elements of a column.
    [[nodiscard]] LocalIndex stride() const noexcept {
        return block == 1 ? component_stride : column;
    }
};

}  // namespace halocline
