// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The incidence of targets and elements as kernels read it: sliced ELLPACK.
#pragma once

#include <cstdint>

#include "halocline/core/types.hpp"
#include "halocline/memory/gpu/figures.hpp"

namespace halocline::device {

/// Targets whose rows are interleaved: a warp's loads of one slot are consecutive.
inline constexpr int slice = GpuFigures::warp;

/// Targets of a block of threads, which stages what their rows reach in its shared memory.
inline constexpr int tile = 128;

/// Where the parts of a tile begin; the next one's beginnings end them.
struct alignas(16) TileBegin {
    LocalIndex
        value;  ///< in the values numbered by first use: those first used here; an even number
    LocalIndex source;  ///< in `IncidenceView::sources`
    LocalIndex reused;  ///< in `IncidenceView::reused`
    LocalIndex slot;    ///< of the rows
};

/// What an entry of two-ended rows says: the places in the tile of the target at the other end (the
/// tile's own targets, then its sources) and of the element's value (those first used here, then those
/// of earlier tiles), and from which end the element is seen. Values of two-ended elements lie on the
/// device once, in the order in which walking all rows first uses the elements.
/// Packed: bits 0 to 15 `other`, 16 to 30 `value`, 31 `is_from_second_end`.
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

/// For each target the entries that change it, by ascending global id of their elements, in sliced
/// ELLPACK (slices of `slice` targets, padded to the longest row of each). Entry s of target t:
/// (begin[t / slice] + s) slice + t % slice. Device memory; `entries` are slots() slice.
struct IncidenceView {
    const LocalIndex* begin;      ///< (slices + 1): first slot of a slice
    const std::uint16_t* length;  ///< (targets): entries of each
    const LocalIndex* element;    ///< (entries)
    const std::uint8_t*
        column;  ///< (entries): through which column of the loop's maps; null when there is one
    /// @name Of two-ended elements, else null
    /// @{
    const std::uint32_t* places;  ///< (entries): packed `EntryPlaces`
    const TileBegin* tiles;       ///< (tiles + 1)
    const LocalIndex* sources;    ///< of each tile, ascending: targets and halo that its rows reach
    const LocalIndex* reused;     ///< of each tile, ascending: values that earlier tiles use, too
    /// @}
};

}  // namespace halocline::device
