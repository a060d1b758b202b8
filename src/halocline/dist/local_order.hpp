// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From provisional to final local order: core, other owned, import-exec, import-nonexec.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/dist/local_ids.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::dist {

/// By set and owned element, whether it is no core element (part.hpp defines core). Maps hold
/// provisional indices.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> find_near_halo(
    const std::vector<MapPart>& maps, const std::vector<LocalIds>& ids);

/// Ranks that own the halo elements of a set, in provisional order.
struct HaloOwners {
    std::vector<int> exec;
    std::vector<int> nonexec;
};

/// Final order of one set.
struct LocalOrder {
    Buffer<LocalIndex> provisional;  ///< by final index
    LocalIndex core = 0;
};

/// Core and other owned elements, each in the order of `owned` (provisional indices); halo elements by
/// owner, then global id.
[[nodiscard]] LocalOrder order_locally(const LocalIds& ids, const HaloOwners& halo,
                                       const std::vector<std::uint8_t>& near_halo, int ranks,
                                       const Buffer<LocalIndex>& owned);

}  // namespace halocline::dist
