// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums, minima and maxima: over sets into globals, through maps into dats.
#include <algorithm>
#include <limits>

#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double field_exact(GlobalIndex id, int d) { return exact_number(41, id, d); }
double field_own(GlobalIndex id, int d) { return rough_number(42, id, d); }

struct Gather {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& x, Values<V, 2>& sum, Values<V, 1>& low,
                                 Values<V, 1>& high) const {
        sum[0] += x[0];
        sum[1] += V(1.0);
        low[0] = min(low[0], x[1]);
        high[0] = max(high[0], x[2]);
    }
};

/// Sums of exact numbers have one right answer; globals keep what they held before.
template <class Storage>
std::vector<double> run_globals(LoopWorld& world) {
    const auto x = world.dat<3, Storage>(world.nodes(), "x", field_exact);
    Global<double, 2> sum{{100.0, -3.0}};
    Global<double, 1> low{{infinity}};
    Global<double, 1> high{{15.9}};
    run_loop(world, "gather", world.nodes(), Gather{}, read(x), inc(sum), reduce_min(low),
             reduce_max(high));
    return {sum[0], sum[1], low[0], high[0]};
}

std::vector<double> expect_globals(const WorldTables& tables) {
    double sum = 100.0;
    double low = infinity;
    double high = 15.9;
    for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
        sum += field_exact(i, 0);
        low = std::min(low, field_exact(i, 1));
        high = std::max(high, field_exact(i, 2));
    }
    return {sum, -3.0 + static_cast<double>(tables.sizes.nodes), low, high};
}

/// Rough numbers at a scale where 2^-40 is below every rounding: still the same bits everywhere.
struct SumOwn {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<V, 3>& x,
                                 const Values<V, 1>& scale, Values<V, 2>& kept,
                                 Values<V, 2>& sum) const {
        kept[0] = own[0] * x[0];
        kept[1] = own[1] - x[1];
        sum[0] += floor_to_grid(kept[0] * scale[0]);
        sum[1] += floor_to_grid(kept[1]);
    }
    /// Rounds to a multiple of 2^-20, so that the sum is exact in double precision.
    template <class V>
    HALOCLINE_HD static V floor_to_grid(V value) {
        const V anchor(0x1.8p32);
        return (value + anchor) - anchor;
    }
};

/// A reduction beside an indirect read and a direct write.
std::vector<double> run_mixed(LoopWorld& world) {
    const auto x = world.dat<3, WithDerived>(world.nodes(), "x", field_x);
    const auto own = world.dat<2>(world.edges(), "own", field_own);
    auto kept = world.dat<2, LaneStorage>(world.edges(), "kept", field_own);
    const Global<double, 1> scale{{0.37}};
    Global<double, 2> sum;
    run_loop(world, "sum_own", world.edges(), SumOwn{}, read(own), read<1>(x, world.edge_nodes()),
             read(scale), write(kept), inc(sum));
    std::vector<double> all = world.collect(kept);
    append(all, {sum[0], sum[1]});
    return all;
}

std::vector<double> expect_mixed(const WorldTables& tables) {
    std::vector<double> kept = table_of(tables.sizes.edges, 2, field_own);
    Values<double, 2> total{0.0, 0.0};
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const GlobalIndex i = tables.edge_nodes[static_cast<std::size_t>(2 * e + 1)];
        Values<double, 2> row;
        Values<double, 2> more = nothing_yet<2>();
        SumOwn{}(Values<double, 2>{field_own(e, 0), field_own(e, 1)},
                 Values<double, 3>{field_x(i, 0), field_x(i, 1), field_x(i, 2)},
                 Values<double, 1>{0.37}, row, more);
        set_row(kept, e, row);
        total[0] += more[0];
        total[1] += more[1];
    }
    append(kept, {total[0], total[1]});
    return kept;
}

/// Loop over elements that increments through a map, writes directly and reduces, all at once.
struct Everything {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, Values<V, 2>& own, Values<V, 3>& sum,
                                 Values<V, 1>& count, Values<V, 1>& low) const {
        own[0] = own[0] + a[0];
        for (int d = 0; d < 3; ++d) {
            sum[d] += own[0] * a[d];
        }
        count[0] += V(1.0);
        low[0] = min(low[0], own[0]);
    }
};

std::vector<double> run_everything(LoopWorld& world) {
    const auto x = world.dat<3>(world.nodes(), "x", field_x);
    auto own = world.dat<2>(world.triangles(), "own", field_own);
    auto sum = world.dat<3, LaneStorage>(world.nodes(), "sum", field_own);
    Global<double, 1> count;
    Global<double, 1> low{{infinity}};
    for (int step = 0; step < 2; ++step) {
        run_loop(world, "everything", world.triangles(), Everything{},
                 read<0>(x, world.triangle_nodes()), read_write(own),
                 inc<2>(sum, world.triangle_nodes()), inc(count), reduce_min(low));
    }
    std::vector<double> all = world.collect(own);
    append(all, world.collect(sum));
    append(all, {count[0], low[0]});
    return all;
}

std::vector<double> expect_everything(const WorldTables& tables) {
    std::vector<double> own = table_of(tables.sizes.triangles, 2, field_own);
    std::vector<double> sum = table_of(tables.sizes.nodes, 3, field_own);
    double count = 0.0;
    Values<double, 1> low{infinity};
    for (int step = 0; step < 2; ++step) {
        for (GlobalIndex e = 0; e < tables.sizes.triangles; ++e) {
            const GlobalIndex a = tables.triangle_nodes[static_cast<std::size_t>(3 * e)];
            const GlobalIndex c = tables.triangle_nodes[static_cast<std::size_t>(3 * e + 2)];
            Values<double, 2> row = row_of<2>(own, e);
            Values<double, 3> more = nothing_yet<3>();
            Values<double, 1> one = nothing_yet<1>();
            Everything{}(Values<double, 3>{field_x(a, 0), field_x(a, 1), field_x(a, 2)}, row, more,
                         one, low);
            set_row(own, e, row);
            add_row(sum, c, more);
            count += one[0];
        }
    }
    append(own, sum);
    append(own, {count, low[0]});
    return own;
}

struct Extremes {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, Values<V, 2>& low,
                                 Values<V, 1>& high) const {
        low[0] = min(low[0], own[0]);
        low[1] = min(low[1], own[1] * V(2.0));
        high[0] = max(high[0], own[0] - own[1]);
    }
};

/// Smallest and largest of what maps to a node; nodes nothing maps to keep what they had.
template <class Storage>
std::vector<double> run_extremes(LoopWorld& world) {
    const auto own = world.dat<2>(world.edges(), "own", field_own);
    auto low =
        world.dat<2, Storage>(world.nodes(), "low", [](GlobalIndex, int) { return infinity; });
    auto high = world.dat<1, Storage>(world.nodes(), "high", [](GlobalIndex, int) { return -1.0; });
    run_loop(world, "extremes", world.edges(), Extremes{}, read(own),
             reduce_min<0>(low, world.edge_nodes()), reduce_max<1>(high, world.edge_nodes()));
    std::vector<double> all = world.collect(low);
    append(all, world.collect(high));
    return all;
}

std::vector<double> expect_extremes(const WorldTables& tables) {
    std::vector<double> low(static_cast<std::size_t>(tables.sizes.nodes) * 2, infinity);
    std::vector<double> high(static_cast<std::size_t>(tables.sizes.nodes), -1.0);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const auto a = static_cast<std::size_t>(tables.edge_nodes[static_cast<std::size_t>(2 * e)]);
        const auto b =
            static_cast<std::size_t>(tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1]);
        low[2 * a] = std::min(low[2 * a], field_own(e, 0));
        low[2 * a + 1] = std::min(low[2 * a + 1], field_own(e, 1) * 2.0);
        high[b] = std::max(high[b], field_own(e, 0) - field_own(e, 1));
    }
    append(low, high);
    return low;
}

}  // namespace

std::vector<LoopShape> reduction_shapes() {
    return {
        {"globals_rows", run_globals<RowStorage>, expect_globals},
        {"globals_lanes", run_globals<LaneStorage>, expect_globals},
        {"global_beside_map", run_mixed, expect_mixed},
        {"inc_write_and_reduce", run_everything, expect_everything},
        {"extremes_rows", run_extremes<RowStorage>, expect_extremes},
        {"extremes_lanes", run_extremes<LaneStorage>, expect_extremes},
    };
}

}  // namespace halocline::test
