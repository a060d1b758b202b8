// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Structural checks of a declaration, agreed by all ranks before anything is sent.
#include "halocline/dist/migration/validate.hpp"

#include <limits>
#include <set>

#include "halocline/core/error.hpp"
#include "halocline/dist/migration/division.hpp"
#include "halocline/dist/partition/hilbert.hpp"
#include "halocline/dist/partition/partitioner.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

namespace halocline::dist {

namespace {

std::size_t block_size(const Communicator& comm, GlobalIndex size) {
    return static_cast<std::size_t>(block_range(size, comm.rank(), comm.size()).size());
}

void validate_indices(const MeshDeclaration& declaration) {
    const int sets = static_cast<int>(declaration.sets.size());
    const auto is_set = [sets](int s) { return s >= 0 && s < sets; };
    for (const MapDeclaration& map : declaration.maps) {
        validate<ContractError>(is_set(map.from) && is_set(map.to) && map.arity > 0,
                                "map '" + map.name +
                                    "' names a set that does not exist or has no targets (sets "
                                    "are indices, arity is at least 1). Declare its sets first.");
    }
    for (const DatDeclaration& dat : declaration.dats) {
        validate<ContractError>(is_set(dat.set) && dat.dim > 0,
                                "dat '" + dat.name +
                                    "' names a set that does not exist or has no components (dim "
                                    "is at least 1). Declare its set first.");
    }
}

void validate_count(const Communicator& comm, const std::string& what, std::size_t expected,
                    std::size_t actual) {
    validate<ContractError>(expected == actual,
                            what + " has " + std::to_string(actual) + " values on rank " +
                                std::to_string(comm.rank()) + " where its block needs " +
                                std::to_string(expected) +
                                " (each rank passes its block_range). Pass the whole block.");
}

void validate_counts(const Communicator& comm, const MeshDeclaration& declaration) {
    for (const MapDeclaration& map : declaration.maps) {
        const GlobalIndex size = declaration.sets[static_cast<std::size_t>(map.from)].size;
        validate_count(comm, "map '" + map.name + "'",
                       block_size(comm, size) * static_cast<std::size_t>(map.arity),
                       map.targets.size());
    }
    for (const DatDeclaration& dat : declaration.dats) {
        if (dat.deferred != nullptr) {
            continue;  // counted when they come
        }
        const GlobalIndex size = declaration.sets[static_cast<std::size_t>(dat.set)].size;
        validate_count(comm, "dat '" + dat.name + "'",
                       block_size(comm, size) * static_cast<std::size_t>(dat.dim), dat.count());
    }
}

bool any_outside(const MapDeclaration& map, GlobalIndex size) {
    const std::vector<GlobalIndex>& targets = map.targets;
    const auto n = static_cast<std::int64_t>(targets.size());
    // `absent` becomes 0 where it may stand.
    const GlobalIndex shift = map.may_be_absent ? 1 : 0;
    const auto limit = static_cast<std::uint64_t>(size + shift);
    std::uint64_t outside = 0;
#pragma omp parallel for schedule(static) reduction(| : outside) if (n > 65536)
    for (std::int64_t i = 0; i < n; ++i) {
        // Negative values are huge as unsigned: one comparison serves both ends.
        outside |= static_cast<std::uint64_t>(
            static_cast<std::uint64_t>(targets[static_cast<std::size_t>(i)] + shift) >= limit);
    }
    return outside != 0;
}

[[noreturn]] void report_outside(const MapDeclaration& map, const SetDeclaration& from,
                                 const SetDeclaration& to, GlobalIndex block_begin) {
    std::size_t i = 0;
    const GlobalIndex lowest = map.may_be_absent ? absent : 0;
    while (map.targets[i] >= lowest && map.targets[i] < to.size) {
        ++i;
    }
    const GlobalIndex row =
        block_begin + static_cast<GlobalIndex>(i / static_cast<std::size_t>(map.arity));
    const std::string range =
        to.size == 0 ? "is empty" : "has elements 0 to " + std::to_string(to.size - 1);
    if (map.targets[i] == absent) {
        throw InputError(
            "map '" + map.name + "' has no target for element " + std::to_string(row) + " of '" +
            from.name + "' in column " + std::to_string(i % static_cast<std::size_t>(map.arity)) +
            " (it is -1, and the map was declared without absent entries). Correct "
            "the map in the declaration or the mesh file, or declare it with add_optional_map.");
    }
    throw InputError("map '" + map.name + "' points outside its set (element " +
                     std::to_string(row) + " of '" + from.name + "' names element " +
                     std::to_string(map.targets[i]) + ", but '" + to.name + "' " + range +
                     ", counted from 0). Correct the map in the declaration or the mesh file.");
}

void validate_targets(const Communicator& comm, const MeshDeclaration& declaration) {
    for (const MapDeclaration& map : declaration.maps) {
        const SetDeclaration& from = declaration.sets[static_cast<std::size_t>(map.from)];
        const SetDeclaration& to = declaration.sets[static_cast<std::size_t>(map.to)];
        if (any_outside(map, to.size)) {
            report_outside(map, from, to, block_range(from.size, comm.rank(), comm.size()).begin);
        }
    }
}

}  // namespace

void validate_coordinates(const MeshDeclaration& declaration, const std::vector<int>& coordinates) {
    std::set<int> covered;
    for (const int d : coordinates) {
        const bool exists = d >= 0 && d < static_cast<int>(declaration.dats.size());
        validate<ContractError>(exists, "the coordinates are not a dat (coordinates names dat " +
                                            std::to_string(d) + "). Name declared dats.");
        const DatDeclaration& dat = declaration.dats[static_cast<std::size_t>(d)];
        validate<ContractError>(dat.dim <= max_point_dim,
                                "dat '" + dat.name + "' holds no coordinates (it has " +
                                    std::to_string(dat.dim) +
                                    " components, points have 1 to 3). Name another dat.");
        validate<ContractError>(
            dat.deferred != nullptr || std::holds_alternative<std::vector<double>>(dat.values),
            "dat '" + dat.name +
                "' holds coordinates that are not doubles (they divide and "
                "order the mesh). Declare them with values of type double.");
        validate<ContractError>(dat.deferred == nullptr,
                                "dat '" + dat.name +
                                    "' holds coordinates that are read later (they "
                                    "divide and order the mesh). Read them first.");
        validate<ContractError>(covered.insert(dat.set).second,
                                "dat '" + dat.name +
                                    "' gives its set coordinates a second time (coordinates "
                                    "names another dat on it). Name one dat for each set.");
    }
}

void validate_declaration(const Communicator& comm, const MeshDeclaration& declaration) {
    run_agreed(comm, [&] {
        validate_indices(declaration);
        validate_counts(comm, declaration);
        validate_targets(comm, declaration);
    });
}

void validate_options(const MeshDeclaration& declaration, const DistributeOptions& options,
                      int parts) {
    const PartitionerChoice choice = make_partitioner(options.partitioner, options.method);
    validate_coordinates(declaration, options.coordinates);
    validate_weights(options.weights, parts);
    if (parts == 1) {
        return;
    }
    const int sets = static_cast<int>(declaration.sets.size());
    const int maps = static_cast<int>(declaration.maps.size());
    validate<ContractError>(options.primary_set >= 0 && options.primary_set < sets,
                            "the set to partition does not exist (primary_set is " +
                                std::to_string(options.primary_set) + "). Name a declared set.");
    const SetDeclaration& primary = declaration.sets[static_cast<std::size_t>(options.primary_set)];
    validate<ContractError>(!primary.is_replicated,
                            "set '" + primary.name +
                                "' cannot be partitioned (it is replicated: every rank has all of "
                                "it). Name another primary_set.");
    validate<InputError>(primary.size >= parts,
                         "the mesh is too small for " + std::to_string(parts) + " ranks (set '" +
                             primary.name + "' has " + std::to_string(primary.size) +
                             " elements and every rank needs one). Use at most " +
                             std::to_string(primary.size) + " ranks.");
    if (choice.partitioner->needs_coordinates(choice.method)) {
        validate<ContractError>(
            coordinates_on(declaration, options.coordinates, options.primary_set) >= 0,
            "partitioner '" + options.partitioner + "' with method '" + choice.method +
                "' needs coordinates of '" + primary.name +
                "' (coordinates names no dat on it). Name one, or choose the method kway.");
    }
    if (choice.partitioner->needs_graph(choice.method)) {
        const std::vector<int> graph = partition_maps(declaration, options);
        validate<ContractError>(
            !graph.empty(), "no map joins elements of '" + primary.name +
                                "', so that they are not a graph to divide. Declare one that has "
                                "several of them as targets, or choose the partitioner 'sfc' "
                                "(needs coordinates) or 'block'.");
        for (const int map : graph) {
            const auto m = static_cast<std::size_t>(map);
            validate<ContractError>(
                map >= 0 && map < maps && declaration.maps[m].to == options.primary_set &&
                    (declaration.maps[m].arity >= 2 ||
                     declaration.maps[m].from == options.primary_set),
                "the partition graph is not a map onto several elements of '" + primary.name +
                    "' (graph_maps names " + std::to_string(map) + "). Name such a map, or none.");
        }
    }
}

void validate_local_count(const std::string& set, std::int64_t count) {
    validate<InputError>(
        count <= std::numeric_limits<LocalIndex>::max(),
        "set '" + set + "' is too large for its ranks (" + std::to_string(count) +
            " elements on one rank, local indices hold 2147483647). Use more ranks.");
}

}  // namespace halocline::dist
