// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Gives the partitioner what it needs, then lets the other sets follow.
#include "halocline/dist/migration/division.hpp"

#include <utility>

#include "halocline/dist/migration/ownership.hpp"
#include "halocline/dist/partition/partition_graph.hpp"
#include "halocline/dist/partition/partitioner.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

namespace halocline::dist {

int coordinates_on(const MeshDeclaration& declaration, const std::vector<int>& coordinates,
                   int set) {
    for (const int dat : coordinates) {
        if (declaration.dats[static_cast<std::size_t>(dat)].set == set) {
            return dat;
        }
    }
    return -1;
}

std::vector<int> partition_maps(const MeshDeclaration& declaration,
                                const DistributeOptions& options) {
    return options.graph_maps.empty() ? graph_maps_of(declaration, options.primary_set)
                                      : options.graph_maps;
}

namespace {

std::vector<int> divide_primary(const Communicator& comm, const MeshDeclaration& declaration,
                                const DistributeOptions& options, int parts,
                                const PartitionerChoice& choice) {
    const GlobalIndex size = declaration.sets[static_cast<std::size_t>(options.primary_set)].size;
    PartitionInput input{size, parts, target_sizes(size, parts, options.weights)};
    DistributedGraph graph;
    if (choice.partitioner->needs_graph(choice.method)) {
        graph = build_distributed_graph(comm, declaration, options.primary_set,
                                        partition_maps(declaration, options));
        input.graph = &graph;
    }
    if (choice.partitioner->needs_coordinates(choice.method)) {
        const int dat = coordinates_on(declaration, options.coordinates, options.primary_set);
        input.points = declaration.dats[static_cast<std::size_t>(dat)].doubles();
        input.dim = declaration.dats[static_cast<std::size_t>(dat)].dim;
    }
    input.given = options.given_parts;
    return choice.partitioner->partition(comm, input, choice.method);
}

}  // namespace

Division divide_sets(const Communicator& comm, const MeshDeclaration& declaration,
                     const DistributeOptions& named, int parts) {
    const DistributeOptions options = completed_options(declaration, named);
    const PartitionerChoice choice = make_partitioner(options.partitioner, options.method);
    Division division;
    division.method = choice.method;
    const Targets kind = options.weights.empty() ? Targets::equal : Targets::weighted;
    division.library = parts == 1 ? "none" : choice.partitioner->library(choice.method, kind);
    std::vector<int> part;
    if (parts == 1) {
        const GlobalIndex size =
            declaration.sets[static_cast<std::size_t>(options.primary_set)].size;
        part.assign(static_cast<std::size_t>(block_range(size, comm.rank(), comm.size()).size()),
                    0);
    } else {
        part = divide_primary(comm, declaration, options, parts, choice);
    }
    division.owners =
        assign_owners(comm, declaration, {options.primary_set, parts}, std::move(part));
    return division;
}

}  // namespace halocline::dist
