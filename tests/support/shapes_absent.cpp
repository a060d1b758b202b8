// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops through maps with absent entries: reads get what the dat states, changes go nowhere.
#include <algorithm>
#include <array>

#include "halocline/loop/exact_sum.hpp"
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

double field_own(GlobalIndex id, int d) { return rough_number(101, id, d); }
double field_sum(GlobalIndex id, int d) { return rough_number(102, id, d); }

constexpr std::array<double, 3> outside{2.5, -1.5, 0.25};

/// What a kernel reads of a node that may be absent.
Values<double, 3> x_of(GlobalIndex node) {
    Values<double, 3> row;
    for (int d = 0; d < 3; ++d) {
        row[d] = node == absent ? outside[static_cast<std::size_t>(d)] : field_x(node, d);
    }
    return row;
}
Values<double, 5> q_of(GlobalIndex node) { return extended(x_of(node)); }

template <class Storage>
auto stated_x(LoopWorld& world) {
    auto x = world.dat<3, Storage>(world.nodes(), "x", field_x);
    x.set_absent({outside[0], outside[1], outside[2]});
    return x;
}

/// A node for each column of a row.
template <int n>
std::array<GlobalIndex, n> row_at(const std::vector<GlobalIndex>& table, GlobalIndex row) {
    std::array<GlobalIndex, n> nodes{};
    for (int k = 0; k < n; ++k) {
        nodes[static_cast<std::size_t>(k)] = table[static_cast<std::size_t>(n * row + k)];
    }
    return nodes;
}

/// Both ends with what is derived there; a node is known to be absent by its id.
struct AcrossSide {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& a, const Values<V, 5>& b,
                                 const Values<Integer<V>, 1>& id_b, const Values<V, 2>& own,
                                 Values<V, 2>& sum_a, Values<V, 2>& sum_b,
                                 Values<V, 1>& kept) const {
        const V jump = select(id_b[0] < 0, own[0], a[1] - b[1]);
        sum_a[0] += jump * a[3];
        sum_a[1] += b[4];
        sum_b[0] -= jump * b[3];
        sum_b[1] += own[1] * a[0];
        kept[0] = kept[0] - b[2];
    }
};

template <class Storage>
std::vector<double> run_across(LoopWorld& world) {
    const auto q = stated_x<WithDerived>(world);
    const auto id = world.mesh().make_ids(world.nodes());
    const auto own = world.dat<2>(world.edges(), "own", field_own);
    auto sum = world.dat<2, Storage>(world.nodes(), "sum", field_sum);
    auto kept = world.dat<1>(world.edges(), "kept", field_own);
    const auto map = world.side_nodes();
    for (int step = 0; step < 2; ++step) {
        run_loop(world, "across", world.edges(), AcrossSide{}, read<0>(derived(q), map),
                 read<1>(derived(q), map), read<1>(id, map), read(own), inc<0>(sum, map),
                 inc<1>(sum, map), read_write(kept));
    }
    std::vector<double> all = world.collect(sum);
    append(all, world.collect(kept));
    return all;
}

std::vector<double> expect_across(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    std::vector<double> kept = table_of(tables.sizes.edges, 1, field_own);
    for (int step = 0; step < 2; ++step) {
        for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
            const auto node = row_at<2>(tables.side_nodes, e);
            Values<double, 2> more[2] = {nothing_yet<2>(), nothing_yet<2>()};
            Values<double, 1> changed = row_of<1>(kept, e);
            AcrossSide{}(q_of(node[0]), q_of(node[1]), Values<Integer<double>, 1>{node[1]},
                         Values<double, 2>{field_own(e, 0), field_own(e, 1)}, more[0], more[1],
                         changed);
            set_row(kept, e, changed);
            for (std::size_t k = 0; k < 2; ++k) {
                if (node[k] != absent) {
                    add_row(sum, node[k], more[k]);
                }
            }
        }
    }
    append(sum, kept);
    return sum;
}

/// The same from either end.
struct Balance {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b,
                                 const Values<V, 2>& own, Values<V, 1>& sum_a,
                                 Values<V, 1>& sum_b) const {
        const V flux = own[0] * (a[0] - b[0]) + (a[1] - b[1]) * (a[2] + b[2]);
        sum_a[0] += flux;
        sum_b[0] -= flux;
    }
};

template <class Storage>
std::vector<double> run_balance(LoopWorld& world) {
    const auto x = stated_x<Storage>(world);
    const auto own = world.dat<2>(world.edges(), "own", field_own);
    auto sum = world.dat<1, Storage>(world.nodes(), "sum", field_sum);
    const auto map = world.side_nodes();
    run_loop(world, "balance", world.edges(), Balance{}, read<0>(x, map), read<1>(x, map),
             read(own), inc<0>(sum, map), inc<1>(sum, map));
    return world.collect(sum);
}

std::vector<double> expect_balance(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 1, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const auto node = row_at<2>(tables.side_nodes, e);
        Values<double, 1> more[2] = {nothing_yet<1>(), nothing_yet<1>()};
        Balance{}(x_of(node[0]), x_of(node[1]), Values<double, 2>{field_own(e, 0), field_own(e, 1)},
                  more[0], more[1]);
        for (std::size_t k = 0; k < 2; ++k) {
            if (node[k] != absent) {
                add_row(sum, node[k], more[k]);
            }
        }
    }
    return sum;
}

/// All columns of a ragged row, floats among them, beside reductions.
struct AroundQuad {
    template <class V>
    HALOCLINE_HD void operator()(const Rows<V, 4, 3>& x, const Rows<V, 4, 1>& weight,
                                 const Values<V, 2>& own, Rows<V, 4, 1>& sum, Rows<V, 4, 1>& low,
                                 Values<V, 1>& total) const {
        for (int k = 0; k < 4; ++k) {
            sum[k][0] += weight[k][0] * own[0] + x[(k + 1) % 4][1];
            low[k][0] = min(low[k][0], x[k][2] - own[1]);
            total[0] += weight[k][0] * x[k][0];
        }
    }
};

float field_weight(GlobalIndex id, int d) { return static_cast<float>(rough_number(103, id, d)); }
float field_total(GlobalIndex id, int d) { return static_cast<float>(rough_number(104, id, d)); }

/// Over all quads, or over a third of them.
template <class SetT>
std::vector<double> run_around(LoopWorld& world, SetT set) {
    const auto x = stated_x<RowStorage>(world);
    auto weight = world.dat<1, RowStorage, float>(world.nodes(), "weight", field_weight);
    weight.set_absent({0.0F});
    const auto own = world.dat<2>(world.quads(), "own", field_own);
    auto sum = world.dat<1, LaneStorage, float>(world.nodes(), "sum", field_total);
    auto low = world.dat<1>(world.nodes(), "low", field_sum);
    Global<double, 1> total{{0.5}};
    const auto map = world.near_nodes();
    run_loop(world, "around", set, AroundQuad{}, read_all(x, map), read_all(weight, map), read(own),
             inc_all(sum, map), reduce_min_all(low, map), inc(total));
    std::vector<double> all = world.collect(low);
    for (const float value : world.collect(sum)) {
        all.push_back(value);
    }
    append(all, {total[0]});
    return all;
}

bool is_third(GlobalIndex id) { return id % 3 == 0; }

std::vector<double> run_around_all(LoopWorld& world) { return run_around(world, world.quads()); }
std::vector<double> run_around_third(LoopWorld& world) {
    const auto quads = world.quads();
    return run_around(
        world, make_subset(world.context(), world.mesh(), quads, "third",
                           [&](LocalIndex i) { return is_third(quads.part->global_id(i)); }));
}

template <bool third>
std::vector<double> expect_around(const WorldTables& tables) {
    std::vector<float> sum;
    for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
        sum.push_back(field_total(i, 0));
    }
    std::vector<double> low = table_of(tables.sizes.nodes, 1, field_sum);
    ExactSum total;
    for (GlobalIndex e = 0; e < tables.sizes.quads; ++e) {
        if (third && !is_third(e)) {
            continue;
        }
        const auto node = row_at<4>(tables.near_nodes, e);
        Rows<double, 4, 3> x;
        Rows<double, 4, 1> weight;
        Rows<double, 4, 1> more;
        Rows<double, 4, 1> lower;
        for (int k = 0; k < 4; ++k) {
            const GlobalIndex i = node[static_cast<std::size_t>(k)];
            x[k] = x_of(i);
            weight[k][0] = i == absent ? 0.0 : double{field_weight(i, 0)};
            more[k] = nothing_yet<1>();
            lower[k][0] = i == absent ? 1e9 : low[static_cast<std::size_t>(i)];
        }
        Values<double, 1> part = nothing_yet<1>();
        AroundQuad{}(x, weight, Values<double, 2>{field_own(e, 0), field_own(e, 1)}, more, lower,
                     part);
        total.add(part[0]);
        for (int k = 0; k < 4; ++k) {
            const auto i = static_cast<std::size_t>(node[static_cast<std::size_t>(k)]);
            if (node[static_cast<std::size_t>(k)] != absent) {
                sum[i] = static_cast<float>(double{sum[i]} + more[k][0]);
                low[i] = std::min(low[i], lower[k][0]);
            }
        }
    }
    low.insert(low.end(), sum.begin(), sum.end());
    append(low, {0.5 + total.value()});
    return low;
}

/// One column: its target may be absent, and so may what the other one reads.
struct Push {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& x, const Values<V, 2>& own,
                                 Values<V, 2>& sum) const {
        sum[0] += x[0] * own[0];
        sum[1] -= x[2] + own[1];
    }
};

template <class Storage>
std::vector<double> run_push(LoopWorld& world) {
    const auto x = stated_x<Storage>(world);
    const auto own = world.dat<2>(world.edges(), "own", field_own);
    auto sum = world.dat<2, Storage>(world.nodes(), "sum", field_sum);
    const auto map = world.side_nodes();
    run_loop(world, "push", world.edges(), Push{}, read<0>(x, map), read(own), inc<1>(sum, map));
    return world.collect(sum);
}

std::vector<double> expect_push(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const auto node = row_at<2>(tables.side_nodes, e);
        Values<double, 2> more = nothing_yet<2>();
        Push{}(x_of(node[0]), Values<double, 2>{field_own(e, 0), field_own(e, 1)}, more);
        if (node[1] != absent) {
            add_row(sum, node[1], more);
        }
    }
    return sum;
}

/// How many targets a row has, beside what they are.
struct MeanOfRow {
    template <class V>
    HALOCLINE_HD void operator()(const Values<Integer<V>, 1>& length, const Rows<V, 4, 3>& x,
                                 Values<V, 1>& mean) const {
        const V sum = x[0][0] + x[1][0] + x[2][0] + x[3][0];
        mean[0] = select(length[0] == 0, V(-1.0), sum / to_real(length[0]));
    }
};

std::vector<double> run_mean(LoopWorld& world) {
    auto x = world.dat<3>(world.nodes(), "x", field_x);
    x.set_absent({0.0, 0.0, 0.0});
    const auto map = world.near_nodes();
    const auto lengths = world.mesh().row_lengths(map);
    auto mean = world.dat<1>(world.quads(), "mean", field_own);
    run_loop(world, "mean", world.quads(), MeanOfRow{}, read(lengths), read_all(x, map),
             write(mean));
    return world.collect(mean);
}

std::vector<double> expect_mean(const WorldTables& tables) {
    return table_of(tables.sizes.quads, 1, [&](GlobalIndex e, int) {
        const auto node = row_at<4>(tables.near_nodes, e);
        const auto length = 4 - std::count(node.begin(), node.end(), absent);
        const auto x = [&](std::size_t k) { return node[k] == absent ? 0.0 : field_x(node[k], 0); };
        return length == 0 ? -1.0 : (x(0) + x(1) + x(2) + x(3)) / static_cast<double>(length);
    });
}

/// Written whole before it is read: what is stated for absent nodes stays, also through a swap.
struct Copy {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& from, Values<V, 3>& to) const {
        for (int d = 0; d < 3; ++d) {
            to[d] = from[d];
        }
    }
};
struct Look {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b,
                                 Values<V, 2>& out) const {
        out[0] = a[0] - b[1];
        out[1] = a[1] * b[2];
    }
};

std::vector<double> run_look(LoopWorld& world) {
    const auto x = world.dat<3>(world.nodes(), "x", field_x);
    auto fresh = world.mesh().make_dat<Node, double, 3>(world.nodes(), "fresh");
    auto other = world.mesh().make_dat<Node, double, 3>(world.nodes(), "other");
    fresh.set_absent({outside[0], outside[1], outside[2]});
    auto out = world.dat<2>(world.edges(), "out", field_own);
    const auto map = world.side_nodes();
    run_loop(world, "copy", world.nodes(), Copy{}, read(x), write(fresh));
    swap(fresh, other);
    run_loop(world, "look", world.edges(), Look{}, read<0>(other, map), read<1>(other, map),
             write(out));
    return world.collect(out);
}

/// What a kernel writes to edges from the values of both ends, `n` an edge.
template <int n, class Kernel, class ValueOfNode>
std::vector<double> written_from_ends(const WorldTables& tables, const Kernel& kernel,
                                      const ValueOfNode& value_of) {
    std::vector<double> written = table_of(tables.sizes.edges, n, field_own);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const auto node = row_at<2>(tables.side_nodes, e);
        Values<double, n> row;
        kernel(value_of(node[0]), value_of(node[1]), row);
        set_row(written, e, row);
    }
    return written;
}

std::vector<double> expect_look(const WorldTables& tables) {
    return written_from_ends<2>(tables, Look{}, x_of);
}

/// Adds to both ends, then reads them: what went nowhere must not show in what the dat states.
struct AddToEnds {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, Values<V, 1>& sum_a,
                                 Values<V, 1>& sum_b) const {
        sum_a[0] += own[0];
        sum_b[0] += own[1];
    }
};
struct TakeEnds {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& a, const Values<V, 1>& b,
                                 Values<V, 1>& taken) const {
        taken[0] = 2.0 * a[0] - b[0];
    }
};

std::vector<double> run_stays(LoopWorld& world) {
    const auto own = world.dat<2>(world.edges(), "own", field_own);
    auto sum = world.dat<1>(world.nodes(), "sum", field_sum);
    sum.set_absent({outside[0]});
    auto taken = world.dat<1>(world.edges(), "taken", field_own);
    const auto map = world.side_nodes();
    run_loop(world, "add_to_ends", world.edges(), AddToEnds{}, read(own), inc<0>(sum, map),
             inc<1>(sum, map));
    run_loop(world, "take_ends", world.edges(), TakeEnds{}, read<0>(sum, map), read<1>(sum, map),
             write(taken));
    return world.collect(taken);
}

std::vector<double> expect_stays(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 1, field_sum);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const auto node = row_at<2>(tables.side_nodes, e);
        for (std::size_t k = 0; k < 2; ++k) {
            if (node[k] != absent) {
                add_row(sum, node[k], Values<double, 1>{field_own(e, static_cast<int>(k))});
            }
        }
    }
    const auto sum_of = [&](GlobalIndex node) {
        return Values<double, 1>{node == absent ? outside[0] : row_of<1>(sum, node)[0]};
    };
    return written_from_ends<1>(tables, TakeEnds{}, sum_of);
}

}  // namespace

std::vector<LoopShape> absent_shapes() {
    return {{"absent_across", run_across<RowStorage>, expect_across},
            {"absent_across_lanes", run_across<LaneStorage>, expect_across},
            {"absent_balance", run_balance<RowStorage>, expect_balance},
            {"absent_balance_lanes", run_balance<LaneStorage>, expect_balance},
            {"absent_around", run_around_all, expect_around<false>},
            {"absent_around_subset", run_around_third, expect_around<true>},
            {"absent_push", run_push<RowStorage>, expect_push},
            {"absent_push_lanes", run_push<LaneStorage>, expect_push},
            {"absent_mean", run_mean, expect_mean},
            {"absent_look", run_look, expect_look},
            {"absent_stays", run_stays, expect_stays}};
}

}  // namespace halocline::test
