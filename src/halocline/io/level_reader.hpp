// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads one level's file into a declaration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/io/level_edges.hpp"
#include "halocline/io/level_file.hpp"
#include "halocline/io/mesh_hash.hpp"

namespace halocline {

/// What reading later adds to.
struct DeferredReads {
    MeshHash hash;
    double seconds = 0.0;
};

namespace detail {

/// All member functions are collective and throw the same error on every rank.
class LevelReader {
public:
    LevelReader(const Communicator& comm, const std::string& path, const ReadOptions& options,
                int base)
        : file_(comm, path, options, base),
          nodes_(file_.size_of(file_.names().coordinates, 3, Hdf5Kind::real)),
          edges_(file_) {
        sizes_.nodes = nodes_;
        sizes_.diagonals = edges_.diagonals();
        sizes_.edges = edges_.size();
        sizes_.boundary_entries = file_.size_of(file_.names().boundary_node, 1, Hdf5Kind::integer);
        run_agreed(comm, [&] {
            file_.require_some(sizes_.nodes, file_.names().coordinates, "nodes");
            file_.require_some(sizes_.edges, file_.names().edge_nodes, "edges");
        });
    }
    LevelReader(const LevelReader&) = delete;
    LevelReader& operator=(const LevelReader&) = delete;

    [[nodiscard]] const MgcfdLevel& sizes() const { return sizes_; }
    [[nodiscard]] const LevelFile& file() const { return file_; }

    /// Declares sets and everything but the parents, whose targets belong to the next level, and
    /// the edge weights where they are deferred.
    void declare(MeshDeclaration& mesh, MgcfdLevel& level, const std::string& suffix) {
        level = sizes_;
        level.has_own_faces = edges_.has_own_faces();
        level.node_set = mesh.add_set("nodes" + suffix, level.nodes);
        level.edge_set = mesh.add_set("edges" + suffix, level.edges);
        level.boundary_set = mesh.add_set("bnd" + suffix, level.boundary_entries);
        level.coordinates = mesh.add_dat("coordinates" + suffix, level.node_set, 3,
                                         file_.reals(file_.names().coordinates, level.nodes, 3));
        declare_edges(mesh, level, suffix);
        declare_boundary(mesh, level, suffix);
        if (file_.options().legacy_mode || file_.options().dual_volumes) {
            level.volumes = mesh.add_dat("volumes" + suffix, level.node_set, 1, volumes());
        }
    }

    void declare_parents(MeshDeclaration& mesh, MgcfdLevel& level, const MgcfdLevel& next,
                         const std::string& suffix) {
        level.parent = mesh.add_map("parent" + suffix, level.node_set, next.node_set, 1,
                                    file_.indices(file_.names().parent, level.nodes, 1, next.nodes,
                                                  "node of the next level"));
    }

    /// The file stays open until they are read.
    static void defer_edge_weights(const std::shared_ptr<LevelReader>& reader,
                                   MeshDeclaration& mesh, MgcfdLevel& level,
                                   const std::string& suffix,
                                   const std::shared_ptr<DeferredReads>& deferred) {
        reader->edges_.require_faces();
        const std::string name = "edge_weights" + suffix;
        level.edge_weights = mesh.add_deferred_dat(
            name, level.edge_set, 3, deferred_values([reader, deferred, name, edges = level.edges] {
                const ScopedTimer timer(deferred->seconds);
                std::vector<double> weights = reader->edges_.face_vectors();
                deferred->hash.add_dat(reader->file_.comm(), name, edges, 3, weights);
                return weights;
            }));
    }

private:
    void declare_edges(MeshDeclaration& mesh, MgcfdLevel& level, const std::string& suffix) {
        std::vector<GlobalIndex> ends = edges_.ends(level.nodes);
        if (file_.options().validate) {
            const DatasetPlace place =
                file_.place_of(file_.names().edge_nodes, 2, file_.block(level.edges));
            run_agreed(file_.comm(), [&] { require_two_ends(ends, place); });
            require_touched(file_.comm(), ends, level.nodes, place);
        }
        level.edge_nodes =
            mesh.add_map("edge_nodes" + suffix, level.edge_set, level.node_set, 2, std::move(ends));
        if (!file_.options().defer_edge_weights) {
            level.edge_weights =
                mesh.add_dat("edge_weights" + suffix, level.edge_set, 3, edges_.face_vectors());
        }
        if (file_.options().laplacian) {
            level.stiffness = mesh.add_dat("edge_stiffness" + suffix, level.edge_set, 1,
                                           edges_.reals(edge_stiffness, diagonal_stiffness, 1));
            if (file_.has(edge_vectors)) {
                level.edge_vectors = mesh.add_dat("edge_vectors" + suffix, level.edge_set, 3,
                                                  edges_.reals(edge_vectors, diagonal_vectors, 3));
            }
        }
    }

    void declare_boundary(MeshDeclaration& mesh, MgcfdLevel& level, const std::string& suffix) {
        const GlobalIndex entries = level.boundary_entries;
        level.boundary_node =
            mesh.add_map("bnd_node" + suffix, level.boundary_set, level.node_set, 1,
                         file_.indices(file_.names().boundary_node, entries, 1, level.nodes,
                                       "node of the same level"));
        level.boundary_group =
            mesh.add_dat("bnd_group" + suffix, level.boundary_set, 1, groups(entries));
        level.boundary_weights =
            mesh.add_dat("bnd_weights" + suffix, level.boundary_set, 3,
                         file_.reals(file_.names().boundary_weights, entries, 3));
    }

    [[nodiscard]] std::vector<double> volumes() const {
        const GlobalIndex rows = sizes_.nodes;
        std::vector<double> values = file_.reals(file_.names().volumes, rows, 1);
        if (file_.options().validate) {
            run_agreed(file_.comm(), [&] {
                require_positive(values,
                                 file_.place_of(file_.names().volumes, 1, file_.block(rows)));
            });
        }
        return values;
    }

    [[nodiscard]] std::vector<double> groups(GlobalIndex rows) const {
        const std::vector<GlobalIndex> values =
            file_.integers(file_.names().boundary_group, rows, 1, file_.block(rows));
        run_agreed(file_.comm(), [&] {
            require_groups(values,
                           file_.place_of(file_.names().boundary_group, 1, file_.block(rows)));
        });
        return {values.begin(), values.end()};
    }

    LevelFile file_;
    GlobalIndex nodes_;  // before the edges: of a file that lacks both, nodes are reported
    LevelEdges edges_;
    MgcfdLevel sizes_;
};

}  // namespace detail

}  // namespace halocline
