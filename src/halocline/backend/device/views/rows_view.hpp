// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a kernel on a device gets to see of rows: for each target the elements that change it.
#pragma once

#include <cstdint>

#include "halocline/core/types.hpp"
#include "halocline/memory/gpu/figures.hpp"

namespace halocline::device {

/// Targets whose rows lie side by side: a warp's loads of one slot are consecutive.
inline constexpr int slice = GpuFigures::warp;

/// Targets of a block of threads that brings what their rows reach into fast memory of its own.
inline constexpr int tile = 128;

/// Where the parts of a tile begin; the next one's beginnings end them.
struct alignas(16) TileBegin {
    LocalIndex value;   ///< values first met in this tile; an even number
    LocalIndex source;  ///< in `RowsView::sources`
    LocalIndex met;     ///< in `RowsView::met`
    LocalIndex slot;    ///< of the rows
};

/// What an entry of two-ended rows says: the places in the tile of the target at the other end (the
/// tile's own targets, then its sources) and of the element's value (those first met here, then those
/// met before), and from which end the element is seen. Values of two-ended elements lie on the device
/// once, in the order in which rows meet the elements.
struct EntryPlaces {
    static constexpr LocalIndex most_targets = 0x10000;
    static constexpr LocalIndex most_values = 0x8000;

    LocalIndex other;
    LocalIndex value;
    bool is_from_second_end;

    HALOCLINE_HD explicit EntryPlaces(std::uint32_t packed)
        : other(static_cast<LocalIndex>(packed & 0xffffU)),
          value(static_cast<LocalIndex>(packed >> 16U & 0x7fffU)),
          is_from_second_end(packed >> 31U != 0) {}

    static std::uint32_t packed(LocalIndex other, LocalIndex value, bool is_from_second_end) {
        return static_cast<std::uint32_t>(other) | static_cast<std::uint32_t>(value) << 16U |
               (is_from_second_end ? 1U << 31U : 0U);
    }
};

/// For each target the entries that change it, by ascending global id of their elements: slices of
/// `slice` targets, slots of as many entries. Entry of slot s of target t:
/// (begin[t / slice] + s) slice + t % slice.
struct RowsView {
    const LocalIndex* begin;      ///< first slot of a slice
    const std::uint16_t* length;  ///< entries of a target
    const LocalIndex* element;
    const std::uint8_t*
        column;  ///< through which column of the loop's maps; null when there is one
    /// @name Of two-ended elements, else null
    /// @{
    const std::uint32_t* places;  ///< see `EntryPlaces`
    const TileBegin* tiles;
    const LocalIndex* sources;  ///< of each tile, ascending: targets and halo that its rows reach
    const LocalIndex* met;      ///< of each tile, ascending: values that earlier tiles have met
    /// @}
};

}  // namespace halocline::device
