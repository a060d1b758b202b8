// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lines of nodes that a regular numbering shows: where all strong edges are equal, they make the pairs.
#pragma once

#include "halocline/linalg/setup/ghost_nodes.hpp"
#include "halocline/linalg/setup/row_graph.hpp"

namespace halocline::linalg::setup {

/// A matching as far as it has come.
struct Partners {
    static constexpr LocalIndex undecided = -1;  ///< no partner yet, and not known to have none
    Buffer<LocalIndex> of;                       ///< (local nodes): partner, itself when alone
    Buffer<double> strongest;  ///< (local nodes): largest weight of the row, rounded; 0 without
    Buffer<double> least;      ///< (local nodes): edges that are weaker for both ends make no pairs
    Buffer<double> mass;       ///< (local nodes): as in RowGraph
    double largest_ratio = 0.0;

    /// Partner of a node.
    LocalIndex& operator[](LocalIndex u) { return of[static_cast<std::size_t>(u)]; }
    /// Partner of a node.
    LocalIndex operator[](LocalIndex u) const { return of[static_cast<std::size_t>(u)]; }
    [[nodiscard]] double strength(LocalIndex u) const {
        return strongest[static_cast<std::size_t>(u)];
    }
    /// Whether an edge of this rounded weight may pair u and v. Smoothing must reach what an aggregate
    /// does not show any more: an edge counts by what it is to one of its ends, edges inside included.
    /// And the Rayleigh quotient of D against A for the difference between u and v must not be large
    /// (Napov & Notay 2012, doi:10.1137/100818509, bound convergence by it).
    [[nodiscard]] bool may_pair(LocalIndex u, LocalIndex v, double weight) const {
        const double a = mass[static_cast<std::size_t>(u)];
        const double b = mass[static_cast<std::size_t>(v)];
        return weight > 0.0 &&
               (weight >= least[static_cast<std::size_t>(u)] ||
                weight >= least[static_cast<std::size_t>(v)]) &&
               a * b <= largest_ratio * weight * (a + b);
    }
};

/// Nodes on lines get their partners, all others stay undecided.
///
/// An edge is strong when no other edge of its two ends is stronger. A node's line goes along its
/// strong edges of the smallest stride, the difference of global ids; neighbours on a line have the same
/// stride. On a mesh that is numbered row by row these are its rows, whatever their length. Each line
/// is paired from its lower end on, and what is left at its upper end stays alone, so coarse nodes are
/// numbered row by row again, aggregates are boxes, and stencils stay as small as they were; with ties
/// by a hash a grid's coarse stencils grow by half. Where weights differ or numbers say nothing, no two neighbours
/// agree and there are no lines. Collective.
[[nodiscard]] Partners pair_lines(const Communicator& comm, const RowGraph& graph,
                                  const GhostNodes& ghosts, double largest_ratio);

}  // namespace halocline::linalg::setup
