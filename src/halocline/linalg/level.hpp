// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One level of a preconditioner: its operator and its vectors, stored as S (double or float).
#pragma once

#include <optional>

#include "halocline/backend/context.hpp"
#include "halocline/linalg/hierarchy.hpp"
#include "halocline/linalg/operator.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline::linalg {

template <class S>
using Vector = Dat<Node, S, 1>;
using Sum = Dat<Node, double, 1, TemporaryStorage>;

template <class S>
struct Level {
    int index;
    Set<Node> nodes;
    Set<Edge> edges;
    Map<Edge, Node, 2> edge_nodes;
    std::optional<Map<Node, Node, 1>> parent;  ///< to the next coarser level
    Dat<Edge, S, 1> weights;
    Vector<S> diagonal;  ///< d
    Vector<S> inverse;   ///< 1 / (d + sum |w|)
    Sum sum;             ///< over a node's edges or children; lives within a chain
    Vector<S> rhs;       ///< of the level's correction
    Vector<S> guess;     ///< the correction as far as it has come
    Vector<S> next;      ///< where a sweep writes; then swapped with `guess`
    std::optional<Vector<S>> first_direction;  ///< of a K-cycle
    std::optional<Vector<S>> first_product;
    Global<double, 2> first_products{};
    Global<double, 3> second_products{};
    Global<double, 1> first_step{};
    Global<double, 2> steps{};
};

/// The finest level, from the program's operator. Collective.
template <class S>
[[nodiscard]] Level<S> make_finest(Context& context, const Mesh& mesh, const EdgeOperator& op,
                                   bool identity);
/// A coarser level, from what `declare_hierarchy` added; takes its dats from the mesh. Collective.
template <class S>
[[nodiscard]] Level<S> make_coarse(Context& context, Mesh& mesh, const Hierarchy& hierarchy,
                                   int index);

}  // namespace halocline::linalg
