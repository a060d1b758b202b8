// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which part every element of every set belongs to: what is common to a run and to a report.
#pragma once

#include <string>
#include <vector>

#include "halocline/dist/distribute.hpp"
#include "halocline/dist/migration/directory.hpp"

namespace halocline::dist {

/// Parts of all sets, and who made them.
struct Division {
    std::vector<OwnerBlock> owners;  ///< by set; this rank's block
    std::string method;              ///< of the partitioner; "none" for those without
    std::string library;             ///< that answered, with version
};

/// Divides a declaration into `parts`, on any number of ranks. Collective.
[[nodiscard]] Division divide_sets(const Communicator& comm, const MeshDeclaration& declaration,
                                   const DistributeOptions& options, int parts);

/// Maps that make the graph of the primary set: those that the options name, else what is found.
[[nodiscard]] std::vector<int> partition_maps(const MeshDeclaration& declaration,
                                              const DistributeOptions& options);

/// The dat of `options.coordinates` that lies on `set`, or -1.
[[nodiscard]] int coordinates_on(const MeshDeclaration& declaration,
                                 const std::vector<int>& coordinates, int set);

}  // namespace halocline::dist
