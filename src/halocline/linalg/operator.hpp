// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An edge operator of a distributed mesh, whatever the program calls its kinds of elements.
#pragma once

#include "halocline/loop/args.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline::linalg {

struct Node {};  ///< kind of element of an operator's nodes, whatever a program calls them
struct Edge {};  ///< kind of element of an operator's edges, whatever a program calls them

/// A program's dat of one double an element, seen as one of ours. The dat stays the program's.
template <class Tag>
struct Field {
    DatStore* store = nullptr;  ///< of the program's dat; null: none

    Field() = default;
    /// Views `dat`, which outlives it.
    template <class Theirs>
    explicit Field(const Dat<Theirs, double, 1>& dat) : store(detail::store_of(dat)) {}
    [[nodiscard]] explicit operator bool() const { return store != nullptr; }
};

namespace detail_of_fields {
/// A direct argument of loops.
template <Access access, class Tag>
using Arg = DatArg<access, Dat<Tag, double, 1>, halocline::detail::NoMap, -1, false, false>;
}  // namespace detail_of_fields

/// A direct argument that is read.
template <class Tag>
auto read(Field<Tag> field) {
    return detail_of_fields::Arg<Access::read, Tag>{field.store, nullptr, nullptr, nullptr};
}
/// A direct argument that is written.
template <class Tag>
auto write(Field<Tag> field) {
    return detail_of_fields::Arg<Access::write, Tag>{field.store, nullptr, nullptr, nullptr};
}
/// A direct argument that is read and changed.
template <class Tag>
auto read_write(Field<Tag> field) {
    return detail_of_fields::Arg<Access::read_write, Tag>{field.store, nullptr, nullptr, nullptr};
}

/// (A x)_a = d_a x_a + sum over edges ab of w_ab (x_a - x_b). Mesh and dats outlive it.
struct EdgeOperator {
    Set<Node> nodes;                ///< a and b
    Set<Edge> edges;                ///< ab
    Map<Edge, Node, 2> edge_nodes;  ///< (edges, 2): a and b
    Field<Edge> weights;            ///< w
    Field<Node> diagonal;           ///< d; none: zero everywhere

    /// An operator without diagonal: d = 0.
    template <class E, class N>
    EdgeOperator(const Map<E, N, 2>& map, const Dat<E, double, 1>& edge_weights)
        : nodes{map.to},
          edges{map.from},
          edge_nodes{map.part, map.from, map.to},
          weights(edge_weights) {}
    /// An operator with d >= 0 on the nodes.
    template <class E, class N>
    EdgeOperator(const Map<E, N, 2>& map, const Dat<E, double, 1>& edge_weights,
                 const Dat<N, double, 1>& node_diagonal)
        : EdgeOperator(map, edge_weights) {
        diagonal = Field<Node>(node_diagonal);
    }
};

}  // namespace halocline::linalg
