// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows wider than a cache line: gradients of fifteen and more components, more than eight with the
// derived ones.
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

double field_wide(GlobalIndex id, int d) { return rough_number(81, id, d); }
double field_sum(GlobalIndex id, int d) { return rough_number(82, id, d); }

template <int n>
Values<double, n> wide_row(double (*field)(GlobalIndex, int), GlobalIndex i) {
    Values<double, n> row;
    for (int d = 0; d < n; ++d) {
        row[d] = field(i, d);
    }
    return row;
}

/// Every component of a sum is another mixture of the two ends and the edge's own row.
template <int n>
struct Gradient {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, n>& own, const Values<V, n>& a,
                                 const Values<V, n>& b, Values<V, n>& sum_a, Values<V, n>& sum_b,
                                 Values<V, n>& kept) const {
        for (int d = 0; d < n; ++d) {
            const int next = (d + 1) % n;
            sum_a[d] += own[d] * (b[d] - a[d]) + a[next];
            sum_b[d] -= own[next] * b[d];
            kept[d] = kept[d] * V(0.5) + a[d] * b[next];
        }
    }
};

template <int n, class Storage>
std::vector<double> run_gradient(LoopWorld& world) {
    const auto own = world.dat<n, Storage>(world.edges(), "own", field_wide);
    const auto x = world.dat<n, Storage>(world.nodes(), "x", field_x);
    auto sum = world.dat<n, Storage>(world.nodes(), "sum", field_sum);
    auto kept = world.dat<n, Storage>(world.edges(), "kept", field_sum);
    const auto map = world.edge_nodes();
    run_loop(world, "gradient", world.edges(), Gradient<n>{}, read(own), read<0>(x, map),
             read<1>(x, map), inc<0>(sum, map), inc<1>(sum, map), read_write(kept));
    std::vector<double> all = world.collect(sum);
    append(all, world.collect(kept));
    return all;
}

template <int n>
std::vector<double> expect_gradient(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, n, field_sum);
    std::vector<double> kept = table_of(tables.sizes.edges, n, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
        Values<double, n> more_a = nothing_yet<n>();
        Values<double, n> more_b = nothing_yet<n>();
        Values<double, n> row = row_of<n>(kept, e);
        Gradient<n>{}(wide_row<n>(field_wide, e), wide_row<n>(field_x, a), wide_row<n>(field_x, b),
                      more_a, more_b, row);
        add_row(sum, a, more_a);
        add_row(sum, b, more_b);
        set_row(kept, e, row);
    }
    append(sum, kept);
    return sum;
}

/// Six components and five derived ones: eleven of a row of sixteen.
struct Squares {
    static constexpr int size = 5;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 6>& q, Values<V, size>& extra) const {
        for (int d = 0; d < size; ++d) {
            extra[d] = q[d] * q[d] - q[d + 1];
        }
    }
};

Values<double, 11> with_squares(const Values<double, 6>& q) {
    Values<double, 5> extra;
    Squares{}(q, extra);
    Values<double, 11> all;
    for (int d = 0; d < 11; ++d) {
        all[d] = d < 6 ? q[d] : extra[d - 6];
    }
    return all;
}

/// Exchanging the ends negates each product exactly.
struct Exchange {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 11>& a, const Values<V, 11>& b,
                                 const Values<V, 6>& weight, Values<V, 6>& sum_a,
                                 Values<V, 6>& sum_b) const {
        for (int d = 0; d < 6; ++d) {
            const V flow = weight[d] * (a[d + 5] + b[d + 5]);
            sum_a[d] += flow;
            sum_b[d] -= flow;
        }
    }
};

struct Advance {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 6>& sum, Values<V, 6>& q) const {
        for (int d = 0; d < 6; ++d) {
            q[d] = q[d] * V(0.5) + V(0.001) * sum[d];
        }
    }
};

struct Collect {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 11>& q, Values<V, 6>& sum) const {
        for (int d = 0; d < 6; ++d) {
            sum[d] += q[10 - d];
        }
    }
};

constexpr int steps = 2;

/// Exchange, marks, and an update that derives anew; halos travel between the steps.
std::vector<double> run_wide_derived(LoopWorld& world) {
    auto q = world.dat<6, DerivedStorage<Squares>>(world.nodes(), "q", field_x);
    const auto weight = world.dat<6>(world.edges(), "weight", field_wide);
    auto sum = world.dat<6>(world.nodes(), "sum", field_sum);
    const auto map = world.edge_nodes();
    for (int step = 0; step < steps; ++step) {
        run_loop(world, "exchange", world.edges(), Exchange{}, read<0>(derived(q), map),
                 read<1>(derived(q), map), read(oriented(weight)), inc<0>(sum, map),
                 inc<1>(sum, map));
        run_loop(world, "collect", world.marks(), Collect{}, read<0>(derived(q), world.mark_node()),
                 inc<0>(sum, world.mark_node()));
        run_loop(world, "advance", world.nodes(), Advance{}, read(sum), read_write(q));
    }
    std::vector<double> all = world.collect(q);
    append(all, world.collect(sum));
    return all;
}

std::vector<double> expect_wide_derived(const WorldTables& tables) {
    std::vector<double> q = table_of(tables.sizes.nodes, 6, field_x);
    std::vector<double> sum = table_of(tables.sizes.nodes, 6, field_sum);
    for (int step = 0; step < steps; ++step) {
        for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
            const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
            const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
            Values<double, 6> more_a = nothing_yet<6>();
            Values<double, 6> more_b = nothing_yet<6>();
            Exchange{}(with_squares(row_of<6>(q, a)), with_squares(row_of<6>(q, b)),
                       wide_row<6>(field_wide, e), more_a, more_b);
            add_row(sum, a, more_a);
            add_row(sum, b, more_b);
        }
        for (GlobalIndex m = 0; m < tables.sizes.marks; ++m) {
            const GlobalIndex i = tables.mark_node[static_cast<std::size_t>(m)];
            Values<double, 6> more = nothing_yet<6>();
            Collect{}(with_squares(row_of<6>(q, i)), more);
            add_row(sum, i, more);
        }
        for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
            Values<double, 6> row = row_of<6>(q, i);
            Advance{}(row_of<6>(sum, i), row);
            set_row(q, i, row);
        }
    }
    append(q, sum);
    return q;
}

}  // namespace

std::vector<LoopShape> wide_shapes() {
    return {
        {"gradient_of_fifteen", run_gradient<15, RowStorage>, expect_gradient<15>},
        {"gradient_of_eighteen", run_gradient<18, RowStorage>, expect_gradient<18>},
        {"gradient_of_eighteen_lanes", run_gradient<18, LaneStorage>, expect_gradient<18>},
        {"eleven_with_derived", run_wide_derived, expect_wide_derived},
    };
}

}  // namespace halocline::test
