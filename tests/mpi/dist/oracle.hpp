// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every rank must hold, worked out by brute force from the whole mesh and the owners.
#pragma once

#include <set>
#include <vector>

#include "halocline/mesh/part.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::test {

/// Owner by set and global id; every rank gets all. Fails the test when an element is owned twice
/// or by nobody. Collective.
[[nodiscard]] std::vector<std::vector<int>> gather_owners(const Communicator& comm,
                                                          const WholeMesh& whole,
                                                          const MeshPart& part);

/// The four regions of one set on one rank, as global ids.
struct Regions {
    std::set<GlobalIndex> core, owned, exec, nonexec;

    [[nodiscard]] bool holds_as_halo(GlobalIndex id) const {
        return exec.contains(id) || nonexec.contains(id);
    }
};

/// By set. Follows the definitions in mesh/part.hpp word by word.
[[nodiscard]] std::vector<Regions> expected_regions(const WholeMesh& whole,
                                                    const std::vector<std::vector<int>>& owners,
                                                    int rank);

/// Compares a part with the oracle: regions and their order, maps, dat values, halo lists. Collective.
void expect_correct_part(const Communicator& comm, const WholeMesh& whole, const MeshPart& part,
                         bool renumbered, bool all_sets = false);

}  // namespace halocline::test
