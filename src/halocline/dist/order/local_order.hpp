// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From provisional to final local order: core, other owned, import-exec, import-nonexec.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/dist/migration/halo_pattern.hpp"
#include "halocline/dist/migration/local_ids.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::dist {

/// By set and owned element, whether it is not a core element (part.hpp defines core). Maps hold
/// provisional indices.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> find_near_halo(
    const std::vector<MapPart>& maps, const std::vector<LocalIds>& ids);

/// Owned elements of a set in their final order.
struct OwnedOrder {
    Buffer<LocalIndex> provisional;  ///< by final index
    LocalIndex core = 0;             ///< how many of them, the first ones, are core
};

/// Core elements in the order of `sequence` (provisional indices), then the others: all in that order,
/// or grouped by `takers`, so that what one neighbour gets lies together. Empty: not grouped.
[[nodiscard]] OwnedOrder order_owned_elements(const Buffer<LocalIndex>& sequence,
                                              const std::vector<std::uint8_t>& near_halo,
                                              const std::vector<int>& takers);

/// Provisional indices of the whole set by final index: `owned`, then the halo regions, each by owner
/// and as its elements follow each other there.
[[nodiscard]] Buffer<LocalIndex> append_halo(const Buffer<LocalIndex>& owned,
                                             const HaloOwners& halo,
                                             const std::vector<LocalIndex>& places_at_owners);

}  // namespace halocline::dist
