// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats that lie in compact rows for a while, as on the serial back end, though their type asks for
// another layout.
#pragma once

#include <cstddef>

#include "halocline/mesh/dat.hpp"

namespace halocline {

/// Whether the layout that a dat's type asks for differs from compact rows.
[[nodiscard]] bool asks_for_more_than_rows(const DatStore& store);

/// Bytes that moving a dat either way touches.
[[nodiscard]] std::size_t bytes_to_move(const DatStore& store);

/// Moves the values to compact rows of `dim` values, halo and absent ones with them, within the memory
/// that the dat has; derived values are old then.
void move_to_rows(DatStore& store);

/// Moves them back; nothing happens where they were not moved.
void move_back(DatStore& store);

}  // namespace halocline
