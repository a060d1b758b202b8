// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which ranks need which elements of a set: known before the set is ordered, so that the order can follow.
#pragma once

#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/migration/local_ids.hpp"
#include "halocline/dist/migration/sparse_exchange.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::dist {

/// Ranks that own the halo elements of a set, in provisional order.
struct HaloOwners {
    std::vector<int> exec;     ///< by import-exec element
    std::vector<int> nonexec;  ///< by import-nonexec element
};

/// Each rank sends the owners the elements that it holds as halo. Indices are provisional; halo elements
/// count from 0, exec before nonexec.
class HaloRequests {
public:
    /// Throws ContractError on every rank when no rank owns an element. Collective.
    HaloRequests(const Communicator& comm, const LocalIds& ids, const HaloOwners& halo);

    /// The lowest rank that wants each owned element; -1 where none does.
    [[nodiscard]] std::vector<int> first_takers() const;

    /// Where each halo element lies at its owner, by the owner's final index of its owned elements.
    /// Collective.
    [[nodiscard]] std::vector<LocalIndex> places_at_owners(
        std::span<const LocalIndex> final_index) const;

    /// Both ranks of a pair list the same elements, as they follow each other at the owner.
    /// `final_index` is that of all local elements.
    [[nodiscard]] HaloPattern pattern(std::span<const LocalIndex> final_index,
                                      std::span<const LocalIndex> places_at_owners) const;

private:
    LocalIndex owned_;
    std::vector<std::int64_t> wanted_;    ///< halo elements by owner
    std::vector<LocalIndex> halo_;        ///< halo elements, grouped by owner
    std::vector<LocalIndex> asked_;       ///< owned elements, grouped by who wants them
    std::vector<std::int64_t> asked_by_;  ///< how many of them, by rank
    SparseExchange exchange_;
};

}  // namespace halocline::dist
