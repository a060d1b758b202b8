// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads MG-CFD's mesh files, one block of every set on each rank, into a mesh declaration.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/input_file.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline {

/// What to read besides what every solver needs.
struct ReadOptions {
    bool legacy_mode = false;  ///< MG-CFD's second family of dataset names, with dual volumes
    bool validate = true;      ///< check every value; map values are checked in any case
    /// Read them when the mesh is divided: half of all bytes need no room before that.
    bool defer_edge_weights = false;
    bool dual_volumes = false;  ///< read them; legacy mode always does
    /// Read the weights of the Laplacian. Its diagonals then follow the edges as edges without area.
    bool laplacian = false;
};

/// One multigrid level: sizes over all ranks, and its parts as indices into the declaration's lists.
/// -1: this level has no such part.
struct MgcfdLevel {
    GlobalIndex nodes = 0;             ///< over all ranks
    GlobalIndex edges = 0;             ///< with `laplacian`: and diagonals
    GlobalIndex diagonals = 0;         ///< of these
    GlobalIndex boundary_entries = 0;  ///< over all ranks

    int node_set = -1;      ///< nodes_L<l>
    int edge_set = -1;      ///< edges_L<l>
    int boundary_set = -1;  ///< bnd_L<l>

    int edge_nodes = -1;     ///< map edge_nodes_L<l>: edges to nodes, 2
    int boundary_node = -1;  ///< map bnd_node_L<l>: boundary entries to nodes, 1
    int parent = -1;  ///< map parent_L<l>: nodes to nodes of the next level, 1; none on the last

    int coordinates = -1;       ///< dat coordinates_L<l>, 3
    int edge_weights = -1;      ///< dat edge_weights_L<l>, 3
    int boundary_group = -1;    ///< dat bnd_group_L<l>, 1
    int boundary_weights = -1;  ///< dat bnd_weights_L<l>, 3
    int volumes = -1;           ///< dat volumes_L<l>, 1; where they were asked for
    int stiffness = -1;         ///< dat edge_stiffness_L<l>, 1; with `laplacian`
    /// Whether edge weights are the dual faces that belong to `stiffness`: where cells are split into
    /// simplices, diagonals have faces, too, and boundary entries close dual cells only nearly.
    bool has_own_faces = false;
    int edge_vectors = -1;  ///< dat edge_vectors_L<l>, 3: ways along edges; of periodic meshes
};

struct DeferredReads;  // what is counted while they are read

/// What `read_mesh` returns.
struct MgcfdMesh {
    MeshDeclaration declaration;                      ///< of all levels, ready to be distributed
    std::vector<MgcfdLevel> levels;                   ///< finest first
    int dimension = 3;                                ///< 2: z is 0, areas are per unit of depth
    std::map<std::int64_t, std::string> group_names;  ///< of boundary entries, by number
    /// Of all maps and dats in file order; the same for any number of ranks and any base index.
    /// Empty until `finish_reading` where reads were deferred.
    std::string hash;
    std::shared_ptr<DeferredReads> deferred;
};

/// After the declaration was distributed: sets the hash. Collective.
/// @returns seconds that this rank spent reading what was deferred
double finish_reading(const Communicator& comm, MgcfdMesh& mesh);

/// Reads all levels that `input` names, relative to `directory` (empty: the working directory).
/// Each rank holds its block of rows, `block_range(size, rank, ranks)`, with targets counted from 0.
/// Collective. Throws InputError, the same on every rank, naming file, dataset and row.
[[nodiscard]] MgcfdMesh read_mgcfd_mesh(const Communicator& comm, const MgcfdInput& input,
                                        const std::string& directory, const ReadOptions& options);

}  // namespace halocline
