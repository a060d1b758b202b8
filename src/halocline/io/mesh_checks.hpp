// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checks of the values of mesh files. Each finds the first fault and says it in one sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"

namespace halocline {

/// Where values come from, for messages.
struct DatasetPlace {
    std::string file;           ///< path
    std::string dataset;        ///< name in it, with groups
    int columns = 1;            ///< values of a row
    GlobalIndex first_row = 0;  ///< row of this rank's first value
};

/// Throws InputError at the first NaN or infinity.
void require_finite(std::span<const double> values, const DatasetPlace& place);

/// Throws InputError at the first value that is not greater than zero.
void require_positive(std::span<const double> values, const DatasetPlace& place);

/// Throws InputError at the first edge that joins a node with itself; (edges, 2).
void require_two_ends(std::span<const GlobalIndex> edge_nodes, const DatasetPlace& place);

/// Widens the 32-bit indices that fill the upper half of `values` to 64 bits, in place.
void widen_upper_half(std::span<GlobalIndex> values);

/// Subtracts `base` from file indices and throws InputError at the first one that is then outside
/// [0, targets); `target` says what an index names, e.g. "node of the same file".
void rebase_indices(std::span<GlobalIndex> values, int base, GlobalIndex targets,
                    const std::string& target, const DatasetPlace& place);

/// Throws InputError at the first number that is not a boundary group of MG-CFD (docs/conventions.md).
void require_groups(std::span<const GlobalIndex> groups, const DatasetPlace& place);

/// Throws InputError on every rank when a node is an end of no edge. Collective.
void require_touched(const Communicator& comm, std::span<const GlobalIndex> edge_nodes,
                     GlobalIndex nodes, const DatasetPlace& place);

}  // namespace halocline
