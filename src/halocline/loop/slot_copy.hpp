// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A copy of an edge dat in the order in which a gather reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halocline/mesh/dat_store.hpp"

namespace halocline {

struct CachedGather;

/// A dat on the loop's set copied into slot order, so that a gather streams it.
struct SlotCopy {
    CachedGather* gather = nullptr;  ///< the plan whose slots it follows
    DatStore* store = nullptr;       ///< as long as it is alive
    Lifetime::Watch alive;           ///< expires with the dat
    bool oriented = false;           ///< negated where a slot's element is seen from its second end
    std::uint64_t version = 0;       ///< of the dat, that is copied
    Buffer<double> values;           ///< (slots, dim, 8) of the dat's type, in words of eight bytes
    int reads = 0;                   ///< since the dat was last used otherwise
    bool replaces_dat = false;       ///< the dat has no memory meanwhile
    bool is_restored = false;        ///< the dat got its memory back when it was read
    std::vector<LocalIndex> other_rows;   ///< of the dat, that no slot has: halo edges
    std::vector<std::byte> other_values;  ///< the rows that `other_rows` names
};

}  // namespace halocline
