// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the rows of a tile reach besides its own targets, numbered within the tile, so that a block of
// threads stages all of it in shared memory before it traverses the rows.
#pragma once

#include <string>

#include "halocline/backend/device/plans/incidence.hpp"

namespace halocline::device {

/// Of every entry of two-ended rows (entries): the target at the other end, and its element's value.
struct EntryEnds {
    Buffer<LocalIndex> other;
    Buffer<LocalIndex> value;  ///< number by first use
};

/// Fills `tiles`, `sources`, `reused` and `places`. `reachable`: targets and halo. Throws ContractError
/// when a tile reaches more than 16 bits can number; `from`: name of the elements' set, for its sentence.
void divide_into_tiles(HostIncidence& rows, const EntryEnds& ends, LocalIndex reachable,
                       const std::string& from);

}  // namespace halocline::device
