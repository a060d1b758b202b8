// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a division into parts will cost: sizes, cuts, halos and messages, counted before anything moves.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/migration/directory.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// Part `from` owns `elements` of a set that part `to` holds as halo: one message in an exchange.
struct PartLink {
    int from = 0;               ///< owner
    int to = 0;                 ///< that needs the values
    std::int64_t elements = 0;  ///< in the message
};

/// One set, part by part.
struct SetParts {
    std::vector<std::int64_t> owned;        ///< elements
    std::vector<std::int64_t> import_exec;  ///< executed, owned by others
    std::vector<std::int64_t> shared;       ///< owned, and held by others as halo
};

/// One set, over all parts.
struct SetQuality {
    std::int64_t largest = 0;         ///< owned elements of the largest part
    std::int64_t smallest = 0;        ///< of the smallest
    std::int64_t import_exec = 0;     ///< sum over parts
    std::int64_t import_nonexec = 0;  ///< sum over parts
    std::vector<PartLink> links;      ///< ascending by (from, to); on rank 0 only
    SetParts parts;                   ///< empty unless asked for
};

/// What a partition costs, as far as it can be counted.
struct PartitionQuality {
    std::vector<SetQuality> sets;        ///< by declared set
    std::vector<std::int64_t> cut_rows;  ///< by declared map: rows with targets in different parts
};

/// How much is kept of each part: ten thousand parts of a mesh are some megabytes.
enum class QualityDetail { sums, parts };

/// Counts what `distribute` would build for `parts` ranks, on any number of ranks and without
/// moving the mesh. `owners` are parts by set (division.hpp). Collective.
[[nodiscard]] PartitionQuality assess_partition(const Communicator& comm,
                                                const MeshDeclaration& declaration,
                                                const std::vector<OwnerBlock>& owners, int parts,
                                                QualityDetail detail = QualityDetail::sums);

}  // namespace halocline::dist
