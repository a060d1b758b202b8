// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Edges of a level: those that are drawn and, where a Laplacian is asked for, diagonals of cells behind them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "halocline/io/level_file.hpp"

namespace halocline::detail {

inline constexpr const char* edge_stiffness = "edge_stiffness";
inline constexpr const char* edge_faces = "edge_faces";
inline constexpr const char* diagonal_faces = "diagonal_faces";
inline constexpr const char* edge_vectors = "edge_vectors";
inline constexpr const char* diagonal_nodes = "diagonal-->node";
inline constexpr const char* diagonal_stiffness = "diagonal_stiffness";
inline constexpr const char* diagonal_vectors = "diagonal_vectors";

/// All member functions are collective and throw the same error on every rank. The file outlives it.
class LevelEdges {
public:
    explicit LevelEdges(const LevelFile& file)
        : file_(file), drawn_(file.size_of(file.names().edge_nodes, 2, Hdf5Kind::integer)) {
        if (file.options().laplacian) {
            require_laplacian();
            diagonals_ =
                file.has(diagonal_nodes) ? file.size_of(diagonal_nodes, 2, Hdf5Kind::integer) : 0;
        }
    }

    [[nodiscard]] GlobalIndex diagonals() const { return diagonals_; }
    [[nodiscard]] GlobalIndex size() const { return drawn_ + diagonals_; }
    [[nodiscard]] bool has_own_faces() const {
        return file_.options().laplacian && file_.has(edge_faces);
    }
    void require_faces() const { file_.require_rows(faces().edges, drawn_, 3, Hdf5Kind::real); }

    /// Nodes of this rank's edges, two each, of `nodes` there are.
    [[nodiscard]] std::vector<GlobalIndex> ends(GlobalIndex nodes) const {
        const EdgeRows mine = rows();
        const std::string target = "node of the same level";
        std::vector<GlobalIndex> found =
            file_.indices(file_.names().edge_nodes, drawn_, 2, nodes, target, mine.edges);
        if (diagonals_ > 0) {
            const std::vector<GlobalIndex> more =
                file_.indices(diagonal_nodes, diagonals_, 2, nodes, target, mine.diagonals);
            found.insert(found.end(), more.begin(), more.end());
        }
        return found;
    }

    /// Dual faces: of the mesh, or those that belong to the weights of the Laplacian.
    [[nodiscard]] std::vector<double> face_vectors() const {
        return reals(faces().edges, faces().diagonals, 3);
    }
    /// Values of edges, then of diagonals: zeros where `of_diagonals` is null.
    [[nodiscard]] std::vector<double> reals(const char* of_edges, const char* of_diagonals,
                                            int columns) const {
        const EdgeRows mine = rows();
        std::vector<double> values = file_.reals(of_edges, drawn_, columns, mine.edges);
        if (diagonals_ > 0 && of_diagonals == nullptr) {
            values.resize(values.size() +
                          static_cast<std::size_t>(mine.diagonals.size() * columns));
        } else if (diagonals_ > 0) {
            const std::vector<double> more =
                file_.reals(of_diagonals, diagonals_, columns, mine.diagonals);
            values.insert(values.end(), more.begin(), more.end());
        }
        return values;
    }

private:
    /// Datasets of dual faces: of the mesh, or those that belong to the weights of the Laplacian.
    struct FaceNames {
        const char* edges;
        const char* diagonals;
    };
    [[nodiscard]] FaceNames faces() const {
        return has_own_faces() ? FaceNames{edge_faces, diagonal_faces}
                               : FaceNames{file_.names().edge_weights, nullptr};
    }
    void require_laplacian() const {
        run_agreed(file_.comm(), [&] {
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
    [[nodiscard]] EdgeRows rows() const {
        const BlockRange mine = file_.block(size());
        return {{std::min(mine.begin, drawn_), std::min(mine.end, drawn_)},
                {std::max(mine.begin, drawn_) - drawn_, std::max(mine.end, drawn_) - drawn_}};
    }

    const LevelFile& file_;
    GlobalIndex drawn_ = 0;
    GlobalIndex diagonals_ = 0;
};

}  // namespace halocline::detail
