// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one interface of all partitioners, and their registry by name.
#pragma once

#include <memory>
#include <span>
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
    std::vector<GlobalIndex> starts{};     ///< (ranks + 1) first vertices; empty: by block_range
    std::vector<std::int64_t> offsets{0};  ///< (local vertices + 1)
    std::vector<GlobalIndex> neighbours;   ///< global ids
    std::vector<std::int64_t> vertex_weights{};  ///< by vertex
    std::vector<std::int64_t> edge_weights{};    ///< by neighbour
    bool weighted = false;                       ///< else weights are empty and count as 1
};

/// What a partitioner gets.
struct PartitionInput {
    GlobalIndex size = 0;  ///< elements of the primary set over all ranks
    int parts = 1;         ///< at least 2; not always the number of ranks
    /// Target sizes by part; they add up to `size` and none is 0.
    std::vector<GlobalIndex> targets{};
    DistributedGraph* graph = nullptr;  ///< null unless it needs one; may be consumed
    std::span<const double> points{};   ///< (block, dim); empty unless it needs coordinates
    int dim = 0;                        ///< coordinates of a point: 1 to 3
    std::span<const int> given{};       ///< the user's part by element of the block, for `file`
};

/// Whether all parts are to be equally large.
enum class Targets { equal, weighted };

/// One way to divide the primary set. Adding one is adding partitioners/<name>.cpp, which defines
/// `std::unique_ptr<Partitioner> make_<name>_partitioner()`; the build makes the registry.
class Partitioner {
public:
    virtual ~Partitioner() = default;
    /// Values of DistributeOptions::method it accepts, the default first; empty: it has no methods.
    [[nodiscard]] virtual std::vector<std::string> methods() const = 0;
    /// Library that answers, with version.
    [[nodiscard]] virtual std::string library(std::string_view method, Targets targets) const = 0;
    /// False when this build lacks the library that would answer.
    [[nodiscard]] virtual bool available(std::string_view) const { return true; }
    /// Whether `partition` reads the graph.
    [[nodiscard]] virtual bool needs_graph(std::string_view method) const = 0;
    /// Whether `partition` reads the points.
    [[nodiscard]] virtual bool needs_coordinates(std::string_view) const { return false; }
    /// Part of each element of this rank's block. Collective; the same input on the same ranks gives
    /// the same answer.
    [[nodiscard]] virtual std::vector<int> partition(const Communicator& comm,
                                                     const PartitionInput& input,
                                                     std::string_view method) const = 0;
};

/// A partitioner and the method it will use.
struct PartitionerChoice {
    std::unique_ptr<Partitioner> partitioner;  ///< made
    std::string method;                        ///< "none" for partitioners without methods
};

/// The partitioner of that name; `method` may be "auto". Throws UsageError with the nearest name, or
/// with the combinations that exist when `method` is none of its own.
[[nodiscard]] PartitionerChoice make_partitioner(std::string_view name, std::string_view method);

}  // namespace halocline::dist
