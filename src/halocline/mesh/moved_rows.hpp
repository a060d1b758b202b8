// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats that lie in compact rows for a while, as on the serial back end, though their type asks for
// another layout.
#pragma once

#include "halocline/mesh/dat_store.hpp"

namespace halocline {

/// Whether the layout that a dat's type asks for differs from compact rows.
[[nodiscard]] bool asks_for_more_than_rows(const DatStore& store);

/// Moves the values to compact rows, halo and absent ones with them, within the memory that the dat has;
/// derived values are old then. Nothing happens where they lie so.
void move_to_rows(DatStore& store);

/// Moves them to where the type asks for them. Nothing happens where they lie there.
void move_back(DatStore& store);

}  // namespace halocline
