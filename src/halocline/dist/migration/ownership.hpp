// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Owners of all sets, from the partition of one.
#pragma once

#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/migration/directory.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// The set that was divided, and into how many parts.
struct DividedSet {
    int set = 0;    ///< index in the declaration
    int parts = 1;  ///< as many as ranks, or as asked for
};

/// Owner blocks of every declared set, given the part of each element of this rank's block of the
/// primary set; a part is a rank when there are as many. A set follows the first declared map that leads to a set with owners (first target)
/// or, failing that, comes from one (majority). Elements that no map reaches follow their neighbours;
/// what is left, and sets no map connects, go by blocks. Replicated sets have no owners. Collective.
[[nodiscard]] std::vector<OwnerBlock> assign_owners(const Communicator& comm,
                                                    const MeshDeclaration& declaration,
                                                    DividedSet primary, std::vector<int> partition);

}  // namespace halocline::dist
