// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops through maps of arity one to four: reads from every storage, increments into every storage.
#include <array>

#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

double field_own(GlobalIndex id, int d) { return rough_number(21, id, d); }
double field_sum(GlobalIndex id, int d) { return rough_number(22, id, d); }

template <class V>
HALOCLINE_HD V sum_of(const Values<V, 3>& x) {
    return x[0] * x[1] + x[2];
}

/// Not symmetric in its targets; two components.
struct Fetch {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, Values<V, 2>& out) const {
        out[0] = sum_of(a);
        out[1] = a[0] - a[2];
    }
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b,
                                 Values<V, 2>& out) const {
        out[0] = sum_of(a) - V(2.0) * sum_of(b);
        out[1] = a[0] / (V(20.0) + b[1]);
    }
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b,
                                 const Values<V, 3>& c, Values<V, 2>& out) const {
        out[0] = sum_of(a) - V(2.0) * sum_of(b) + V(3.0) * sum_of(c);
        out[1] = a[0] * b[1] * c[2];
    }
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b,
                                 const Values<V, 3>& c, const Values<V, 3>& e,
                                 Values<V, 2>& out) const {
        out[0] = sum_of(a) - V(2.0) * sum_of(b) + V(3.0) * sum_of(c) - V(5.0) * sum_of(e);
        out[1] = (a[0] * b[1] - c[2]) * e[0];
    }
};

/// Adds something different to each target.
struct Spread {
    template <class V>
    HALOCLINE_HD static void add(const Values<V, 2>& own, const Values<V, 3>& x, V factor,
                                 Values<V, 2>& sum) {
        sum[0] += own[0] * x[0] * factor;
        sum[1] += own[1] - x[1] * factor;
    }
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<V, 3>& a,
                                 Values<V, 2>& sum_a) const {
        add(own, a, V(1.0), sum_a);
    }
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<V, 3>& a,
                                 const Values<V, 3>& b, Values<V, 2>& sum_a,
                                 Values<V, 2>& sum_b) const {
        add(own, b, V(1.25), sum_a);
        add(own, a, V(-0.75), sum_b);
    }
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<V, 3>& a,
                                 const Values<V, 3>& b, const Values<V, 3>& c, Values<V, 2>& sum_a,
                                 Values<V, 2>& sum_b, Values<V, 2>& sum_c) const {
        add(own, b, V(1.25), sum_a);
        add(own, c, V(-0.75), sum_b);
        add(own, a, V(0.6), sum_c);
    }
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<V, 3>& a,
                                 const Values<V, 3>& b, const Values<V, 3>& c,
                                 const Values<V, 3>& e, Values<V, 2>& sum_a, Values<V, 2>& sum_b,
                                 Values<V, 2>& sum_c, Values<V, 2>& sum_e) const {
        add(own, b, V(1.25), sum_a);
        add(own, c, V(-0.75), sum_b);
        add(own, e, V(0.6), sum_c);
        add(own, a, V(-0.3), sum_e);
    }
};

/// Calls `function(rows of the targets...)` for element e of a table of `arity` columns.
template <int arity, class Function>
void with_targets(const std::vector<GlobalIndex>& map, GlobalIndex e, Function&& function) {
    const auto x = [&](int k) {
        const GlobalIndex i = map[static_cast<std::size_t>(e * arity + k)];
        return Values<double, 3>{field_x(i, 0), field_x(i, 1), field_x(i, 2)};
    };
    [&]<int... k>(std::integer_sequence<int, k...>) { function(x(k)...); }
    (std::make_integer_sequence<int, arity>{});
}

template <int arity>
const std::vector<GlobalIndex>& table_for(const WorldTables& tables) {
    if constexpr (arity == 1) {
        return tables.mark_node;
    } else if constexpr (arity == 2) {
        return tables.edge_nodes;
    } else if constexpr (arity == 3) {
        return tables.triangle_nodes;
    } else {
        return tables.quad_nodes;
    }
}

template <int arity>
auto set_for(const LoopWorld& world) {
    if constexpr (arity == 1) {
        return world.marks();
    } else if constexpr (arity == 2) {
        return world.edges();
    } else if constexpr (arity == 3) {
        return world.triangles();
    } else {
        return world.quads();
    }
}

template <int arity>
auto map_for(const LoopWorld& world) {
    if constexpr (arity == 1) {
        return world.mark_node();
    } else if constexpr (arity == 2) {
        return world.edge_nodes();
    } else if constexpr (arity == 3) {
        return world.triangle_nodes();
    } else {
        return world.quad_nodes();
    }
}

template <int arity, class Storage>
std::vector<double> run_read(LoopWorld& world) {
    const auto x = world.dat<3, Storage>(world.nodes(), "x", field_x);
    auto out = world.dat<2>(set_for<arity>(world), "out", field_own);
    const auto map = map_for<arity>(world);
    [&]<int... k>(std::integer_sequence<int, k...>) {
        run_loop(world, "fetch", set_for<arity>(world), Fetch{}, read<k>(x, map)..., write(out));
    }
    (std::make_integer_sequence<int, arity>{});
    return world.collect(out);
}

template <int arity>
std::vector<double> expect_read(const WorldTables& tables) {
    const auto& map = table_for<arity>(tables);
    const auto elements = static_cast<GlobalIndex>(map.size()) / arity;
    std::vector<double> out = table_of(elements, 2, field_own);
    for (GlobalIndex e = 0; e < elements; ++e) {
        with_targets<arity>(map, e, [&](const auto&... x) {
            Values<double, 2> row;
            Fetch{}(x..., row);
            set_row(out, e, row);
        });
    }
    return out;
}

template <int arity, class Storage, class OwnStorage = RowStorage>
std::vector<double> run_inc(LoopWorld& world) {
    const auto x = world.dat<3>(world.nodes(), "x", field_x);
    const auto own = world.dat<2, OwnStorage>(set_for<arity>(world), "own", field_own);
    auto sum = world.dat<2, Storage>(world.nodes(), "sum", field_sum);
    const auto map = map_for<arity>(world);
    [&]<int... k>(std::integer_sequence<int, k...>) {
        run_loop(world, "spread", set_for<arity>(world), Spread{}, read(own), read<k>(x, map)...,
                 inc<k>(sum, map)...);
    }
    (std::make_integer_sequence<int, arity>{});
    return world.collect(sum);
}

template <int arity>
std::vector<double> expect_inc(const WorldTables& tables) {
    const auto& map = table_for<arity>(tables);
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    for (GlobalIndex e = 0; e < static_cast<GlobalIndex>(map.size()) / arity; ++e) {
        std::array<Values<double, 2>, arity> more;
        more.fill(nothing_yet<2>());
        const Values<double, 2> own{field_own(e, 0), field_own(e, 1)};
        with_targets<arity>(map, e, [&](const auto&... x) {
            [&]<int... k>(std::integer_sequence<int, k...>) { Spread{}(own, x..., more[k]...); }
            (std::make_integer_sequence<int, arity>{});
        });
        for (int k = 0; k < arity; ++k) {
            add_row(sum, map[static_cast<std::size_t>(e * arity + k)],
                    more[static_cast<std::size_t>(k)]);
        }
    }
    return sum;
}

/// Two columns of one map into one dat, one of them twice, and a second dat; a direct write beside.
struct Scatter {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<V, 3>& a,
                                 Values<V, 2>& first, Values<V, 2>& again, Values<V, 2>& last,
                                 Values<V, 1>& other, Values<V, 2>& kept) const {
        first[0] += own[0];
        first[1] += a[0];
        again[0] += own[1] * V(0.1);
        again[1] += own[0] * V(0.01);
        last[0] += own[0] - own[1];
        last[1] += a[2];
        other[0] += a[1];
        kept[0] = own[0] * a[0];
        kept[1] = own[1];
    }
};

std::vector<double> run_scatter(LoopWorld& world) {
    const auto x = world.dat<3, LaneStorage>(world.nodes(), "x", field_x);
    const auto own = world.dat<2, LaneStorage>(world.quads(), "own", field_own);
    auto sum = world.dat<2>(world.nodes(), "sum", field_sum);
    auto other = world.dat<1, LaneStorage>(world.nodes(), "other", field_sum);
    auto kept = world.dat<2>(world.quads(), "kept", field_own);
    const auto map = world.quad_nodes();
    run_loop(world, "scatter", world.quads(), Scatter{}, read(own), read<1>(x, map),
             inc<2>(sum, map), inc<2>(sum, map), inc<0>(sum, map), inc<3>(other, map), write(kept));
    std::vector<double> all = world.collect(sum);
    append(all, world.collect(other));
    append(all, world.collect(kept));
    return all;
}

std::vector<double> expect_scatter(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 2, field_sum);
    std::vector<double> other = table_of(tables.sizes.nodes, 1, field_sum);
    std::vector<double> kept = table_of(tables.sizes.quads, 2, field_own);
    for (GlobalIndex e = 0; e < tables.sizes.quads; ++e) {
        const auto node = [&](GlobalIndex k) {
            return tables.quad_nodes[static_cast<std::size_t>(e * 4 + k)];
        };
        const GlobalIndex a = node(1);
        Values<double, 2> first = nothing_yet<2>();
        Values<double, 2> again = nothing_yet<2>();
        Values<double, 2> last = nothing_yet<2>();
        Values<double, 1> more = nothing_yet<1>();
        Values<double, 2> row;
        Scatter{}(Values<double, 2>{field_own(e, 0), field_own(e, 1)},
                  Values<double, 3>{field_x(a, 0), field_x(a, 1), field_x(a, 2)}, first, again,
                  last, more, row);
        add_row(sum, node(2), first);
        add_row(sum, node(2), again);
        add_row(sum, node(0), last);
        add_row(other, node(3), more);
        set_row(kept, e, row);
    }
    append(sum, other);
    append(sum, kept);
    return sum;
}

/// Increments through a map into a dat with derived values, which must follow.
struct AddOwn {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, Values<V, 3>& sum_a,
                                 Values<V, 3>& sum_b) const {
        sum_a[0] += own[0];
        sum_a[2] += own[1] * own[0];
        sum_b[1] -= own[1];
    }
};

struct CopyOut {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& all, Values<V, 5>& out) const {
        for (int d = 0; d < 5; ++d) {
            out[d] = all[d];
        }
    }
};

std::vector<double> run_inc_derived(LoopWorld& world) {
    const auto own = world.dat<2>(world.quads(), "own", field_own);
    auto sum = world.dat<3, WithDerived>(world.nodes(), "sum", field_x);
    auto out = world.dat<5>(world.nodes(), "out", field_sum);
    const auto map = world.quad_nodes();
    run_loop(world, "add_own", world.quads(), AddOwn{}, read(own), inc<0>(sum, map),
             inc<3>(sum, map));
    run_loop(world, "copy_out", world.nodes(), CopyOut{}, read(derived(sum)), write(out));
    return world.collect(out);
}

std::vector<double> expect_inc_derived(const WorldTables& tables) {
    std::vector<double> sum = table_of(tables.sizes.nodes, 3, field_x);
    for (GlobalIndex e = 0; e < tables.sizes.quads; ++e) {
        Values<double, 3> more_a = nothing_yet<3>();
        Values<double, 3> more_b = nothing_yet<3>();
        AddOwn{}(Values<double, 2>{field_own(e, 0), field_own(e, 1)}, more_a, more_b);
        add_row(sum, tables.quad_nodes[static_cast<std::size_t>(4 * e)], more_a);
        add_row(sum, tables.quad_nodes[static_cast<std::size_t>(4 * e + 3)], more_b);
    }
    std::vector<double> out = table_of(tables.sizes.nodes, 5, field_sum);
    for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
        set_row(out, i, extended(row_of<3>(sum, i)));
    }
    return out;
}

}  // namespace

std::vector<LoopShape> indirect_read_shapes() {
    return {
        {"read_1_rows", run_read<1, RowStorage>, expect_read<1>},
        {"read_1_lanes", run_read<1, LaneStorage>, expect_read<1>},
        {"read_2_rows", run_read<2, RowStorage>, expect_read<2>},
        {"read_2_with_derived", run_read<2, WithDerived>, expect_read<2>},
        {"read_3_lanes", run_read<3, LaneStorage>, expect_read<3>},
        {"read_4_rows", run_read<4, RowStorage>, expect_read<4>},
        {"read_4_with_derived", run_read<4, WithDerived>, expect_read<4>},
    };
}

std::vector<LoopShape> indirect_inc_shapes() {
    return {
        {"inc_1_rows", run_inc<1, RowStorage, LaneStorage>, expect_inc<1>},
        {"inc_1_lanes", run_inc<1, LaneStorage>, expect_inc<1>},
        {"inc_2_rows", run_inc<2, RowStorage>, expect_inc<2>},
        {"inc_2_lanes", run_inc<2, LaneStorage, LaneStorage>, expect_inc<2>},
        {"inc_3_rows", run_inc<3, RowStorage>, expect_inc<3>},
        {"inc_4_lanes", run_inc<4, LaneStorage>, expect_inc<4>},
        {"inc_into_derived", run_inc_derived, expect_inc_derived},
        {"inc_many_dats", run_scatter, expect_scatter},
    };
}

}  // namespace halocline::test
