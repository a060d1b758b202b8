// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chains: loops that back ends may fuse, with temporaries that live between them.
#include <algorithm>
#include <limits>

#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int steps = 3;

double field_q(GlobalIndex id, int d) { return 20.0 + rough_number(51, id, d); }
double field_weight(GlobalIndex id, int d) { return rough_number(52, id, d); }
double field_mark(GlobalIndex id, int d) { return rough_number(53, id, d); }

struct Flow {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& a, const Values<V, 5>& b,
                                 const Values<V, 3>& weight, Values<V, 3>& sum_a,
                                 Values<V, 3>& sum_b) const {
        for (int d = 0; d < 3; ++d) {
            const V flow = weight[d] * (a[3] + b[3]) * V(0.01);
            sum_a[d] += flow;
            sum_b[d] -= flow;
        }
    }
};

struct MarkFlow {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& q, const Values<V, 1>& mark,
                                 Values<V, 3>& sum) const {
        sum[0] += mark[0] * q[3];
        sum[2] -= mark[0] * q[4] * V(0.001);
    }
};

struct Step {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& q, const Values<V, 3>& sum, Values<V, 3>& next,
                                 Values<V, 1>& low, Values<V, 1>& nodes) const {
        for (int d = 0; d < 3; ++d) {
            next[d] = q[d] + V(0.125) * sum[d];
        }
        low[0] = min(low[0], next[0]);
        nodes[0] += V(1.0);
    }
};

/// Flux, boundary and update of a smoothing step, fused; then the dats swap.
std::vector<double> run_smoothing(LoopWorld& world, bool fused) {
    auto q = world.dat<3, WithDerived>(world.nodes(), "q", field_q);
    auto next = world.dat<3, WithDerived>(world.nodes(), "next", field_q);
    const auto weight = world.dat<3>(world.edges(), "weight", field_weight);
    const auto mark = world.dat<1>(world.marks(), "mark", field_mark);
    auto temporary = world.mesh().make_temporary<Node, double, 3>(world.nodes(), "sum");
    auto kept = world.mesh().make_dat<Node, double, 3, TemporaryStorage>(world.nodes(), "kept_sum");
    auto& sum = fused ? temporary : kept;
    const auto ends = world.edge_nodes();
    const auto at = world.mark_node();
    Global<double, 1> low{{infinity}};
    Global<double, 1> nodes;
    for (int step = 0; step < steps; ++step) {
        const auto flow = make_loop("flow", world.edges(), Flow{}, read<0>(derived(q), ends),
                                    read<1>(derived(q), ends), read(oriented(weight)),
                                    inc<0>(sum, ends), inc<1>(sum, ends));
        const auto mark_flow = make_loop("mark_flow", world.marks(), MarkFlow{},
                                         read<0>(derived(q), at), read(mark), inc<0>(sum, at));
        const auto update = make_loop("step", world.nodes(), Step{}, read(q), read(sum),
                                      write(next), reduce_min(low), inc(nodes));
        if (fused) {
            run_loops(world, "smooth", world.nodes(), flow, mark_flow, update);
        } else {
            sum.fill([](LocalIndex, int) { return 0.0; });
            run_loops(world, "flow", world.nodes(), flow);
            run_loops(world, "mark_flow", world.nodes(), mark_flow);
            run_loops(world, "step", world.nodes(), update);
        }
        swap(q, next);
    }
    std::vector<double> all = world.collect(q);
    append(all, {low[0], nodes[0]});
    return all;
}

std::vector<double> expect_smoothing(const WorldTables& tables) {
    std::vector<double> q = table_of(tables.sizes.nodes, 3, field_q);
    Values<double, 1> low{infinity};
    double nodes = 0.0;
    for (int step = 0; step < steps; ++step) {
        std::vector<double> sum(q.size(), 0.0);
        for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
            const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
            const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
            Values<double, 3> more_a = nothing_yet<3>();
            Values<double, 3> more_b = nothing_yet<3>();
            Flow{}(extended(row_of<3>(q, a)), extended(row_of<3>(q, b)),
                   Values<double, 3>{field_weight(e, 0), field_weight(e, 1), field_weight(e, 2)},
                   more_a, more_b);
            add_row(sum, a, more_a);
            add_row(sum, b, more_b);
        }
        for (GlobalIndex m = 0; m < tables.sizes.marks; ++m) {
            const GlobalIndex i = tables.mark_node[static_cast<std::size_t>(m)];
            Values<double, 3> more = nothing_yet<3>();
            MarkFlow{}(extended(row_of<3>(q, i)), Values<double, 1>{field_mark(m, 0)}, more);
            add_row(sum, i, more);
        }
        for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
            Values<double, 3> row;
            Values<double, 1> one = nothing_yet<1>();
            Step{}(row_of<3>(q, i), row_of<3>(sum, i), row, low, one);
            set_row(q, i, row);
            nodes += one[0];
        }
    }
    append(q, {low[0], nodes});
    return q;
}

struct Collect {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& fine, Values<V, 3>& sum) const {
        for (int d = 0; d < 3; ++d) {
            sum[d] += fine[d];
        }
    }
};

struct Halve {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& sum, Values<V, 3>& coarse) const {
        for (int d = 0; d < 3; ++d) {
            coarse[d] = coarse[d] * V(0.5) + sum[d];
        }
    }
};

struct Correct {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& coarse, Values<V, 3>& fine) const {
        for (int d = 0; d < 3; ++d) {
            fine[d] = fine[d] - V(0.1) * coarse[d];
        }
    }
};

/// To a coarser set and back: a chain over the coarse set, then one over the fine set.
std::vector<double> run_grid_transfer(LoopWorld& world) {
    auto fine = world.dat<3, WithDerived>(world.nodes(), "fine", field_q);
    auto coarse = world.dat<3, LaneStorage>(world.coarse(), "coarse", field_weight);
    auto sum = world.mesh().make_temporary<Coarse, double, 3>(world.coarse(), "sum");
    const auto parent = world.parent();
    for (int step = 0; step < 2; ++step) {
        run_loops(world, "restrict", world.coarse(),
                  make_loop("collect", world.nodes(), Collect{}, read(fine), inc<0>(sum, parent)),
                  make_loop("halve", world.coarse(), Halve{}, read(sum), read_write(coarse)));
        run_loops(world, "correct", world.nodes(),
                  make_loop("correct", world.nodes(), Correct{}, read<0>(coarse, parent),
                            read_write(fine)));
    }
    std::vector<double> all = world.collect(fine);
    append(all, world.collect(coarse));
    return all;
}

std::vector<double> expect_grid_transfer(const WorldTables& tables) {
    std::vector<double> fine = table_of(tables.sizes.nodes, 3, field_q);
    std::vector<double> coarse = table_of(tables.sizes.coarse, 3, field_weight);
    for (int step = 0; step < 2; ++step) {
        std::vector<double> sum(coarse.size(), 0.0);
        for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
            add_row(sum, tables.parent[static_cast<std::size_t>(i)], row_of<3>(fine, i));
        }
        for (GlobalIndex c = 0; c < tables.sizes.coarse; ++c) {
            Values<double, 3> row = row_of<3>(coarse, c);
            Halve{}(row_of<3>(sum, c), row);
            set_row(coarse, c, row);
        }
        for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
            Values<double, 3> row = row_of<3>(fine, i);
            Correct{}(row_of<3>(coarse, tables.parent[static_cast<std::size_t>(i)]), row);
            set_row(fine, i, row);
        }
    }
    append(fine, coarse);
    return fine;
}

}  // namespace

std::vector<LoopShape> chain_shapes() {
    return {
        {"chain_fused", [](LoopWorld& world) { return run_smoothing(world, true); },
         expect_smoothing},
        {"chain_of_one", [](LoopWorld& world) { return run_smoothing(world, false); },
         expect_smoothing},
        {"chain_grid_transfer", run_grid_transfer, expect_grid_transfer},
    };
}

std::vector<LoopShape> all_shapes() {
    std::vector<LoopShape> shapes;
    for (auto part : {direct_shapes, indirect_read_shapes, indirect_inc_shapes, two_ended_shapes,
                      reduction_shapes, chain_shapes, rows_shapes, mixed_shapes, wide_shapes,
                      subset_shapes, type_shapes, absent_shapes}) {
        const std::vector<LoopShape> more = part();
        shapes.insert(shapes.end(), more.begin(), more.end());
    }
    return shapes;
}

}  // namespace halocline::test
