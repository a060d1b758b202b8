// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Owners of elements: a table that is distributed over all ranks, each keeping the entries of its block.
#pragma once

#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"

namespace halocline::dist {

/// Owner not (yet) known.
inline constexpr int no_owner = -1;

/// This rank's block of the owners of one set.
struct OwnerBlock {
    GlobalIndex size = 0;    ///< of the whole set
    std::vector<int> owner;  ///< rank, by element of this rank's block
};

/// Owner of each of `ids`, asked from the ranks that know. Works in slices of `slice` ids, so that
/// its working memory does not grow with their number. Collective; ranks may ask differently much.
[[nodiscard]] std::vector<int> lookup_owners(const Communicator& comm, const OwnerBlock& block,
                                             std::span<const GlobalIndex> ids,
                                             std::size_t slice = std::size_t{1} << 20);

/// An opinion on who should own an element.
struct OwnerVote {
    GlobalIndex id;  ///< of the element
    int owner;       ///< rank that should own it
};

/// Sends votes to the ranks that keep the elements and sets each element without an owner to the
/// majority of its votes (the lowest rank of equals). Returns how many elements of this rank's
/// block got an owner. Collective.
std::int64_t elect_owners(const Communicator& comm, OwnerBlock& block,
                          std::span<const OwnerVote> votes);

}  // namespace halocline::dist
