// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops over edges whose kernels look the same from both ends: oriented vectors, derived values.
#include <algorithm>

#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

double field_weight(GlobalIndex id, int d) { return rough_number(31, id, d); }
double field_scale(GlobalIndex id, int d) { return rough_number(32, id, d); }
double field_q(GlobalIndex id, int d) { return rough_number(33, id, d); }
double field_sum(GlobalIndex id, int d) { return rough_number(34, id, d); }

/// Swapping the ends and negating the weight negates each product exactly.
struct Exchange {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& a, const Values<V, 5>& b,
                                 const Values<V, 3>& weight, const Values<V, 1>& scale,
                                 Values<V, 2>& sum_a, Values<V, 2>& sum_b) const {
        const V flux = weight[0] * (a[3] + b[3]) + weight[1] * (a[1] + b[1]);
        const V jump = scale[0] * (a[4] - b[4]);
        sum_a[0] += flux;
        sum_b[0] -= flux;
        sum_a[1] += jump;
        sum_b[1] -= jump;
    }
};

Values<double, 5> end_state(GlobalIndex i) {
    return extended({field_q(i, 0), field_q(i, 1), field_q(i, 2)});
}

std::vector<double> expect_exchange(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
        Values<double, 2> more_a = nothing_yet<2>();
        Values<double, 2> more_b = nothing_yet<2>();
        Exchange{}(end_state(a), end_state(b),
                   Values<double, 3>{field_weight(e, 0), field_weight(e, 1), field_weight(e, 2)},
                   Values<double, 1>{field_scale(e, 0)}, more_a, more_b);
        add_row(sum, a, more_a);
        add_row(sum, b, more_b);
    }
    return sum;
}

template <class SumStorage, class WeightStorage>
std::vector<double> run_exchange(LoopWorld& world) {
    const auto q = world.dat<3, WithDerived>(world.nodes(), "q", field_q);
    const auto weight = world.dat<3, WeightStorage>(world.edges(), "weight", field_weight);
    const auto scale = world.dat<1>(world.edges(), "scale", field_scale);
    auto sum = world.dat<2, SumStorage>(world.nodes(), "sum", field_sum);
    const auto map = world.edge_nodes();
    run_loop(world, "exchange", world.edges(), Exchange{}, read<0>(derived(q), map),
             read<1>(derived(q), map), read(oriented(weight)), read(scale), inc<0>(sum, map),
             inc<1>(sum, map));
    return world.collect(sum);
}

struct Scale {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 3>& weight) const {
        for (int d = 0; d < 3; ++d) {
            weight[d] = weight[d] * V(-0.5);
        }
    }
};

/// The weights change between two loops that stream copies of them.
std::vector<double> run_changed_weights(LoopWorld& world) {
    auto q = world.dat<3, WithDerived>(world.nodes(), "q", field_q);
    auto weight = world.dat<3>(world.edges(), "weight", field_weight);
    const auto scale = world.dat<1>(world.edges(), "scale", field_scale);
    auto sum = world.dat<2, LaneStorage>(world.nodes(), "sum", field_sum);
    const auto map = world.edge_nodes();
    for (int step = 0; step < 3; ++step) {
        run_loop(world, "exchange", world.edges(), Exchange{}, read<0>(derived(q), map),
                 read<1>(derived(q), map), read(oriented(weight)), read(scale), inc<0>(sum, map),
                 inc<1>(sum, map));
        run_loop(world, "scale", world.edges(), Scale{}, read_write(weight));
        run_loop(world, "scale_q", world.nodes(), Scale{}, read_write(q));
    }
    return world.collect(sum);
}

std::vector<double> expect_changed_weights(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    double factor = 1.0;  // powers of -1/2: scaling by them rounds nothing
    for (int step = 0; step < 3; ++step, factor *= -0.5) {
        const auto state = [&](GlobalIndex i) {
            return extended(
                {factor * field_q(i, 0), factor * field_q(i, 1), factor * field_q(i, 2)});
        };
        for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
            const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
            const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
            Values<double, 2> more_a = nothing_yet<2>();
            Values<double, 2> more_b = nothing_yet<2>();
            Exchange{}(state(a), state(b),
                       Values<double, 3>{factor * field_weight(e, 0), factor * field_weight(e, 1),
                                         factor * field_weight(e, 2)},
                       Values<double, 1>{field_scale(e, 0)}, more_a, more_b);
            add_row(sum, a, more_a);
            add_row(sum, b, more_b);
        }
    }
    return sum;
}

/// The range of a field among neighbours, and a sum beside it: what limiters are made of.
struct NeighbourRange {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b,
                                 const Values<V, 3>& weight, Values<V, 2>& low_a,
                                 Values<V, 2>& low_b, Values<V, 1>& high_a, Values<V, 1>& high_b,
                                 Values<V, 1>& sum_a, Values<V, 1>& sum_b) const {
        const V step = weight[0] * (a[1] + b[1]);
        low_a[0] = min(low_a[0], b[0]);
        low_b[0] = min(low_b[0], a[0]);
        low_a[1] = min(low_a[1], step);
        low_b[1] = min(low_b[1], -step);
        high_a[0] = max(high_a[0], b[2]);
        high_b[0] = max(high_b[0], a[2]);
        sum_a[0] += step;
        sum_b[0] -= step;
    }
};

double start_low(GlobalIndex, int) { return 0.75; }
double start_high(GlobalIndex, int) { return -0.25; }

template <class Storage>
std::vector<double> run_range(LoopWorld& world) {
    const auto q = world.dat<3>(world.nodes(), "q", field_q);
    const auto weight = world.dat<3>(world.edges(), "weight", field_weight);
    auto low = world.dat<2, Storage>(world.nodes(), "low", start_low);
    auto high = world.dat<1, Storage>(world.nodes(), "high", start_high);
    auto sum = world.dat<1, Storage>(world.nodes(), "sum", field_sum);
    const auto map = world.edge_nodes();
    run_loop(world, "range", world.edges(), NeighbourRange{}, read<0>(q, map), read<1>(q, map),
             read(oriented(weight)), reduce_min<0>(low, map), reduce_min<1>(low, map),
             reduce_max<0>(high, map), reduce_max<1>(high, map), inc<0>(sum, map),
             inc<1>(sum, map));
    std::vector<double> all = world.collect(low);
    for (const std::vector<double>& more : {world.collect(high), world.collect(sum)}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

std::vector<double> expect_range(const WorldTables& tables) {
    std::vector<double> low = table_of(tables.sizes.nodes, 2, start_low);
    std::vector<double> high = table_of(tables.sizes.nodes, 1, start_high);
    std::vector<double> sum = table_of(tables.sizes.nodes, 1, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
        const double step = field_weight(e, 0) * (field_q(a, 1) + field_q(b, 1));
        const auto visit = [&](GlobalIndex end, GlobalIndex other, double gain) {
            const auto i = static_cast<std::size_t>(end);
            low[2 * i] = std::min(low[2 * i], field_q(other, 0));
            low[2 * i + 1] = std::min(low[2 * i + 1], gain);
            high[i] = std::max(high[i], field_q(other, 2));
            sum[i] += gain;
        };
        visit(a, b, step);
        visit(b, a, -step);
    }
    low.insert(low.end(), high.begin(), high.end());
    low.insert(low.end(), sum.begin(), sum.end());
    return low;
}

}  // namespace

std::vector<LoopShape> two_ended_shapes() {
    return {
        {"two_ended_rows", run_exchange<RowStorage, RowStorage>, expect_exchange},
        {"two_ended_lanes", run_exchange<LaneStorage, LaneStorage>, expect_exchange},
        {"two_ended_range_rows", run_range<RowStorage>, expect_range},
        {"two_ended_range_lanes", run_range<LaneStorage>, expect_range},
        {"two_ended_changed_weights", run_changed_weights, expect_changed_weights},
    };
}

}  // namespace halocline::test
