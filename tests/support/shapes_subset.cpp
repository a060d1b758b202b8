// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops over subsets: every argument that a loop over the whole set may have, members only.
#include "halocline/loop/exact_sum.hpp"
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

double field_own(GlobalIndex id, int d) { return rough_number(91, id, d); }
double field_sum(GlobalIndex id, int d) { return rough_number(92, id, d); }

bool is_picked(GlobalIndex id) { return id % 3 == 1 || id % 7 == 0; }

template <class Tag>
Subset<Tag> picked(LoopWorld& world, Set<Tag> set) {
    return make_subset(world.context(), world.mesh(), set, "picked",
                       [&](LocalIndex i) { return is_picked(set.part->global_id(i)); });
}

/// Direct access of every kind, reads through a map, and globals.
struct Touch {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Rows<V, 4, 3>& x,
                                 Values<V, 2>& fresh, Values<V, 2>& kept, Values<V, 1>& added,
                                 Values<V, 1>& total, Values<V, 1>& low) const {
        fresh[0] = own[1] * x[2][1];
        fresh[1] = kept[0];
        kept[0] = kept[1] - x[0][0];
        kept[1] = own[0];
        added[0] += x[3][2];
        total[0] += own[0] * x[1][0];
        low[0] = min(low[0], own[1]);
    }
};

Rows<double, 4, 3> rows_of_quad(const WorldTables& tables, GlobalIndex quad) {
    Rows<double, 4, 3> x;
    for (int k = 0; k < 4; ++k) {
        for (int d = 0; d < 3; ++d) {
            x[k][d] = field_x(tables.quad_nodes[static_cast<std::size_t>(4 * quad + k)], d);
        }
    }
    return x;
}

template <class Storage>
std::vector<double> run_touch(LoopWorld& world) {
    const auto own = world.dat<2, Storage>(world.quads(), "own", field_own);
    const auto x = world.dat<3>(world.nodes(), "x", field_x);
    auto fresh = world.dat<2, Storage>(world.quads(), "fresh", field_sum);
    auto kept = world.dat<2, Storage>(world.quads(), "kept", field_sum);
    auto added = world.dat<1, Storage>(world.quads(), "added", field_sum);
    Global<double, 1> total{{0.5}};
    Global<double, 1> low{{1e9}};
    run_loop(world, "touch", picked(world, world.quads()), Touch{}, read(own),
             read_all(x, world.quad_nodes()), write(fresh), read_write(kept), inc(added),
             inc(total), reduce_min(low));
    std::vector<double> all = world.collect(fresh);
    append(all, world.collect(kept));
    append(all, world.collect(added));
    append(all, {total[0], low[0]});
    return all;
}

std::vector<double> expect_touch(const WorldTables& tables) {
    std::vector<double> fresh = table_of(tables.sizes.quads, 2, field_sum);
    std::vector<double> kept = table_of(tables.sizes.quads, 2, field_sum);
    std::vector<double> added = table_of(tables.sizes.quads, 1, field_sum);
    ExactSum total;
    Values<double, 1> low{{1e9}};
    for (GlobalIndex e = 0; e < tables.sizes.quads; ++e) {
        if (is_picked(e)) {
            Values<double, 2> written;
            Values<double, 2> changed = row_of<2>(kept, e);
            Values<double, 1> more = nothing_yet<1>();
            Values<double, 1> one = nothing_yet<1>();
            Touch{}({field_own(e, 0), field_own(e, 1)}, rows_of_quad(tables, e), written, changed,
                    more, one, low);
            set_row(fresh, e, written);
            set_row(kept, e, changed);
            add_row(added, e, more);
            total.add(one[0]);
        }
    }
    append(fresh, kept);
    append(fresh, added);
    append(fresh, {0.5 + total.value(), low[0]});
    return fresh;
}

/// Adds to what members reach, beside a direct change.
struct Pour {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Rows<V, 4, 3>& x,
                                 Rows<V, 4, 2>& sum, Values<V, 2>& kept,
                                 Values<V, 1>& total) const {
        for (int k = 0; k < 4; ++k) {
            sum[k][0] += own[0] * x[k][1] + kept[0];
            sum[k][1] -= own[1] * V(k + 0.25);
        }
        total[0] += kept[1];
        kept[0] = kept[0] * V(0.5) + x[0][2];
    }
};

template <class Storage>
std::vector<double> run_pour(LoopWorld& world) {
    const auto own = world.dat<2>(world.quads(), "own", field_own);
    const auto x = world.dat<3>(world.nodes(), "x", field_x);
    auto sum = world.dat<2, Storage>(world.nodes(), "sum", field_sum);
    auto kept = world.dat<2, Storage>(world.quads(), "kept", field_sum);
    Global<double, 1> total;
    std::vector<GlobalIndex> ids;
    for (GlobalIndex id = world.quads().part->global_size - 1; id >= 0; --id) {
        if (is_picked(id)) {
            ids.push_back(id);
        }
    }
    const auto members =
        make_subset(world.context(), world.mesh(), world.quads(), "listed", std::move(ids));
    const auto map = world.quad_nodes();
    for (int step = 0; step < 2; ++step) {
        run_loop(world, "pour", members, Pour{}, read(own), read_all(x, map), inc_all(sum, map),
                 read_write(kept), inc(total));
    }
    std::vector<double> all = world.collect(sum);
    append(all, world.collect(kept));
    append(all, {total[0]});
    return all;
}

std::vector<double> expect_pour(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    std::vector<double> kept = table_of(tables.sizes.quads, 2, field_sum);
    double result = 0.0;
    for (int step = 0; step < 2; ++step) {
        ExactSum total;
        for (GlobalIndex e = 0; e < tables.sizes.quads; ++e) {
            if (!is_picked(e)) {
                continue;
            }
            Rows<double, 4, 2> more;
            for (int k = 0; k < 4; ++k) {
                more[k] = nothing_yet<2>();
            }
            Values<double, 2> row = row_of<2>(kept, e);
            Values<double, 1> one = nothing_yet<1>();
            Pour{}({field_own(e, 0), field_own(e, 1)}, rows_of_quad(tables, e), more, row, one);
            for (int k = 0; k < 4; ++k) {
                add_row(sum, tables.quad_nodes[static_cast<std::size_t>(4 * e + k)], more[k]);
            }
            set_row(kept, e, row);
            total.add(one[0]);
        }
        result += total.value();
    }
    append(sum, kept);
    append(sum, {result});
    return sum;
}

/// Over whole sets such a kernel computes each end by itself; over some edges each edge once.
struct Exchange {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& a, const Values<V, 5>& b,
                                 const Values<V, 3>& weight, Values<V, 2>& sum_a,
                                 Values<V, 2>& sum_b) const {
        const V flux = weight[0] * (a[3] + b[3]);
        sum_a[0] += flux;
        sum_b[0] -= flux;
        sum_a[1] += weight[2] * (a[1] + b[1]);
        sum_b[1] -= weight[2] * (a[1] + b[1]);
    }
};

struct Half {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& all, Values<V, 3>& q) const {
        q[0] = all[3] + V(2.0);
        q[1] = all[4];
        q[2] = all[2] * V(0.5);
    }
};

/// Some nodes change, derived values and halos with them, then some edges exchange, fused in a chain
/// with a loop over all nodes.
std::vector<double> run_exchange(LoopWorld& world) {
    auto q = world.dat<3, WithDerived>(world.nodes(), "q", field_x);
    auto next = world.dat<3, WithDerived>(world.nodes(), "next", field_x);
    const auto weight = world.dat<3>(world.edges(), "weight", field_own);
    auto sum = world.dat<2>(world.nodes(), "sum", field_sum);
    const auto map = world.edge_nodes();
    run_loop(world, "half", picked(world, world.nodes()), Half{}, read(derived(q)), write(next));
    run_loops(world, "exchange", world.nodes(),
              make_loop("edges", picked(world, world.edges()), Exchange{},
                        read<0>(derived(next), map), read<1>(derived(next), map),
                        read(oriented(weight)), inc<0>(sum, map), inc<1>(sum, map)));
    std::vector<double> all = world.collect(sum);
    append(all, world.collect(next));
    return all;
}

std::vector<double> expect_exchange(const WorldTables& tables) {
    std::vector<double> next = table_of(tables.sizes.nodes, 3, field_x);
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
        if (is_picked(i)) {
            Values<double, 3> row;
            Half{}(extended(row_of<3>(next, i)), row);
            set_row(next, i, row);
        }
    }
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        if (!is_picked(e)) {
            continue;
        }
        const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
        Values<double, 2> more_a = nothing_yet<2>();
        Values<double, 2> more_b = nothing_yet<2>();
        Exchange{}(extended(row_of<3>(next, a)), extended(row_of<3>(next, b)),
                   Values<double, 3>{field_own(e, 0), field_own(e, 1), field_own(e, 2)}, more_a,
                   more_b);
        add_row(sum, a, more_a);
        add_row(sum, b, more_b);
    }
    append(sum, next);
    return sum;
}

/// Changes what members alone have.
struct Stir {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Rows<V, 4, 3>& x,
                                 Values<V, 3>& kept) const {
        kept[0] = kept[2] - own[0] * x[3][0];
        kept[2] += own[1];
    }
};

/// Hands it to nodes, also from members of other ranks, and to a dat that all elements have.
struct Spill {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& kept, Rows<V, 4, 2>& sum,
                                 Values<V, 2>& fresh) const {
        for (int k = 0; k < 4; ++k) {
            sum[k][0] += kept[0];
            sum[k][1] += kept[2] * V(0.5 * k);
        }
        fresh[0] = kept[1];
        fresh[1] = kept[0];
    }
};

template <class Storage>
std::vector<double> run_spill(LoopWorld& world) {
    const auto own = world.dat<2>(world.quads(), "own", field_own);
    const auto x = world.dat<3>(world.nodes(), "x", field_x);
    auto sum = world.dat<2>(world.nodes(), "sum", field_sum);
    auto fresh = world.dat<2, Storage>(world.quads(), "fresh", field_sum);
    const auto members = picked(world, world.quads());
    const SetPart& quads = *world.quads().part;
    auto kept = world.mesh().make_dat<Members<Quad>, double, 3, Storage>(members.members(), "kept");
    kept.fill([&](LocalIndex k, int d) {
        return k < members.owned() ? field_sum(quads.global_id(members.element(k)), d) : -1e9;
    });
    const auto map = world.quad_nodes();
    for (int step = 0; step < 2; ++step) {
        run_loop(world, "stir", members, Stir{}, read(own), read_all(x, map), read_write(kept));
        run_loop(world, "spill", members, Spill{}, read(kept), inc_all(sum, map), write(fresh));
    }
    std::vector<double> all = world.collect(sum);
    append(all, world.collect(fresh));
    return all;
}

std::vector<double> expect_spill(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    std::vector<double> fresh = table_of(tables.sizes.quads, 2, field_sum);
    std::vector<double> kept = table_of(tables.sizes.quads, 3, field_sum);
    for (int step = 0; step < 2; ++step) {
        for (GlobalIndex e = 0; e < tables.sizes.quads; ++e) {
            if (!is_picked(e)) {
                continue;
            }
            Values<double, 3> row = row_of<3>(kept, e);
            Stir{}({field_own(e, 0), field_own(e, 1)}, rows_of_quad(tables, e), row);
            set_row(kept, e, row);
            Rows<double, 4, 2> more;
            for (int k = 0; k < 4; ++k) {
                more[k] = nothing_yet<2>();
            }
            Values<double, 2> written;
            Spill{}(row, more, written);
            for (int k = 0; k < 4; ++k) {
                add_row(sum, tables.quad_nodes[static_cast<std::size_t>(4 * e + k)], more[k]);
            }
            set_row(fresh, e, written);
        }
    }
    append(sum, fresh);
    return sum;
}

}  // namespace

std::vector<LoopShape> subset_shapes() {
    return {
        {"subset_direct_rows", run_touch<RowStorage>, expect_touch},
        {"subset_direct_lanes", run_touch<LaneStorage>, expect_touch},
        {"subset_increments_rows", run_pour<RowStorage>, expect_pour},
        {"subset_increments_lanes", run_pour<LaneStorage>, expect_pour},
        {"subset_with_derived", run_exchange, expect_exchange},
        {"subset_own_dats_rows", run_spill<RowStorage>, expect_spill},
        {"subset_own_dats_lanes", run_spill<LaneStorage>, expect_spill},
    };
}

}  // namespace halocline::test
