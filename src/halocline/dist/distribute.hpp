// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From a declared mesh to this rank's part of it: partition, migrate, renumber, build halos.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/declaration.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// How `distribute` divides and orders a mesh. What is not named follows the declaration
/// (`completed_options`) or is as here, whatever else is named.
struct DistributeOptions {
    static constexpr int unnamed = -1;  ///< stands for a set that is not named

    std::string partitioner =
        "auto";                   ///< by name, see `partitioner_names()`; auto: the best there is
    std::string method = "auto";  ///< auto | kway | geom | geomkway
    bool renumber = true;  ///< order sets that maps of arity 2 join so that neighbours lie close
    /// Sets that maps join stay in the order of the file where that is local already: it walks memory in
    /// long runs, which Hilbert's curve does not. Off: all of them are renumbered; devices want tiles.
    bool keep_local_orders = true;
    /// Orders for loops of any shape: elements of any arity make a graph of their targets, and sets that
    /// are not a graph (edges, elements) follow what they map to. Off: only maps of arity 2 make graphs,
    /// and all others keep the order of the file, which suits loops that copy edge data into their own.
    /// Not named: on for a `Runtime` whose back end runs elements in the order of memory, else off.
    std::optional<bool> order_all_sets{};
    /// Places apart at which two elements still count as near each other, if it is no more than an eighth
    /// of their set: rows of 64 bytes between them are what a core has of the last cache (4 MB).
    GlobalIndex near_places = 65536;
    /// The set that is partitioned; all others follow. Not named: the one that most entries lead to
    /// of maps that join its elements.
    int primary_set = unnamed;
    /// Maps onto the primary set that join its elements to the graph that is divided; empty: those that
    /// hold it together, whatever their arity.
    std::vector<int> graph_maps{};
    /// Dats of 1 to 3 coordinates, at most one on a set. Renumbering follows Hilbert's curve on sets
    /// that have one and halves of the graph on others; geometric methods need the primary
    /// set's. Empty: those that the declaration says are coordinates.
    std::vector<int> coordinates{};
    /// Shares of the primary set by rank, e.g. of ranks with and without a GPU; empty: equal.
    std::vector<double> weights{};
    /// For the partitioner `file`: the rank of each element of this rank's block of the primary set.
    std::vector<int> given_parts{};
};

/// What partitioning cost and how good it is; equal on all ranks.
struct DistributeReport {
    std::string partitioner = "none";  ///< that answered, by name
    std::string method = "none";       ///< of the partitioner
    std::string library = "none";      ///< library that answered, with version
    std::int64_t edge_cut = 0;         ///< rows of the graph's maps with targets on several ranks
    double imbalance = 1.0;            ///< largest part / mean part, primary set
    std::int64_t halo_elements = 0;    ///< sum over ranks and sets
    int max_neighbours = 0;            ///< ranks that one rank exchanges with, at most
    double mean_neighbours = 0.0;      ///< mean over ranks
    std::string renumbering =
        "none";  ///< hilbert | bisection | none; joined by '+' when sets differ
    /// Why a poor partitioner had to serve, and what would help; empty where none had to.
    std::string advice{};
    double partition_s = 0.0;  ///< wall seconds, slowest rank
    double migrate_s = 0.0;    ///< sending elements to their owners; wall seconds, slowest rank
    double renumber_s = 0.0;   ///< ordering them there
    double halo_s = 0.0;       ///< finding halos
};

/// What `distribute` returns.
struct Distribution {
    MeshPart part;            ///< this rank's part of the mesh
    DistributeReport report;  ///< how the mesh was divided
};

/// `options` with all that the declaration decides where they do not name it: the set that most map
/// entries lead to, along the maps that join its elements, by PT-Scotch; by what this build has where
/// that is missing; along Hilbert's curve where elements have coordinates only; else in blocks of the
/// file's order.
[[nodiscard]] DistributeOptions completed_options(const MeshDeclaration& declaration,
                                                  DistributeOptions options);

/// Names `partitioner` accepts.
[[nodiscard]] std::vector<std::string> partitioner_names();

/// A partitioner with one of its methods; "none" for those without.
struct PartitionMethod {
    std::string partitioner;  ///< its name
    std::string method;       ///< its method's name
};

/// All combinations that this build can answer.
[[nodiscard]] std::vector<PartitionMethod> partition_methods();

/// Words for methods: "auto" and every method of a partitioner of this library, whatever libraries this
/// build has.
[[nodiscard]] std::vector<std::string> partition_method_names();

/// The method that `auto` stands for, or `method` itself. Throws UsageError for an unknown partitioner
/// (nearest suggested) and for a combination that does not exist (all listed).
[[nodiscard]] PartitionMethod resolve_partition(const std::string& partitioner,
                                                const std::string& method);

/// What to use where the user names nothing: k-way of `partitioner`, or of our own where this build
/// lacks the library.
[[nodiscard]] PartitionMethod default_partition(const std::string& partitioner);

/// Divides `declaration` over the ranks of `comm`. Consumes the declaration (memory is given back
/// while it works). With one rank nothing is partitioned. Owners of other sets follow the primary
/// set through the maps: an element goes where its first target is; a set that is only a target
/// (a coarse level) follows the majority of the elements that map to it. Throws UsageError for an
/// unknown partitioner (nearest suggested) or an impossible combination, InputError when there are
/// fewer primary elements than ranks or a map points outside its set, ContractError for ranks that
/// declare different meshes or pass different options. Collective.
[[nodiscard]] Distribution distribute(const Communicator& comm, MeshDeclaration declaration,
                                      const DistributeOptions& options);

}  // namespace halocline
