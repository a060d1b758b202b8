// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One level of a preconditioner: its operator and its vectors, stored as S (double or float).
#pragma once

#include <optional>

#include "halocline/backend/context.hpp"
#include "halocline/linalg/hierarchy.hpp"
#include "halocline/linalg/operator.hpp"
#include "halocline/linalg/setup/dense_inverse.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline::linalg {

template <class S>
using Vector = Dat<Node, S, 1>;                      ///< of a level, one value a node
using Sum = Dat<Node, double, 1, TemporaryStorage>;  ///< between the loops of a chain

struct Segment {};  ///< kind of element: a part of a row of the inverse

/// The inverse of the coarsest level's operator, its rows cut into segments: x_a is the sum of those of
/// its row, each its entries times what r is in their columns.
struct InverseOperator {
    static constexpr int width = setup::DenseInverse::width;  ///< entries of a segment
    Set<Segment> segments;                                    ///< of all rows
    Map<Segment, Node, 1> row;                                ///< the row that a segment belongs to
    Map<Segment, Node, width> columns;    ///< the nodes that its entries multiply
    Dat<Segment, double, width> entries;  ///< of the inverse
};

/// Where the children of a level that every rank has whole are summed, each by the rank that has it.
struct SumsOfChildren {
    Set<Node> set;                ///< of the level's nodes, divided over the ranks
    Map<Node, Node, 1> parent;    ///< from the finer level
    Map<Node, Node, 1> source;    ///< from the level's nodes
    Sum sum;                      ///< of children; lives within a chain
    Dat<Node, double, 1> values;  ///< the sums, exchanged
};
/// Of level `index`, where there are some: the first replicated level has them.
[[nodiscard]] std::optional<SumsOfChildren> make_sums(const Mesh& mesh, const Hierarchy& hierarchy,
                                                      int index);

/// One level of a hierarchy with its vectors of type S.
template <class S>
struct Level {
    int index;                                 ///< 0 the finest
    Set<Node> nodes;                           ///< of the level
    Set<Edge> edges;                           ///< of the level
    Map<Edge, Node, 2> edge_nodes;             ///< (edges, 2)
    std::optional<Map<Node, Node, 1>> parent;  ///< to the next coarser level
    Dat<Edge, S, 1> weights;                   ///< w
    Vector<S> diagonal;                        ///< d
    Vector<S> inverse;                         ///< 1 / (d + sum |w|)
    Sum sum;          ///< over a node's edges or children; lives within a chain
    Vector<S> rhs;    ///< of the level's correction
    Vector<S> guess;  ///< the correction as far as it has come
    Vector<S> next;   ///< where a sweep writes; then swapped with `guess`
    bool is_swapped;  ///< whether they hold each other's memory
    std::optional<Vector<S>> first_direction;  ///< of a K-cycle
    std::optional<Vector<S>> first_product;    ///< A times the first direction
    std::optional<SumsOfChildren>
        sums;  ///< of the finer level's nodes; none: children add to `sum`
    Global<double, 2> first_products{};
    Global<double, 3> second_products{};
};

/// What `next` holds is the guess from now on.
template <class S>
void take_next(Level<S>& level) {
    swap(level.guess, level.next);
    level.is_swapped = !level.is_swapped;
}

/// Undoes the swaps of vectors, so that recorded loops find them where they were; the guess is lost.
template <class S>
void restore_order(Level<S>& level) {
    if (level.is_swapped) {
        take_next(level);
    }
}

/// The finest level, from the program's operator. Collective.
template <class S>
[[nodiscard]] Level<S> make_finest(Context& context, const Mesh& mesh, const EdgeOperator& op,
                                   bool identity);
/// A coarser level, from what `declare_hierarchy` added; takes its dats from the mesh. Collective.
template <class S>
[[nodiscard]] Level<S> make_coarse(Context& context, Mesh& mesh, const Hierarchy& hierarchy,
                                   int index);
/// What it added for the coarsest level.
[[nodiscard]] InverseOperator make_inverse(Mesh& mesh, const Hierarchy& hierarchy);

}  // namespace halocline::linalg
