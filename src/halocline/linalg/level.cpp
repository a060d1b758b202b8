// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Set-up of a level: copies of the operator in its storage, and the diagonal that smoothing divides by.
#include "halocline/linalg/level.hpp"

#include "halocline/backend/par_loop.hpp"
#include "halocline/linalg/kernels.hpp"

namespace halocline::linalg {

namespace {

std::string level_name(const char* what, int level) {
    return std::string(what) + "_L" + std::to_string(level);
}

template <class S>
Level<S> make_level(const Mesh& mesh, int index, Map<Edge, Node, 2> map, Dat<Edge, S, 1> weights,
                    Vector<S> diagonal) {
    const Set<Node> nodes{map.to};
    const auto vector = [&](const char* what) {
        return mesh.make_dat<Node, S, 1>(nodes, level_name(what, index));
    };
    return {index,
            nodes,
            Set<Edge>{map.from},
            map,
            std::nullopt,
            std::move(weights),
            std::move(diagonal),
            vector("inverse"),
            mesh.make_temporary<Node, double, 1>(nodes, level_name("sum", index)),
            vector("rhs"),
            vector("guess"),
            vector("next"),
            false,
            std::nullopt,
            std::nullopt,
            std::nullopt};
}

template <class S>
void invert_diagonal(Context& context, Level<S>& level) {
    run_chain(context, {"invert_diagonal", level.index}, level.nodes,
              make_loop({"edge_size", level.index}, level.edges, EdgeSize{}, read(level.weights),
                        inc<0>(level.sum, level.edge_nodes), inc<1>(level.sum, level.edge_nodes)),
              make_loop({"invert", level.index}, level.nodes, InvertDiagonal{}, read(level.sum),
                        read(level.diagonal), write(level.inverse)));
}

}  // namespace

template <class S>
Level<S> make_finest(Context& context, const Mesh& mesh, const EdgeOperator& op, bool identity) {
    Level<S> level = make_level<S>(mesh, 0, op.edge_nodes,
                                   mesh.make_dat<Edge, S, 1>(op.edges, level_name("weights", 0)),
                                   mesh.make_dat<Node, S, 1>(op.nodes, level_name("diagonal", 0)));
    if (identity) {
        level.inverse.fill(Values<S, 1>{{S(1)}});
        return level;
    }
    par_loop(context, {"store_weights", 0}, level.edges, Copy<>{}, read(op.weights),
             write(level.weights));
    if (op.diagonal) {
        par_loop(context, {"store_diagonal", 0}, level.nodes, Copy<>{}, read(op.diagonal),
                 write(level.diagonal));
    }
    invert_diagonal(context, level);
    return level;
}

template <class S>
Level<S> make_coarse(Context& context, Mesh& mesh, const Hierarchy& hierarchy, int index) {
    Level<S> level =
        make_level<S>(mesh, index, mesh.map<Edge, Node, 2>(hierarchy.name("edge_nodes", index)),
                      mesh.take_dat<Edge, S, 1>(hierarchy.name("weights", index)),
                      mesh.take_dat<Node, S, 1>(hierarchy.name("diagonal", index)));
    level.sums = make_sums(mesh, hierarchy, index);
    invert_diagonal(context, level);
    return level;
}

std::optional<SumsOfChildren> make_sums(const Mesh& mesh, const Hierarchy& hierarchy, int index) {
    if (index != hierarchy.first_replicated) {
        return std::nullopt;
    }
    const auto parent = mesh.map<Node, Node, 1>(hierarchy.name("sum_parent", index - 1));
    const Set<Node> set{parent.to};
    return SumsOfChildren{set, parent, mesh.map<Node, Node, 1>(hierarchy.name("source", index)),
                          mesh.make_temporary<Node, double, 1>(set, "sum_of_children"),
                          mesh.make_dat<Node, double, 1>(set, "sums_of_children")};
}

InverseOperator make_inverse(Mesh& mesh, const Hierarchy& hierarchy) {
    const std::string& prefix = hierarchy.options.prefix;
    constexpr int width = InverseOperator::width;
    const auto row = mesh.map<Segment, Node, 1>(prefix + "_segment_row");
    return {Set<Segment>{row.from}, row,
            mesh.map<Segment, Node, width>(prefix + "_segment_columns"),
            mesh.take_dat<Segment, double, width>(prefix + "_inverse")};
}

template Level<double> make_finest<double>(Context&, const Mesh&, const EdgeOperator&, bool);
template Level<float> make_finest<float>(Context&, const Mesh&, const EdgeOperator&, bool);
template Level<double> make_coarse<double>(Context&, Mesh&, const Hierarchy&, int);
template Level<float> make_coarse<float>(Context&, Mesh&, const Hierarchy&, int);

}  // namespace halocline::linalg
