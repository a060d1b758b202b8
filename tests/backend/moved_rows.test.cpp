// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// When loops of one thread move their dats to compact rows, and when back: by times that are made up.
#include <gtest/gtest.h>

#include "halocline/backend/openmp/loop_dats.hpp"
#include "halocline/backend/par_loop.hpp"
#include "halocline/mesh/moved_rows.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

using Variant = VariantChoice::Variant;

const VariantChoice::Allowed both =
    VariantChoice::only_packs() | VariantChoice::only(Variant::elements_in_rows);

struct Grow {
    template <class V>
    void operator()(Values<V, 3>& q) const {
        q[0] = q[0] * V(2.0) + q[2];
    }
};

struct Add {
    template <class V>
    void operator()(const Values<V, 3>& q, Values<V, 3>& sum) const {
        for (int d = 0; d < 3; ++d) {
            sum[d] += q[d];
        }
    }
};

class MovedRows : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    LoopWorld world{comm, WorldTables({5000, 7, 0, 0, 2, 2}), {Backend::openmp, 1}};
    Context& context = world.context();
    Dat<Node, double, 3, LaneStorage> q = world.dat<3, LaneStorage>(world.nodes(), "q", field_x);
    Dat<Node, double, 3, LaneStorage> p = world.dat<3, LaneStorage>(world.nodes(), "p", field_x);

    [[nodiscard]] bool in_rows() { return q.handle().asked_layout.has_value(); }
    /// What moving q takes, as long as nothing was moved.
    [[nodiscard]] double move_s() { return loop_dats(q).move_s(context); }

    template <class... DatT>
    [[nodiscard]] detail::LoopDats loop_dats(DatT&... dat) const {
        return dats_of(make_loop("grow", world.nodes(), Grow{}, read_write(dat))...);
    }
    template <class... Loops>
    [[nodiscard]] static detail::LoopDats dats_of(const Loops&... loops) {
        const detail::ArgUses uses[] = {loops.uses...};
        return detail::LoopDats(uses);
    }

    /// Seconds that calls of a loop over q take.
    struct Times {
        double packs_s;
        double rows_s;
    };
    /// Calls a loop; returns how often q was moved.
    int call(VariantChoice& faster, const Times& times, int calls) {
        int moves = 0;
        for (int k = 0; k < calls; ++k) {
            const bool before = in_rows();
            detail::LoopDats dats = loop_dats(q);
            const detail::SettledVariant settled = settle_variant(context, faster, both, dats);
            moves += in_rows() == before ? 0 : 1;
            EXPECT_EQ(settled.variant == Variant::elements_in_rows, in_rows());
            if (settled.is_trial) {
                faster.note(settled.variant, in_rows() ? times.rows_s : times.packs_s);
            }
        }
        return moves;
    }
    /// A loop that needs q as its type has it.
    void need_lanes() {
        VariantChoice faster;
        detail::LoopDats dats = loop_dats(q);
        EXPECT_EQ(settle_variant(context, faster, VariantChoice::only_packs(), dats).variant,
                  Variant::packs);
        EXPECT_FALSE(in_rows());
    }
};

TEST_F(MovedRows, WhereALoopIsFasterSo) {
    VariantChoice faster;
    EXPECT_EQ(call(faster, {move_s(), 0.1 * move_s()}, 100), 1);
    EXPECT_TRUE(in_rows());
}

TEST_F(MovedRows, GoBackWhereItIsNotAndStayThere) {
    VariantChoice faster;
    EXPECT_EQ(call(faster, {move_s(), 1.2 * move_s()}, 1000), 2);
    EXPECT_FALSE(in_rows());
}

TEST_F(MovedRows, AreLookedAtNoMoreOnceAllWaysAreKnown) {
    VariantChoice faster;
    const VariantChoice::Allowed all = both | VariantChoice::only(Variant::elements);
    const double same_s = move_s();
    int trials = 0;
    for (int k = 0; k < 200; ++k) {
        detail::LoopDats dats = loop_dats(q);
        const detail::SettledVariant settled = settle_variant(context, faster, all, dats);
        trials += settled.is_trial ? 1 : 0;
        if (settled.is_trial) {
            faster.note(settled.variant, same_s);  // all alike, which takes the most trials
        }
    }
    EXPECT_EQ(trials, 2 * VariantChoice::trials_of_close_ones + VariantChoice::trials);
    EXPECT_FALSE(in_rows());
}

TEST_F(MovedRows, StayWhereADifferenceIsNoneToSpeakOf) {
    VariantChoice faster;
    call(faster, {move_s(), 0.99 * move_s()}, 1000);
    EXPECT_FALSE(in_rows());
}

TEST_F(MovedRows, AreNotWorthMovingBetweenLoopsThatNeedLanes) {
    VariantChoice faster;
    const Times times{0.1 * move_s(), 0.01 * move_s()};
    for (int step = 0; step < 100; ++step) {
        EXPECT_EQ(call(faster, times, 3), 0);
        need_lanes();
    }
}

TEST_F(MovedRows, AreMovedBetweenThemWhereManyCallsGain) {
    VariantChoice faster;
    const Times times{move_s(), 0.1 * move_s()};
    call(faster, times, 50);
    need_lanes();
    EXPECT_EQ(call(faster, times, 50), 1);
    EXPECT_TRUE(in_rows());
}

TEST_F(MovedRows, ComeBackForALoopOfTwoDatsThatLieInDifferentWays) {
    VariantChoice faster;
    call(faster, {move_s(), 0.1 * move_s()}, 100);
    VariantChoice of_two;
    detail::LoopDats dats = loop_dats(q, p);
    EXPECT_FALSE(dats.all_in_rows());
    EXPECT_EQ(settle_variant(context, of_two, both, dats).variant, Variant::packs);
    EXPECT_FALSE(in_rows());
}

/// Whatever lies where: the same bits as on the serial back end, files and loops see the same values.
TEST_F(MovedRows, HaveTheSameBitsInLoopsOfBothKinds) {
    LoopWorld serial(comm, WorldTables({5000, 7, 0, 0, 2, 2}), {Backend::serial, 1});
    auto wanted = serial.dat<3, LaneStorage>(serial.nodes(), "q", field_x);
    auto wanted_sum = serial.dat<3, LaneStorage>(serial.nodes(), "sum", field_x);
    auto sum = world.dat<3, LaneStorage>(world.nodes(), "sum", field_x);
    for (int step = 0; step < 6; ++step) {
        if (step % 2 == 1) {
            move_to_rows(q.handle());
        }
        par_loop(serial.context(), "grow", serial.nodes(), Grow{}, read_write(wanted));
        par_loop(context, "grow", world.nodes(), Grow{}, read_write(q));
        par_loop(serial.context(), "add", serial.nodes(), Add{}, read(wanted), inc(wanted_sum));
        par_loop(context, "add", world.nodes(), Add{}, read(q), inc(sum));
        EXPECT_TRUE(same_numbers(world.collect(q), serial.collect(wanted)));
    }
    EXPECT_TRUE(same_numbers(world.collect(sum), serial.collect(wanted_sum)));
}

}  // namespace

}  // namespace halocline::test
