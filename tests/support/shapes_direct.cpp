// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops without maps: each access, each storage, derived values.
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

double field_y(GlobalIndex id, int d) { return rough_number(12, id, d); }
double field_z(GlobalIndex id, int d) { return rough_number(13, id, d); }
double field_w(GlobalIndex id, int d) { return rough_number(14, id, d); }

/// Every access at once.
struct Blend {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& x, const Values<V, 1>& factor, Values<V, 3>& y,
                                 Values<V, 2>& z, Values<V, 3>& w) const {
        for (int d = 0; d < 3; ++d) {
            y[d] = x[d] * V(1.5) - z[0] * factor[0];
            w[d] += x[d] / (V(2.0) + abs(z[1]));
        }
        z[0] = select(x[0] < z[1], min(z[0], x[2]), sqrt(abs(x[1])));
    }
};

template <class StorageX, class StorageZ>
std::vector<double> run_blend(LoopWorld& world) {
    const auto x = world.dat<3, StorageX>(world.nodes(), "x", field_x);
    auto y = world.dat<3, StorageZ>(world.nodes(), "y", field_y);
    auto z = world.dat<2, StorageZ>(world.nodes(), "z", field_z);
    auto w = world.dat<3, StorageX>(world.nodes(), "w", field_w);
    const Global<double, 1> factor{{0.7}};
    for (int step = 0; step < 2; ++step) {
        run_loop(world, "blend", world.nodes(), Blend{}, read(x), read(factor), write(y),
                 read_write(z), inc(w));
    }
    std::vector<double> all = world.collect(y);
    append(all, world.collect(z));
    append(all, world.collect(w));
    return all;
}

std::vector<double> expect_blend(const WorldTables& tables) {
    const GlobalIndex nodes = tables.sizes.nodes;
    std::vector<double> y = table_of(nodes, 3, field_y);
    std::vector<double> z = table_of(nodes, 2, field_z);
    std::vector<double> w = table_of(nodes, 3, field_w);
    for (int step = 0; step < 2; ++step) {
        for (GlobalIndex i = 0; i < nodes; ++i) {
            const Values<double, 3> x{field_x(i, 0), field_x(i, 1), field_x(i, 2)};
            Values<double, 3> new_y;
            Values<double, 2> new_z = row_of<2>(z, i);
            Values<double, 3> more_w = nothing_yet<3>();
            Blend{}(x, Values<double, 1>{0.7}, new_y, new_z, more_w);
            set_row(y, i, new_y);
            set_row(z, i, new_z);
            add_row(w, i, more_w);
        }
    }
    append(y, z);
    append(y, w);
    return y;
}

struct Drift {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& x, Values<V, 3>& q) const {
        for (int d = 0; d < 3; ++d) {
            q[d] = q[d] + x[d] * V(0.1);
        }
    }
};

struct UseDerived {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 5>& q, Values<V, 2>& out) const {
        out[0] = q[3] + q[0];
        out[1] = q[4] * q[2];
    }
};

struct Nudge {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 3>& q) const {
        q[1] += V(0.3);
    }
};

/// A dat with derived values, changed by read_write and inc, then read with what follows from it.
std::vector<double> run_derived(LoopWorld& world) {
    const auto x = world.dat<3, LaneStorage>(world.nodes(), "x", field_x);
    auto q = world.dat<3, WithDerived>(world.nodes(), "q", field_y);
    auto out = world.dat<2>(world.nodes(), "out", field_z);
    run_loop(world, "drift", world.nodes(), Drift{}, read(x), read_write(q));
    run_loop(world, "nudge", world.nodes(), Nudge{}, inc(q));
    run_loop(world, "use_derived", world.nodes(), UseDerived{}, read(derived(q)), write(out));
    std::vector<double> all = world.collect(q);
    append(all, world.collect(out));
    return all;
}

std::vector<double> expect_derived(const WorldTables& tables) {
    std::vector<double> q = table_of(tables.sizes.nodes, 3, field_y);
    std::vector<double> out = table_of(tables.sizes.nodes, 2, field_z);
    for (GlobalIndex i = 0; i < tables.sizes.nodes; ++i) {
        Values<double, 3> row = row_of<3>(q, i);
        Drift{}(Values<double, 3>{field_x(i, 0), field_x(i, 1), field_x(i, 2)}, row);
        set_row(q, i, row);
        Values<double, 3> more = nothing_yet<3>();
        Nudge{}(more);
        add_row(q, i, more);
        Values<double, 2> result;
        UseDerived{}(extended(row_of<3>(q, i)), result);
        set_row(out, i, result);
    }
    append(q, out);
    return q;
}

}  // namespace

std::vector<LoopShape> direct_shapes() {
    return {
        {"direct_rows", run_blend<RowStorage, RowStorage>, expect_blend},
        {"direct_lanes", run_blend<LaneStorage, LaneStorage>, expect_blend},
        {"direct_mixed", run_blend<LaneStorage, RowStorage>, expect_blend},
        {"direct_derived", run_derived, expect_derived},
    };
}

}  // namespace halocline::test
