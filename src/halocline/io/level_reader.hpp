// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads one level's file into a declaration: what is in it, whether it fits, and each rank's rows.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/io/group_names.hpp"
#include "halocline/io/hdf5.hpp"
#include "halocline/io/mesh_checks.hpp"
#include "halocline/io/mesh_hash.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/text_file.hpp"

namespace halocline {

/// What reading later adds to.
struct DeferredReads {
    MeshHash hash;
    double seconds = 0.0;
};

namespace detail {

/// Dataset names of the two families of mesh files.
struct DatasetNames {
    const char* coordinates;
    const char* edge_nodes;
    const char* edge_weights;
    const char* boundary_node;
    const char* parent;
    const char* boundary_group = "bnd_node-->group";
    const char* boundary_weights = "bnd_node_weights";
    const char* volumes = "areas";
};

inline constexpr DatasetNames default_names{"node_coordinates", "edge-->node", "edge_weights",
                                            "bnd_node-->node", "node-->mg_node"};
inline constexpr DatasetNames legacy_names{
    "node_coordinates.renumbered", "edge-->node.renumbered", "edge_weights.recalculated",
    "bnd_node-->node.renumbered", "node-->mg_node.renumbered"};

inline constexpr const char* edge_stiffness = "edge_stiffness";
inline constexpr const char* edge_faces = "edge_faces";
inline constexpr const char* diagonal_faces = "diagonal_faces";
inline constexpr const char* edge_vectors = "edge_vectors";
inline constexpr const char* diagonal_nodes = "diagonal-->node";
inline constexpr const char* diagonal_stiffness = "diagonal_stiffness";
inline constexpr const char* diagonal_vectors = "diagonal_vectors";

inline std::string names_in(const Hdf5File& file) {
    constexpr std::size_t most = 16;
    const std::vector<std::string> names = file.names();
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
        text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
    }
    return names.empty() ? "nothing" : text + (names.size() > most ? ", …" : "");
}

/// Reads one level; all member functions are collective and throw the same error on every rank.
class LevelReader {
public:
    LevelReader(const Communicator& comm, const std::string& path, const ReadOptions& options,
                int base)
        : comm_(comm),
          file_(Hdf5File::open(comm, path, "mesh file")),
          options_(options),
          names_(options.legacy_mode ? legacy_names : default_names),
          base_(base) {
        sizes_.nodes = size_of(names_.coordinates, 3, Hdf5Kind::real);
        drawn_edges_ = size_of(names_.edge_nodes, 2, Hdf5Kind::integer);
        if (options.laplacian) {
            require_laplacian();
            sizes_.diagonals =
                file_.has(diagonal_nodes) ? size_of(diagonal_nodes, 2, Hdf5Kind::integer) : 0;
        }
        sizes_.edges = drawn_edges_ + sizes_.diagonals;
        sizes_.boundary_entries = size_of(names_.boundary_node, 1, Hdf5Kind::integer);
        run_agreed(comm_, [&] {
            require_some(sizes_.nodes, names_.coordinates, "nodes");
            require_some(sizes_.edges, names_.edge_nodes, "edges");
        });
    }

    [[nodiscard]] const MgcfdLevel& sizes() const { return sizes_; }
    [[nodiscard]] int dimension() const {
        return file_.integer("dimension").value_or(3) == 2 ? 2 : 3;
    }
    [[nodiscard]] std::map<std::int64_t, std::string> group_names() const {
        return read_group_names(file_);
    }

    /// Declares sets and everything but the parents, whose targets belong to the next level, and
    /// the edge weights where they are deferred.
    void declare(MeshDeclaration& mesh, MgcfdLevel& level, const std::string& suffix) {
        level = sizes_;
        level.has_own_faces = has_own_faces();
        level.node_set = mesh.add_set("nodes" + suffix, level.nodes);
        level.edge_set = mesh.add_set("edges" + suffix, level.edges);
        level.boundary_set = mesh.add_set("bnd" + suffix, level.boundary_entries);
        level.coordinates = mesh.add_dat("coordinates" + suffix, level.node_set, 3,
                                         reals(names_.coordinates, level.nodes, 3));
        declare_edges(mesh, level, suffix);
        declare_boundary(mesh, level, suffix);
        if (options_.legacy_mode || options_.dual_volumes) {
            level.volumes = mesh.add_dat("volumes" + suffix, level.node_set, 1, volumes());
        }
    }

    void declare_parents(MeshDeclaration& mesh, MgcfdLevel& level, const MgcfdLevel& next,
                         const std::string& suffix) {
        level.parent = mesh.add_map(
            "parent" + suffix, level.node_set, next.node_set, 1,
            indices(names_.parent, level.nodes, 1, next.nodes, "node of the next level"));
    }

    /// The file stays open until they are read.
    static void defer_edge_weights(const std::shared_ptr<LevelReader>& reader,
                                   MeshDeclaration& mesh, MgcfdLevel& level,
                                   const std::string& suffix,
                                   const std::shared_ptr<DeferredReads>& deferred) {
        reader->require_rows(reader->faces().edges, reader->drawn_edges_, 3, Hdf5Kind::real);
        const std::string name = "edge_weights" + suffix;
        level.edge_weights = mesh.add_deferred_dat(
            name, level.edge_set, 3, [reader, deferred, name, edges = level.edges] {
                const ScopedTimer timer(deferred->seconds);
                std::vector<double> weights =
                    reader->edge_reals(reader->faces().edges, reader->faces().diagonals, 3);
                deferred->hash.add_dat(reader->comm_, name, edges, 3, weights);
                return weights;
            });
    }

private:
    void declare_edges(MeshDeclaration& mesh, MgcfdLevel& level, const std::string& suffix) {
        std::vector<GlobalIndex> ends = edge_ends();
        if (options_.validate) {
            const DatasetPlace place = place_of(names_.edge_nodes, 2, block(level.edges));
            run_agreed(comm_, [&] { require_two_ends(ends, place); });
            require_touched(comm_, ends, level.nodes, place);
        }
        level.edge_nodes =
            mesh.add_map("edge_nodes" + suffix, level.edge_set, level.node_set, 2, std::move(ends));
        if (!options_.defer_edge_weights) {
            level.edge_weights = mesh.add_dat("edge_weights" + suffix, level.edge_set, 3,
                                              edge_reals(faces().edges, faces().diagonals, 3));
        }
        if (options_.laplacian) {
            level.stiffness = mesh.add_dat("edge_stiffness" + suffix, level.edge_set, 1,
                                           edge_reals(edge_stiffness, diagonal_stiffness, 1));
            if (file_.has(edge_vectors)) {
                level.edge_vectors = mesh.add_dat("edge_vectors" + suffix, level.edge_set, 3,
                                                  edge_reals(edge_vectors, diagonal_vectors, 3));
            }
        }
    }

    /// Datasets of dual faces: of the mesh, or those that belong to the weights of the Laplacian.
    struct FaceNames {
        const char* edges;
        const char* diagonals;
    };
    [[nodiscard]] FaceNames faces() const {
        return has_own_faces() ? FaceNames{edge_faces, diagonal_faces}
                               : FaceNames{names_.edge_weights, nullptr};
    }
    [[nodiscard]] bool has_own_faces() const { return options_.laplacian && file_.has(edge_faces); }

    void require_laplacian() const {
        run_agreed(comm_, [&] {
            validate<InputError>(
                file_.has(edge_stiffness),
                "mesh file '" + file_.path() + "' has no dataset '" + edge_stiffness +
                    "' (this solver needs weights of a Laplacian). Make the mesh with `halocline "
                    "mesh make SHAPE --laplacian`, or import it again with `halocline mesh "
                    "import`.");
        });
    }

    /// Rows of this rank among the edges and, behind them, the diagonals.
    struct EdgeRows {
        BlockRange edges;
        BlockRange diagonals;
    };
    [[nodiscard]] EdgeRows edge_rows() const {
        const BlockRange mine = block(sizes_.edges);
        const GlobalIndex drawn = drawn_edges_;
        return {{std::min(mine.begin, drawn), std::min(mine.end, drawn)},
                {std::max(mine.begin, drawn) - drawn, std::max(mine.end, drawn) - drawn}};
    }

    [[nodiscard]] std::vector<GlobalIndex> edge_ends() const {
        const EdgeRows rows = edge_rows();
        const std::string target = "node of the same level";
        std::vector<GlobalIndex> ends =
            indices(names_.edge_nodes, drawn_edges_, 2, sizes_.nodes, target, rows.edges);
        if (sizes_.diagonals > 0) {
            const std::vector<GlobalIndex> more =
                indices(diagonal_nodes, sizes_.diagonals, 2, sizes_.nodes, target, rows.diagonals);
            ends.insert(ends.end(), more.begin(), more.end());
        }
        return ends;
    }

    /// Values of edges, then of diagonals: zeros where `of_diagonals` is null.
    [[nodiscard]] std::vector<double> edge_reals(const char* of_edges, const char* of_diagonals,
                                                 int columns) const {
        const EdgeRows rows = edge_rows();
        std::vector<double> values = reals(of_edges, drawn_edges_, columns, rows.edges);
        if (sizes_.diagonals > 0 && of_diagonals == nullptr) {
            values.resize(values.size() +
                          static_cast<std::size_t>(rows.diagonals.size() * columns));
        } else if (sizes_.diagonals > 0) {
            const std::vector<double> more =
                reals(of_diagonals, sizes_.diagonals, columns, rows.diagonals);
            values.insert(values.end(), more.begin(), more.end());
        }
        return values;
    }

    void declare_boundary(MeshDeclaration& mesh, MgcfdLevel& level, const std::string& suffix) {
        const GlobalIndex entries = level.boundary_entries;
        level.boundary_node = mesh.add_map(
            "bnd_node" + suffix, level.boundary_set, level.node_set, 1,
            indices(names_.boundary_node, entries, 1, level.nodes, "node of the same level"));
        level.boundary_group =
            mesh.add_dat("bnd_group" + suffix, level.boundary_set, 1, groups(entries));
        level.boundary_weights = mesh.add_dat("bnd_weights" + suffix, level.boundary_set, 3,
                                              reals(names_.boundary_weights, entries, 3));
    }

    [[nodiscard]] BlockRange block(GlobalIndex rows) const {
        return block_range(rows, comm_.rank(), comm_.size());
    }

    [[nodiscard]] DatasetPlace place_of(const char* name, int columns, BlockRange range) const {
        return {file_.path(), name, columns, range.begin};
    }

    [[nodiscard]] std::string label(const char* name) const {
        return "dataset '" + std::string(name) + "' of '" + file_.path() + "'";
    }

    void require_some(GlobalIndex size, const char* name, const std::string& what) const {
        validate<InputError>(size > 0, label(name) + " has no rows (a level needs " + what +
                                           "). Make the mesh again.");
    }

    [[nodiscard]] std::string missing_hint(const char* name) const {
        const std::string plain = std::string(name).substr(0, std::string(name).rfind('.'));
        if (options_.legacy_mode && plain != name && file_.has(plain)) {
            return "Run without --legacy-mode: the file has '" + plain + "'.";
        }
        return "The file has: " + names_in(file_) + ".";
    }

    /// Opens a dataset and checks its type and columns. Not collective.
    [[nodiscard]] Hdf5Dataset checked(const char* name, int columns, Hdf5Kind kind) const {
        if (!file_.has(name)) {
            throw InputError("mesh file '" + file_.path() + "' has no dataset '" + name + "'. " +
                             missing_hint(name));
        }
        Hdf5Dataset dataset = file_.dataset(name);
        if (dataset.kind() != kind) {
            throw InputError(label(name) + " has the wrong type (" +
                             (kind == Hdf5Kind::integer ? "integers" : "floating-point numbers") +
                             " are needed). Make the mesh again.");
        }
        const auto wanted = static_cast<hsize_t>(columns);
        const std::vector<hsize_t>& shape = dataset.shape();
        if (!(shape.size() == 2 && shape[1] == wanted) && !(shape.size() == 1 && columns == 1)) {
            throw InputError(label(name) + " has shape " + shape_text(shape) + ", not (rows, " +
                             std::to_string(columns) + "). Make the mesh again.");
        }
        dataset.require_stored();
        return dataset;
    }

    [[nodiscard]] GlobalIndex size_of(const char* name, int columns, Hdf5Kind kind) const {
        GlobalIndex size = 0;
        run_agreed(comm_, [&] {
            size = static_cast<GlobalIndex>(checked(name, columns, kind).shape()[0]);
        });
        return size;
    }

    /// Opens a dataset of `rows` rows. Not collective.
    [[nodiscard]] Hdf5Dataset checked_rows(const char* name, GlobalIndex rows, int columns,
                                           Hdf5Kind kind) const {
        Hdf5Dataset dataset = checked(name, columns, kind);
        const auto found = static_cast<GlobalIndex>(dataset.shape()[0]);
        if (found != rows) {
            throw InputError(label(name) + " has " + std::to_string(found) + " rows, not " +
                             std::to_string(rows) +
                             " (its set has that many elements). Make the mesh again.");
        }
        return dataset;
    }

    void require_rows(const char* name, GlobalIndex rows, int columns, Hdf5Kind kind) const {
        run_agreed(comm_, [&] { (void)checked_rows(name, rows, columns, kind); });
    }

    /// Opens a dataset of `rows` rows, makes room for those of `range` and lets `read` fill it.
    template <class T, class Read>
    std::vector<T> load(const char* name, GlobalIndex rows, int columns, Hdf5Kind kind,
                        BlockRange range, Read&& read) const {
        std::vector<T> values;
        std::vector<Hdf5Dataset> opened;  // at most one: a dataset has no empty state
        run_agreed(comm_, [&] {
            opened.push_back(checked_rows(name, rows, columns, kind));
            try {
                values.resize(static_cast<std::size_t>(range.size() * columns));
            } catch (const std::length_error&) {
                throw std::bad_alloc();
            }
        });
        run_agreed(comm_, [&] { read(opened.front(), values); });
        return values;
    }

    [[nodiscard]] std::vector<double> reals(const char* name, GlobalIndex rows, int columns) const {
        return reals(name, rows, columns, block(rows));
    }
    [[nodiscard]] std::vector<double> reals(const char* name, GlobalIndex rows, int columns,
                                            BlockRange range) const {
        std::vector<double> values = load<double>(
            name, rows, columns, Hdf5Kind::real, range,
            [&](const auto& dataset, auto& into) { dataset.read(range, std::span<double>(into)); });
        if (options_.validate) {
            run_agreed(comm_, [&] { require_finite(values, place_of(name, columns, range)); });
        }
        return values;
    }

    [[nodiscard]] std::vector<double> volumes() const {
        const GlobalIndex rows = sizes_.nodes;
        std::vector<double> values = reals(names_.volumes, rows, 1);
        if (options_.validate) {
            run_agreed(comm_,
                       [&] { require_positive(values, place_of(names_.volumes, 1, block(rows))); });
        }
        return values;
    }

    /// Reads integers without a second array: 32-bit ones land in the upper half and are widened.
    [[nodiscard]] std::vector<GlobalIndex> integers(const char* name, GlobalIndex rows, int columns,
                                                    BlockRange range) const {
        return load<GlobalIndex>(
            name, rows, columns, Hdf5Kind::integer, range, [&](const auto& dataset, auto& into) {
                if (dataset.element_bytes() > sizeof(std::int32_t)) {
                    dataset.read(range, std::span<GlobalIndex>(into));
                    return;
                }
                auto* narrow = reinterpret_cast<std::int32_t*>(into.data()) + into.size();
                dataset.read(range, std::span<std::int32_t>(narrow, into.size()));
                widen_upper_half(into);
            });
    }

    [[nodiscard]] std::vector<GlobalIndex> indices(const char* name, GlobalIndex rows, int columns,
                                                   GlobalIndex targets,
                                                   const std::string& target) const {
        return indices(name, rows, columns, targets, target, block(rows));
    }
    [[nodiscard]] std::vector<GlobalIndex> indices(const char* name, GlobalIndex rows, int columns,
                                                   GlobalIndex targets, const std::string& target,
                                                   BlockRange range) const {
        std::vector<GlobalIndex> values = integers(name, rows, columns, range);
        run_agreed(comm_, [&] {
            rebase_indices(values, base_, targets, target, place_of(name, columns, range));
        });
        return values;
    }

    [[nodiscard]] std::vector<double> groups(GlobalIndex rows) const {
        const std::vector<GlobalIndex> values =
            integers(names_.boundary_group, rows, 1, block(rows));
        run_agreed(comm_, [&] {
            require_groups(values, place_of(names_.boundary_group, 1, block(rows)));
        });
        return {values.begin(), values.end()};
    }

    Communicator comm_;
    Hdf5File file_;
    ReadOptions options_;
    const DatasetNames& names_;
    int base_;
    MgcfdLevel sizes_;
    GlobalIndex drawn_edges_ = 0;  ///< without diagonals
};

}  // namespace detail

}  // namespace halocline
