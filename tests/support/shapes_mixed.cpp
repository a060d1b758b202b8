// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that change several things at once: two sets, a set and globals, rows that they alone reach.
#include "halocline/loop/exact_sum.hpp"
#include "halocline/mesh/one_to_one.hpp"
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

double field_own(GlobalIndex id, int d) { return rough_number(71, id, d); }
double field_sum(GlobalIndex id, int d) { return rough_number(72, id, d); }
double field_more(GlobalIndex id, int d) { return rough_number(73, id, d); }

/// Ids of elements and targets: what the file says, whoever owns them and wherever they lie.
struct WeighById {
    template <class V>
    HALOCLINE_HD void operator()(const Values<Integer<V>, 1>& id,
                                 const Rows<Integer<V>, 4, 1>& nodes, Values<V, 2>& out) const {
        out[0] = to_real(id[0] - nodes[2][0]);
        out[1] =
            to_real(select(nodes[0][0] < nodes[1][0], nodes[3][0], -1)) + V(0.5) * to_real(id[0]);
    }
};

std::vector<double> run_ids(LoopWorld& world) {
    const auto id = world.mesh().make_ids(world.quads());
    const auto node_id = world.mesh().make_ids(world.nodes());
    auto out = world.dat<2>(world.quads(), "out", field_own);
    run_loop(world, "weigh_by_id", world.quads(), WeighById{}, read(id),
             read_all(node_id, world.quad_nodes()), write(out));
    return world.collect(out);
}

std::vector<double> expect_ids(const WorldTables& tables) {
    return table_of(tables.sizes.quads, 2, [&](GlobalIndex e, int d) {
        const auto node = [&](GlobalIndex k) {
            return static_cast<double>(tables.quad_nodes[static_cast<std::size_t>(4 * e + k)]);
        };
        const auto id = static_cast<double>(e);
        return d == 0 ? id - node(2) : (node(0) < node(1) ? node(3) : -1.0) + 0.5 * id;
    });
}

/// Two columns of nodes, their parents by another loop's map, the own element, and globals.
struct ChangeAll {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<V, 3>& x,
                                 Values<V, 2>& sum_a, Values<V, 2>& sum_b, Values<V, 1>& low,
                                 Values<V, 2>& kept, Values<V, 1>& total,
                                 Values<V, 1>& high) const {
        sum_a[0] += own[0] * x[1] + kept[0];
        sum_a[1] += own[1];
        sum_b[0] -= x[2];
        sum_b[1] += kept[1] * own[0];
        low[0] = min(low[0], x[0] - own[1]);
        total[0] += kept[0] * own[1];
        high[0] = max(high[0], kept[1]);
        kept[0] = kept[0] * V(0.5) + own[0];
        kept[1] = x[0];
    }
};

std::vector<double> run_two_sets(LoopWorld& world) {
    const auto x = world.dat<3>(world.nodes(), "x", field_x);
    const auto own = world.dat<2, LaneStorage>(world.pairs(), "own", field_own);
    auto sum = world.dat<2>(world.nodes(), "sum", field_sum);
    auto low = world.dat<1>(world.coarse(), "low", field_sum);
    auto kept = world.dat<2>(world.pairs(), "kept", field_more);
    Global<double, 1> total{{0.25}};
    Global<double, 1> high{{-1e9}};
    const auto nodes = world.pair_nodes();
    run_loop(world, "change_all", world.pairs(), ChangeAll{}, read(own), read<1>(x, nodes),
             inc<1>(sum, nodes), inc<0>(sum, nodes), reduce_min<0>(low, world.pair_coarse()),
             read_write(kept), inc(total), reduce_max(high));
    std::vector<double> all = world.collect(sum);
    append(all, world.collect(low));
    append(all, world.collect(kept));
    append(all, {total[0], high[0]});
    return all;
}

std::vector<double> expect_two_sets(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    std::vector<double> low = table_of(tables.sizes.coarse, 1, field_sum);
    std::vector<double> kept = table_of(tables.sizes.pairs, 2, field_more);
    ExactSum total;
    Values<double, 1> high{{-1e9}};
    for (GlobalIndex e = 0; e < tables.sizes.pairs; ++e) {
        const GlobalIndex a = tables.pair_nodes[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.pair_nodes[static_cast<std::size_t>(2 * e) + 1];
        const GlobalIndex c = tables.pair_coarse[static_cast<std::size_t>(e)];
        Values<double, 2> more_b = nothing_yet<2>();
        Values<double, 2> more_a = nothing_yet<2>();
        Values<double, 1> least = row_of<1>(low, c);
        Values<double, 2> row = row_of<2>(kept, e);
        Values<double, 1> one = nothing_yet<1>();
        ChangeAll{}({field_own(e, 0), field_own(e, 1)},
                    {field_x(b, 0), field_x(b, 1), field_x(b, 2)}, more_b, more_a, least, row, one,
                    high);
        add_row(sum, b, more_b);
        add_row(sum, a, more_a);
        set_row(low, c, least);
        set_row(kept, e, row);
        total.add(one[0]);
    }
    append(sum, low);
    append(sum, kept);
    append(sum, {0.25 + total.value(), high[0]});
    return sum;
}

/// Writes rows that it alone reaches, adds to what others reach, too, and reads the old rows for it.
struct Claim {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, Rows<V, 2, 3>& rows, Values<V, 2>& sum,
                                 Values<V, 2>& fresh, Values<V, 1>& total) const {
        sum[0] += rows[0][0] * own[0];
        sum[1] += rows[1][2];
        fresh[0] = rows[0][1] + rows[1][1];
        fresh[1] = own[1];
        total[0] += rows[1][0];
        for (int d = 0; d < 3; ++d) {
            const V first = rows[0][d];
            rows[0][d] = rows[1][d] * own[0];
            rows[1][d] = first - own[1];
        }
    }
};

struct CopyAll {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& from, Values<V, 5>& to) const {
        to = from;
    }
};

template <class Storage>
std::vector<double> run_claim(LoopWorld& world) {
    const Communicator comm(MPI_COMM_WORLD);
    const auto claims = one_to_one(comm, world.pair_claims());
    const auto own = world.dat<2>(world.pairs(), "own", field_own);
    auto rows = world.dat<3, Storage>(world.nodes(), "rows", field_x);
    auto sum = world.dat<2>(world.coarse(), "sum", field_sum);
    auto fresh = world.dat<2, LaneStorage>(world.nodes(), "fresh", field_more);
    Global<double, 1> total;
    run_loop(world, "claim", world.pairs(), Claim{}, read(own), read_write_all(rows, claims),
             inc<0>(sum, world.pair_coarse()), write<1>(fresh, claims), inc(total));
    std::vector<double> all = world.collect(rows);
    append(all, world.collect(sum));
    append(all, world.collect(fresh));
    append(all, {total[0]});
    if constexpr (std::is_same_v<Storage, WithDerived>) {
        auto out = world.dat<5>(world.nodes(), "out", field_sum);
        run_loop(world, "copy", world.nodes(), CopyAll{}, read(derived(rows)), write(out));
        append(all, world.collect(out));
    }
    return all;
}

template <bool with_derived>
std::vector<double> expect_claim(const WorldTables& tables) {
    std::vector<double> rows = table_of(tables.sizes.nodes, 3, field_x);
    std::vector<double> sum = table_of(tables.sizes.coarse, 2, field_sum);
    std::vector<double> fresh = table_of(tables.sizes.nodes, 2, field_more);
    ExactSum total;
    for (GlobalIndex e = 0; e < tables.sizes.pairs; ++e) {
        const GlobalIndex a = tables.pair_claims[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.pair_claims[static_cast<std::size_t>(2 * e) + 1];
        Rows<double, 2, 3> claimed{{row_of<3>(rows, a), row_of<3>(rows, b)}};
        Values<double, 2> more = nothing_yet<2>();
        Values<double, 2> written;
        Values<double, 1> one = nothing_yet<1>();
        Claim{}({field_own(e, 0), field_own(e, 1)}, claimed, more, written, one);
        set_row(rows, a, claimed[0]);
        set_row(rows, b, claimed[1]);
        add_row(sum, tables.pair_coarse[static_cast<std::size_t>(e)], more);
        set_row(fresh, b, written);
        total.add(one[0]);
    }
    std::vector<double> all = rows;
    append(all, sum);
    append(all, fresh);
    append(all, {total.value()});
    for (GlobalIndex i = 0; with_derived && i < tables.sizes.nodes; ++i) {
        const Values<double, 5> row = extended(row_of<3>(rows, i));
        append(all, {row[0], row[1], row[2], row[3], row[4]});
    }
    return all;
}

/// Direct changes and rows it alone reaches, nothing that others share.
struct Move {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 2>& own, Values<V, 3>& row) const {
        const V first = row[0];
        row[0] = own[0] + row[1];
        row[2] = own[1];
        own[1] = first * own[1];
    }
};

std::vector<double> run_move(LoopWorld& world) {
    const Communicator comm(MPI_COMM_WORLD);
    auto own = world.dat<2, LaneStorage>(world.pairs(), "own", field_own);
    auto rows = world.dat<3>(world.nodes(), "rows", field_x);
    run_loop(world, "move", world.pairs(), Move{}, read_write(own),
             read_write<1>(rows, one_to_one(comm, world.pair_claims())));
    std::vector<double> all = world.collect(own);
    append(all, world.collect(rows));
    return all;
}

std::vector<double> expect_move(const WorldTables& tables) {
    std::vector<double> own = table_of(tables.sizes.pairs, 2, field_own);
    std::vector<double> rows = table_of(tables.sizes.nodes, 3, field_x);
    for (GlobalIndex e = 0; e < tables.sizes.pairs; ++e) {
        const GlobalIndex target = tables.pair_claims[static_cast<std::size_t>(2 * e) + 1];
        Values<double, 2> mine = row_of<2>(own, e);
        Values<double, 3> row = row_of<3>(rows, target);
        Move{}(mine, row);
        set_row(own, e, mine);
        set_row(rows, target, row);
    }
    append(own, rows);
    return own;
}

}  // namespace

std::vector<LoopShape> mixed_shapes() {
    return {
        {"element_ids", run_ids, expect_ids},
        {"two_sets_own_and_globals", run_two_sets, expect_two_sets},
        {"one_to_one_beside_shared", run_claim<RowStorage>, expect_claim<false>},
        {"one_to_one_lanes", run_claim<LaneStorage>, expect_claim<false>},
        {"one_to_one_with_derived", run_claim<WithDerived>, expect_claim<true>},
        {"one_to_one_and_own", run_move, expect_move},
    };
}

}  // namespace halocline::test
