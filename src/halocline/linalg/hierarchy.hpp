// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Coarse levels of an edge operator, added to a mesh before it is divided.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/memory/block_reuse.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::linalg {

/// (A x)_a = d_a x_a + sum over edges ab of w_ab (x_a - x_b), as it stands in a declaration. The sums
/// of weights should be positive; single weights may be negative.
struct DeclaredOperator {
    int edge_nodes = -1;  ///< map of arity 2 from edges to nodes
    int weights = -1;     ///< dat of doubles on the edges, dim 1: w
    int diagonal = -1;    ///< dat of doubles on the nodes, dim 1: d >= 0; -1: zero everywhere
};

/// Where computing a level whole on every rank costs about what exchanging its halos does.
inline constexpr GlobalIndex most_replicated_on_cores = 1500;
/// The same for ranks with devices, where an exchange costs more.
inline constexpr GlobalIndex most_replicated_on_devices = 150'000;

/// How `declare_hierarchy` coarsens.
struct HierarchyOptions {
    std::string prefix = "linalg";  ///< of the names that are added; one for each operator
    std::string storage = "float";  ///< of coarse operators and vectors: float | double
    int pairings = 3;               ///< matchings a level at most: four or eight times coarser
    /// Nodes at which coarsening ends. The inverse of the last level takes as long as some levels of a few
    /// loops on devices, which walk its rows value by value.
    GlobalIndex coarsest = 150;
    int most_levels = 40;  ///< levels at most, the finest included
    /// Coarse levels of at most so many nodes are whole on every rank, where there are several: from the
    /// first one on, a cycle exchanges nothing. 0: none.
    GlobalIndex most_replicated = most_replicated_on_cores;
};

/// Size of one level.
struct LevelSize {
    GlobalIndex nodes = 0;  ///< over all ranks
    GlobalIndex edges = 0;  ///< over all ranks
};

/// What was added; equal on all ranks.
struct Hierarchy {
    HierarchyOptions options;       ///< that it was made with
    std::vector<LevelSize> levels;  ///< finest first
    /// The first level that every rank has whole, as all coarser ones; as many as there are levels: none.
    int first_replicated = 0;
    GlobalIndex parts = 1;     ///< connected parts of the mesh
    bool has_inverse = false;  ///< of the coarsest level's operator; too large ones have none
    /// A node of the coarsest level at which its operator is seen to be not positive definite; else -1.
    GlobalIndex bad_node = -1;
    double setup_s = 0.0;  ///< wall seconds, slowest rank
    /// Memory that the making of levels freed: what divides the mesh and sets a solver up takes it. A
    /// solver gives back what is left after its first solution, for all copies of this.
    std::shared_ptr<BlockReuse> freed_blocks;

    /// (nodes + 2 edges) of all levels over those of the finest: stored matrix entries.
    [[nodiscard]] double operator_complexity() const;
    /// Name of something of a level in the declaration, "linalg_weights_L1" for example.
    [[nodiscard]] std::string name(const char* what, int level) const;
};

/// Adds coarser levels of an operator to `declaration`: sets `nodes` and `edges`, maps `edge_nodes` and
/// `parent` (on the finer level), dats `weights` and `diagonal`, coordinates where the finest nodes
/// have some; for the coarsest level the inverse of its operator, a value for each pair of nodes.
/// Levels are made by matching pairs of strongly coupled nodes several times, coarse operators are
/// P^T A P with piecewise constant P (Notay 2010, ETNA 37, 123-146). Sizes and values, to the bit, do
/// not depend on the number of ranks. Each rank works on its blocks; none gathers a level to make it,
/// but for the coarsest.
///
/// On several ranks levels of at most `most_replicated` nodes become replicated sets. Above the first
/// of them stands a divided set `sums` with as many elements: children are summed there (map
/// `sum_parent`), and each rank's nodes read all of them (map `source`).
///
/// @throws InputError for weights that are not finite and for negative or not finite diagonals;
///         ContractError for indices that are none of the declaration.
/// Collective.
[[nodiscard]] Hierarchy declare_hierarchy(const Communicator& comm, MeshDeclaration& declaration,
                                          const DeclaredOperator& declared,
                                          const HierarchyOptions& options = {});

}  // namespace halocline::linalg
