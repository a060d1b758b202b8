// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Steps of the verb `partition`.
#include "partition.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/process_memory.hpp"
#include "halocline/dist/migration/division.hpp"
#include "halocline/dist/migration/validate.hpp"
#include "halocline/io/partition_file.hpp"
#include "halocline/linalg/hierarchy.hpp"

namespace halocline::meshtool {

namespace {

using dist::PartLink;

std::int64_t declared_bytes(const Communicator& comm, const MeshDeclaration& declaration) {
    std::size_t bytes = 0;
    for (const MapDeclaration& map : declaration.maps) {
        bytes += map.targets.size() * sizeof(GlobalIndex);
    }
    for (const DatDeclaration& dat : declaration.dats) {
        bytes += dat.size_bytes();
    }
    return comm.sum(static_cast<std::int64_t>(bytes));
}

std::vector<PartitionMethod> wanted_ways(const PartitionOptions& options) {
    if (!options.compare) {
        return {{options.partitioner, options.method}};
    }
    std::vector<PartitionMethod> ways = partition_methods();
    if (options.partition_file.empty()) {
        std::erase_if(ways, [](const auto& way) { return way.partitioner == "file"; });
    }
    return ways;
}

/// Adds the coarse levels of the mesh's Laplacian, as a pressure solver makes them, none whole on every
/// rank. At outlets, where a solver leaves edges out, its levels differ a little.
std::vector<MgcfdLevel> add_pressure_levels(const Communicator& comm, MgcfdMesh& mesh) {
    const MgcfdLevel& finest = mesh.levels.front();
    const linalg::DeclaredOperator laplacian{finest.edge_nodes, finest.stiffness, -1};
    linalg::HierarchyOptions choices;
    choices.most_replicated = 0;
    const linalg::Hierarchy made =
        linalg::declare_hierarchy(comm, mesh.declaration, laplacian, choices);
    std::vector<MgcfdLevel> levels;
    for (std::size_t l = 1; l < made.levels.size(); ++l) {
        const std::vector<MapDeclaration>& maps = mesh.declaration.maps;
        const std::string name = made.name("edge_nodes", static_cast<int>(l));
        const auto map = std::find_if(maps.begin(), maps.end(),
                                      [&](const MapDeclaration& one) { return one.name == name; });
        MgcfdLevel level;
        level.nodes = made.levels[l].nodes;
        level.edges = made.levels[l].edges;
        level.node_set = map->to;
        level.edge_set = map->from;
        level.edge_nodes = static_cast<int>(map - maps.begin());
        levels.push_back(level);
    }
    return levels;
}

WayReport named(const PartitionMethod& way) {
    WayReport report;
    report.partitioner = way.partitioner;
    report.method = way.method;
    return report;
}

class Partitioning {
public:
    Partitioning(const Communicator& comm, const PartitionOptions& options, PartitionReport& report)
        : comm_(comm), options_(options), report_(report) {
        load();
        find_link();
    }

    void run() {
        for (const PartitionMethod& way : wanted_ways(options_)) {
            report_.ways.push_back(options_.compare ? try_way(way) : assess_way(way));
        }
    }

private:
    void load() {
        report_.mesh.input =
            read_mgcfd_input(comm_, in_directory(options_.input_directory, options_.input_file));
        MgcfdMesh mesh = read_mgcfd_mesh(
            comm_, report_.mesh.input, options_.input_directory,
            {.legacy_mode = options_.legacy_mode, .laplacian = options_.pressure_levels});
        if (options_.pressure_levels) {
            report_.mesh.pressure_levels = add_pressure_levels(comm_, mesh);
        }
        declaration_ = std::move(mesh.declaration);
        report_.mesh.levels = mesh.levels;
        report_.mesh.hash = mesh.hash;
        drop_unneeded_dats();
        report_.mesh.declared_bytes = declared_bytes(comm_, declaration_);
        choices_.primary_set = mesh.levels.front().node_set;
        choices_.graph_maps = {mesh.levels.front().edge_nodes};
        choices_.coordinates = {mesh.levels.front().coordinates};
        choices_.weights = options_.weights;
        if (!options_.partition_file.empty()) {
            choices_.given_parts =
                read_partition(comm_, options_.partition_file, mesh.levels.front().nodes);
        }
    }

    /// Only the finest coordinates have a say in a partition.
    void drop_unneeded_dats() {
        const int kept = report_.mesh.levels.front().coordinates;
        for (std::size_t d = 0; d < declaration_.dats.size(); ++d) {
            if (static_cast<int>(d) != kept) {
                declaration_.dats[d].values = {};
            }
        }
    }

    void find_link() {
        report_.link = options_.link;
        if (!report_.link && comm_.size() > 1) {
            report_.link = dist::measure_link(comm_);
            report_.link_measured = true;
        }
    }

    /// In a comparison, a partitioner that cannot divide this mesh is a line of the table.
    [[nodiscard]] WayReport try_way(const PartitionMethod& way) {
        try {
            return assess_way(way);
        } catch (const Error& error) {
            if (error.code() == ExitCode::usage) {
                throw;
            }
            WayReport report = named(way);
            report.error = error.what();
            return report;
        }
    }

    [[nodiscard]] WayReport assess_way(const PartitionMethod& way) {
        choices_.partitioner = way.partitioner;
        choices_.method = way.method;
        dist::validate_options(declaration_, choices_, options_.parts);
        WayReport report = named(way);
        const dist::Division division = divide(report);
        const dist::PartitionQuality quality = dist::assess_partition(
            comm_, declaration_, division.owners, options_.parts,
            options_.per_part ? dist::QualityDetail::parts : dist::QualityDetail::sums);
        for (const dist::SetQuality& set : quality.sets) {
            report.halo_elements += set.import_exec + set.import_nonexec;
        }
        for (const MgcfdLevel& level : report_.mesh.levels) {
            report.levels.push_back(assess_level(level, quality, division));
        }
        for (const MgcfdLevel& level : report_.mesh.pressure_levels) {
            report.pressure_levels.push_back(assess_level(level, quality, division));
        }
        if (!options_.output_file.empty()) {
            const auto nodes = static_cast<std::size_t>(choices_.primary_set);
            write_partition(comm_, options_.output_file, division.owners[nodes].owner);
        }
        return report;
    }

    [[nodiscard]] dist::Division divide(WayReport& report) const {
        const bool measured = reset_peak_memory();
        const std::int64_t before = resident_memory_bytes();
        comm_.barrier();
        const double wall_s = wall_seconds();
        const double cpu_s = cpu_seconds();
        dist::Division division = dist::divide_sets(comm_, declaration_, choices_, options_.parts);
        report.cpu_s = comm_.max(cpu_seconds() - cpu_s);
        report.wall_s = comm_.max(wall_seconds() - wall_s);
        report.method = division.method;
        report.library = division.library;
        const std::int64_t rise = comm_.max(peak_memory_bytes() - before);
        if (comm_.min(std::int64_t{measured ? 1 : 0}) == 1) {
            report.memory_bytes = std::max<std::int64_t>(0, rise);
        }
        return division;
    }

    [[nodiscard]] LevelReport assess_level(const MgcfdLevel& level,
                                           const dist::PartitionQuality& quality,
                                           const dist::Division& division) const {
        LevelReport report;
        const auto nodes = static_cast<std::size_t>(level.node_set);
        report.nodes = quality.sets[nodes];
        report.imbalance = static_cast<double>(report.nodes.largest) * options_.parts /
                           static_cast<double>(std::max<GlobalIndex>(1, level.nodes));
        report.edge_cut = quality.cut_rows[static_cast<std::size_t>(level.edge_nodes)];
        for (const int set : {level.node_set, level.edge_set, level.boundary_set}) {
            if (set < 0) {
                continue;
            }
            report.import_exec += quality.sets[static_cast<std::size_t>(set)].import_exec;
            report.import_nonexec += quality.sets[static_cast<std::size_t>(set)].import_nonexec;
        }
        report.halo_nodes = report.nodes.import_exec + report.nodes.import_nonexec;
        report.edge_parts = quality.sets[static_cast<std::size_t>(level.edge_set)].parts;
        if (level.boundary_set >= 0) {
            report.boundary_parts =
                quality.sets[static_cast<std::size_t>(level.boundary_set)].parts;
        }
        count_neighbours(report);
        report.pieces = dist::count_components(
            comm_, declaration_.maps[static_cast<std::size_t>(level.edge_nodes)],
            division.owners[nodes], options_.parts);
        if (report_.link) {
            report.exchange_s = dist::predict_exchange_s(report.nodes.links, options_.parts,
                                                         bytes_per_element, *report_.link);
        }
        return report;
    }

    /// Parts that a part sends to or receives from.
    void count_neighbours(LevelReport& report) const {
        std::vector<std::set<int>> neighbours(static_cast<std::size_t>(options_.parts));
        for (const PartLink& link : report.nodes.links) {
            neighbours[static_cast<std::size_t>(link.from)].insert(link.to);
            neighbours[static_cast<std::size_t>(link.to)].insert(link.from);
        }
        std::size_t total = 0;
        for (const auto& of_part : neighbours) {
            total += of_part.size();
            report.max_neighbours =
                std::max(report.max_neighbours, static_cast<int>(of_part.size()));
        }
        report.mean_neighbours = static_cast<double>(total) / options_.parts;
    }

    const Communicator& comm_;
    const PartitionOptions& options_;
    PartitionReport& report_;
    MeshDeclaration declaration_;
    DistributeOptions choices_;
};

}  // namespace

PartitionReport run_partition(const Communicator& comm, const PartitionOptions& options) {
    PartitionReport report;
    Partitioning(comm, options, report).run();
    return report;
}

}  // namespace halocline::meshtool
