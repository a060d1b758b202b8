// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Owners of all sets, from the partition of one.
#pragma once

#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/directory.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// Owner blocks of every declared set, given the rank of each element of this rank's block of the
/// primary set. A set follows the first declared map that leads to a set with owners (first target)
/// or, failing that, comes from one (majority). Elements nobody maps to follow their neighbours;
/// what is left, and sets no map connects, go by blocks. Collective.
[[nodiscard]] std::vector<OwnerBlock> assign_owners(const Communicator& comm,
                                                    const MeshDeclaration& declaration,
                                                    int primary_set, std::vector<int> partition);

}  // namespace halocline::dist
