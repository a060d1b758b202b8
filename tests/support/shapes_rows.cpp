// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments that hand a kernel all rows of a map: read, added to, minima and maxima, both ends.
#include <algorithm>
#include <limits>

#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double field_own(GlobalIndex id, int d) { return rough_number(61, id, d); }
double field_sum(GlobalIndex id, int d) { return rough_number(62, id, d); }

/// Every row counts another way, so that exchanged rows show.
struct Mean {
    template <class V>
    HALOCLINE_HD void operator()(const Rows<V, 4, 3>& x, const Values<V, 2>& own, Values<V, 2>& out,
                                 Rows<V, 4, 2>& sums) const {
        out = {{V(0.0), own[1]}};
        for (int k = 0; k < 4; ++k) {
            out[0] += V(k + 1.0) * (x[k][0] * x[k][1] + x[k][2]);
            for (int d = 0; d < 2; ++d) {
                sums[k][d] += own[d] * x[(k + 1) % 4][d] - V(0.1) * x[k][2];
            }
        }
    }
};

template <int dim>
Rows<double, 4, dim> rows_at(const WorldTables& tables, GlobalIndex quad,
                             double (*field)(GlobalIndex, int)) {
    Rows<double, 4, dim> rows;
    for (int k = 0; k < 4; ++k) {
        for (int d = 0; d < dim; ++d) {
            rows[k][d] = field(tables.quad_nodes[static_cast<std::size_t>(4 * quad + k)], d);
        }
    }
    return rows;
}

template <class Storage>
std::vector<double> run_mean(LoopWorld& world) {
    const auto x = world.dat<3, Storage>(world.nodes(), "x", field_x);
    const auto own = world.dat<2>(world.quads(), "own", field_own);
    auto out = world.dat<2, LaneStorage>(world.quads(), "out", field_own);
    auto sum = world.dat<2, Storage>(world.nodes(), "sum", field_sum);
    const auto map = world.quad_nodes();
    run_loop(world, "mean", world.quads(), Mean{}, read_all(x, map), read(own), write(out),
             inc_all(sum, map));
    std::vector<double> all = world.collect(out);
    append(all, world.collect(sum));
    return all;
}

std::vector<double> expect_mean(const WorldTables& tables) {
    std::vector<double> out = table_of(tables.sizes.quads, 2, field_own);
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.quads; ++e) {
        Rows<double, 4, 2> more;
        for (int k = 0; k < 4; ++k) {
            more[k] = nothing_yet<2>();
        }
        Values<double, 2> row;
        Mean{}(rows_at<3>(tables, e, field_x), {field_own(e, 0), field_own(e, 1)}, row, more);
        set_row(out, e, row);
        for (int k = 0; k < 4; ++k) {
            add_row(sum, tables.quad_nodes[static_cast<std::size_t>(4 * e + k)], more[k]);
        }
    }
    append(out, sum);
    return out;
}

/// Both ends as rows, with derived values; swapping them negates each product exactly.
struct Exchange {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Rows<V, 2, 5>& q, const Values<V, 3>& weight,
                                 Rows<V, 2, 2>& sum) const {
        const V flux = weight[0] * (q[0][3] + q[1][3]) + weight[1] * (q[0][1] + q[1][1]);
        const V jump = q[0][4] - q[1][4];
        sum[0][0] += flux;
        sum[1][0] -= flux;
        sum[0][1] += jump;
        sum[1][1] -= jump;
    }
};

std::vector<double> run_exchange(LoopWorld& world) {
    const auto q = world.dat<3, WithDerived>(world.nodes(), "q", field_x);
    const auto weight = world.dat<3>(world.edges(), "weight", field_own);
    auto sum = world.dat<2, LaneStorage>(world.nodes(), "sum", field_sum);
    const auto map = world.edge_nodes();
    run_loop(world, "exchange", world.edges(), Exchange{}, read_all(derived(q), map),
             read(oriented(weight)), inc_all(sum, map));
    return world.collect(sum);
}

std::vector<double> expect_exchange(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        Rows<double, 2, 5> q;
        Rows<double, 2, 2> more;
        for (int end = 0; end < 2; ++end) {
            const GlobalIndex i = tables.edge_nodes[static_cast<std::size_t>(2 * e + end)];
            q[end] = extended({field_x(i, 0), field_x(i, 1), field_x(i, 2)});
            more[end] = nothing_yet<2>();
        }
        Exchange{}(q, {field_own(e, 0), field_own(e, 1), field_own(e, 2)}, more);
        for (int end = 0; end < 2; ++end) {
            add_row(sum, tables.edge_nodes[static_cast<std::size_t>(2 * e + end)], more[end]);
        }
    }
    return sum;
}

struct Bounds {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& own, Rows<V, 3, 1>& low,
                                 Rows<V, 3, 1>& high) const {
        for (int k = 0; k < 3; ++k) {
            low[k][0] = min(low[k][0], own[0] + V(k));
            high[k][0] = max(high[k][0], own[0] * V(k - 0.5));
        }
    }
};

std::vector<double> run_bounds(LoopWorld& world) {
    const auto own = world.dat<1>(world.triangles(), "own", field_own);
    auto low = world.dat<1>(world.nodes(), "low", [](GlobalIndex, int) { return infinity; });
    auto high = world.dat<1>(world.nodes(), "high", [](GlobalIndex, int) { return -1.0; });
    const auto map = world.triangle_nodes();
    run_loop(world, "bounds", world.triangles(), Bounds{}, read(own), reduce_min_all(low, map),
             reduce_max_all(high, map));
    std::vector<double> all = world.collect(low);
    append(all, world.collect(high));
    return all;
}

std::vector<double> expect_bounds(const WorldTables& tables) {
    std::vector<double> low(static_cast<std::size_t>(tables.sizes.nodes), infinity);
    std::vector<double> high(static_cast<std::size_t>(tables.sizes.nodes), -1.0);
    for (GlobalIndex e = 0; e < tables.sizes.triangles; ++e) {
        for (GlobalIndex k = 0; k < 3; ++k) {
            const auto i = static_cast<std::size_t>(
                tables.triangle_nodes[static_cast<std::size_t>(3 * e + k)]);
            low[i] = std::min(low[i], field_own(e, 0) + static_cast<double>(k));
            high[i] = std::max(high[i], field_own(e, 0) * (static_cast<double>(k) - 0.5));
        }
    }
    append(low, high);
    return low;
}

}  // namespace

std::vector<LoopShape> rows_shapes() {
    return {
        {"all_rows", run_mean<RowStorage>, expect_mean},
        {"all_rows_of_lanes", run_mean<LaneStorage>, expect_mean},
        {"all_rows_of_both_ends", run_exchange, expect_exchange},
        {"all_rows_bounds", run_bounds, expect_bounds},
    };
}

}  // namespace halocline::test
