// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one interface of all partitioners, and their registry by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"

namespace halocline::dist {

/// The primary set as a graph, block-distributed: this rank holds the rows of its block. Rows are
/// sorted, without self-loops and duplicates; every edge is in the rows of both its ends.
struct DistributedGraph {
    GlobalIndex vertices = 0;              ///< over all ranks
    std::vector<std::int64_t> offsets{0};  ///< (local vertices + 1)
    std::vector<GlobalIndex> neighbours;   ///< global ids
};

/// What a partitioner may look at.
struct PartitionInput {
    GlobalIndex size = 0;               ///< elements of the primary set over all ranks
    DistributedGraph* graph = nullptr;  ///< null unless needs_graph(); may be consumed
    int parts = 1;
};

/// One way to divide the primary set. Adding one is adding partitioners/<name>.cpp, which defines
/// `std::unique_ptr<Partitioner> make_<name>_partitioner()`; the build makes the registry.
class Partitioner {
public:
    virtual ~Partitioner() = default;
    /// Values of DistributeOptions::method it accepts; empty: the method does not matter.
    [[nodiscard]] virtual std::vector<std::string> methods() const = 0;
    /// Library that answers, with version.
    [[nodiscard]] virtual std::string library() const = 0;
    [[nodiscard]] virtual bool needs_graph() const = 0;
    /// Rank of each element of this rank's block. Collective; the same input gives the same answer.
    [[nodiscard]] virtual std::vector<int> partition(const Communicator& comm,
                                                     const PartitionInput& input,
                                                     std::string_view method) const = 0;
};

/// The partitioner of that name. Throws UsageError with the nearest name, or with the methods that
/// exist when `method` is none of its own.
[[nodiscard]] std::unique_ptr<Partitioner> make_partitioner(std::string_view name,
                                                            std::string_view method);

}  // namespace halocline::dist
