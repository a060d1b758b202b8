// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Divides a mesh in one or all ways and counts what each division costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/partition/part_components.hpp"
#include "halocline/dist/partition/partition_quality.hpp"
#include "halocline/io/input_file.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "options.hpp"

namespace halocline::meshtool {

/// Conserved variables that one halo element carries in an exchange of the state: 5 doubles.
inline constexpr std::int64_t bytes_per_element = 40;

struct LevelReport {
    dist::SetQuality nodes;
    double imbalance = 1.0;  ///< largest over mean
    std::int64_t edge_cut = 0;
    std::int64_t import_exec = 0;     ///< nodes, edges and boundary entries
    std::int64_t import_nonexec = 0;  ///< the same
    std::int64_t halo_nodes = 0;
    int max_neighbours = 0;
    double mean_neighbours = 0.0;
    dist::PartComponents pieces;
    dist::SetParts edge_parts;         ///< empty unless asked for
    dist::SetParts boundary_parts;     ///< the same
    std::optional<double> exchange_s;  ///< predicted
};

/// One way to divide the mesh. `error` is set when it could not.
struct WayReport {
    std::string partitioner;
    std::string method;
    std::string library;
    std::string error;
    double wall_s = 0.0;  ///< slowest rank: graph, partitioner, owners of all sets
    double cpu_s = 0.0;   ///< largest of all ranks
    std::optional<std::int64_t> memory_bytes;  ///< largest rise of a rank's peak above what it held
    std::int64_t halo_elements = 0;            ///< all sets of all levels
    std::vector<LevelReport> levels;
    std::vector<LevelReport> pressure_levels;  ///< coarse ones, next to the finest first
};

struct MeshSummary {
    MgcfdInput input;
    std::vector<MgcfdLevel> levels;
    std::vector<MgcfdLevel> pressure_levels;  ///< without boundaries
    std::string hash;
    std::int64_t declared_bytes = 0;  ///< maps and dats in memory, all ranks
};

struct PartitionReport {
    MeshSummary mesh;
    std::optional<dist::LinkSpeed> link;
    bool link_measured = false;
    std::vector<WayReport> ways;
};

/// Reads the mesh, divides it as asked and writes what was asked for. Collective.
[[nodiscard]] PartitionReport run_partition(const Communicator& comm,
                                            const PartitionOptions& options);

}  // namespace halocline::meshtool
