// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which slots of a two-ended plan read their edges' data where other slots, close by, have stored it.
#pragma once

#include <cstdint>

#include "halocline/loop/plan.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline {

/// An edge fills a lane of two slots, one for each end. A slot all of whose edges are stored by slots
/// not far from it need not store them again: it is a *mirror*, and looks at them while they are in
/// the caches. The others are *stored*, one after the other without gaps.
struct SlotMirrors {
    Buffer<std::uint32_t> is_mirror;     ///< (blocks) a bit for each of the first 32 slots
    Buffer<LocalIndex> stored_before;    ///< (blocks + 1) stored slots before a block
    Buffer<std::uint32_t> stored_entry;  ///< (mirrors, 8) stored slot times 8, plus lane

    static constexpr LocalIndex most_slots = 32;  ///< of a block that can be mirrors

    /// `slot` counts from the block's first.
    [[nodiscard]] bool mirrors(LocalIndex block, LocalIndex slot) const {
        return slot < most_slots && (is_mirror[static_cast<std::size_t>(block)] >> slot & 1U) != 0;
    }
    [[nodiscard]] std::int64_t stored() const {
        return stored_before.empty() ? 0 : stored_before[stored_before.size() - 1];
    }
};

/// Needs `plan.element`. Greedy, in the order of slots: the same plan always has the same mirrors.
[[nodiscard]] SlotMirrors find_slot_mirrors(const GatherPlan& plan);

}  // namespace halocline
