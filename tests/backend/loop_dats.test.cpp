// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// When loops of one thread move their dats to compact rows, and when back: by times that are made up.
#include "halocline/backend/openmp/loop_dats.hpp"

#include <gtest/gtest.h>

#include "halocline/backend/par_loop.hpp"
#include "halocline/mesh/moved_rows.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::test {

namespace {

using Variant = VariantChoice::Variant;
using Lanes = Dat<Node, double, 3, LaneStorage>;

const VariantChoice::Allowed rows = VariantChoice::only(Variant::elements_in_rows);
const VariantChoice::Allowed both = VariantChoice::only_packs() | rows;

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

struct Spread {
    template <class V>
    void operator()(const Values<V, 3>& a, Values<V, 3>& to_a, Values<V, 3>& to_b) const {
        for (int d = 0; d < 3; ++d) {
            to_a[d] += a[d];
            to_b[d] += V(0.5) * a[d];
        }
    }
};

/// A loop and what its calls take [s].
struct TimedLoop {
    double packs_s;
    double rows_s;
    VariantChoice choice{};
    int calls_in_rows = 0;
};

/// 5000 nodes: moving a dat is taken to cost 15 microseconds.
constexpr double slow_s = 20e-6;
constexpr double fast_s = 2e-6;

class LoopsOfDats : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    LoopWorld world{comm, WorldTables({5000, 7, 0, 0, 2, 2}), {Backend::openmp, 1}};
    Lanes q = world.dat<3, LaneStorage>(world.nodes(), "q", field_x);
    Lanes p = world.dat<3, LaneStorage>(world.nodes(), "p", field_x);

    static bool in_rows(Lanes& dat) { return dat.handle().moved.asked.has_value(); }

    template <class... DatT>
    [[nodiscard]] detail::LoopDats dats_of(DatT&... dat) const {
        return of_loops(make_loop("grow", world.nodes(), Grow{}, read_write(dat))...);
    }
    template <class... Loops>
    [[nodiscard]] static detail::LoopDats of_loops(const Loops&... loops) {
        const detail::ArgUses uses[] = {loops.uses...};
        return detail::LoopDats(uses);
    }

    /// Calls a loop over some dats; returns how often the first of them was moved.
    template <class... DatT>
    int call(TimedLoop& loop, int calls, Lanes& first, DatT&... others) {
        int moves = 0;
        for (int k = 0; k < calls; ++k) {
            const bool before = in_rows(first);
            detail::LoopDats dats = dats_of(first, others...);
            const VariantChoice::Allowed allowed = dats.within_reach(both);
            const VariantChoice::Allowed settled = dats.settle(loop.choice, allowed);
            moves += in_rows(first) == before ? 0 : 1;
            const Variant variant = loop.choice.next(settled, allowed);
            loop.calls_in_rows += in_rows(first) ? 1 : 0;
            for (Lanes* dat : {&first, &others...}) {
                EXPECT_EQ(variant == Variant::elements_in_rows, in_rows(*dat));
            }
            if (loop.choice.is_trial(settled, allowed)) {
                loop.choice.note(variant, in_rows(first) ? loop.rows_s : loop.packs_s);
            } else {
                loop.choice.note_settled(settled, dats.elsewhere(allowed), dats.visit_s());
            }
        }
        return moves;
    }
    /// A loop that needs q as its type has it.
    void need_lanes() {
        const VariantChoice none;
        EXPECT_EQ(dats_of(q).settle(none, VariantChoice::only_packs()),
                  VariantChoice::only_packs());
        EXPECT_FALSE(in_rows(q));
    }
};

TEST_F(LoopsOfDats, MoveThemWhereTheyAreFasterSo) {
    TimedLoop loop{slow_s, fast_s};
    EXPECT_EQ(call(loop, 100, q), 1);
    EXPECT_TRUE(in_rows(q));
}

TEST_F(LoopsOfDats, MoveThemBackWhereTheyAreNotAndLeaveThemThere) {
    TimedLoop loop{slow_s, 1.2 * slow_s};
    EXPECT_EQ(call(loop, 30, q), 2);
    EXPECT_FALSE(in_rows(q));
    call(loop, 1000, q);
    EXPECT_FALSE(in_rows(q));
}

/// What took so much longer in one turn does not get another, though nothing else can run in rows.
TEST_F(LoopsOfDats, MoveThemBackAfterATurnThatTookFarLonger) {
    TimedLoop loop{slow_s, 5.0 * slow_s};
    EXPECT_EQ(call(loop, 1000, q), 2);
    EXPECT_FALSE(in_rows(q));
    EXPECT_EQ(loop.calls_in_rows, VariantChoice::calls_a_turn);
}

TEST_F(LoopsOfDats, LeaveThemWhereADifferenceIsNoneToSpeakOf) {
    TimedLoop loop{slow_s, 0.99 * slow_s};
    call(loop, 20, q);
    const bool found = in_rows(q);
    EXPECT_EQ(call(loop, 10, q), 0);
    call(loop, 1000, q);
    EXPECT_EQ(in_rows(q), found);
    EXPECT_EQ(q.handle().moved.times, found ? 1 : 0);
}

TEST_F(LoopsOfDats, DoNotMoveThemForLessThanMovingTakes) {
    TimedLoop loop{fast_s, 0.1 * fast_s};
    for (int step = 0; step < 200; ++step) {
        call(loop, 3, q);
        need_lanes();
    }
    EXPECT_EQ(q.handle().moved.times, 0);
    EXPECT_EQ(loop.calls_in_rows, VariantChoice::bouts * VariantChoice::calls_a_turn);
}

/// First turns in rows that were disturbed; in lanes, for the other way round.
TEST_F(LoopsOfDats, MoveThemForASecondLookWhereTheFirstWasDisturbed) {
    TimedLoop loop{slow_s, 1.5 * slow_s};
    call(loop, 20, q);
    ASSERT_FALSE(in_rows(q));
    loop.rows_s = 0.7 * slow_s;
    call(loop, 1000, q);
    EXPECT_TRUE(in_rows(q));
    loop.packs_s = 0.5 * slow_s;
    call(loop, 1000, q);
    EXPECT_FALSE(in_rows(q));
}

/// All of a thousand calls' visits; the first turns take two moves.
TEST_F(LoopsOfDats, VisitSeldomAndDoNotGiveUpForThat) {
    TimedLoop loop{slow_s, 1.2 * slow_s};
    const int moves = call(loop, 1000, q);
    EXPECT_GT(moves, 2 + 2 * 3);
    EXPECT_LT(moves, 2 + 2 * 8);
    EXPECT_EQ(q.handle().moved.times, 1);
    EXPECT_LT(loop.calls_in_rows, 30);
    call(loop, 100'000, q);
    EXPECT_EQ(dats_of(q).within_reach(both), both);
}

TEST_F(LoopsOfDats, GiveUpWhereOthersNeedThemAsTheyWere) {
    TimedLoop loop{slow_s, fast_s};
    int moves = 0;
    for (int step = 0; step < 100; ++step) {
        moves += call(loop, 20, q);
        need_lanes();
    }
    EXPECT_EQ(moves, 6);
}

TEST_F(LoopsOfDats, ThatLieInTwoWaysGoWhereTheLoopIsFaster) {
    TimedLoop of_one{slow_s, fast_s};
    call(of_one, 100, q);
    ASSERT_TRUE(in_rows(q));
    TimedLoop of_two{slow_s, fast_s};
    call(of_two, 1, q, p);
    EXPECT_TRUE(in_rows(p));
    TimedLoop slow_in_rows{fast_s, slow_s};
    call(slow_in_rows, 100, q, p);
    EXPECT_FALSE(in_rows(q));
    EXPECT_FALSE(in_rows(p));
}

/// Another dat's memory ends with that dat, and who lent it knows where values lie.
TEST_F(LoopsOfDats, LeaveBorrowedMemoryAsItIs) {
    p.handle().values = Buffer<double>::borrow(q.handle().values.data(), q.handle().values.size());
    TimedLoop loop{slow_s, fast_s};
    for (int k = 0; k < 100; ++k) {
        EXPECT_EQ(dats_of(p).within_reach(both), VariantChoice::only_packs());
        EXPECT_EQ(dats_of(p).settle(loop.choice, VariantChoice::only_packs()),
                  VariantChoice::only_packs());
        loop.choice.note(Variant::packs, loop.packs_s);
    }
    EXPECT_FALSE(dats_of(p).may_take(Variant::elements_in_rows, both));
}

/// Whatever lies where: the same bits as on the serial back end, files and loops see the same values.
TEST_F(LoopsOfDats, HaveTheSameBitsInLoopsOfBothKinds) {
    LoopWorld serial(comm, WorldTables({5000, 7, 0, 0, 2, 2}), {Backend::serial, 1});
    auto wanted = serial.dat<3, LaneStorage>(serial.nodes(), "q", field_x);
    auto wanted_sum = serial.dat<3, LaneStorage>(serial.nodes(), "sum", field_x);
    auto sum = world.dat<3, LaneStorage>(world.nodes(), "sum", field_x);
    for (int step = 0; step < 6; ++step) {
        if (step % 2 == 1) {
            move_to_rows(q.handle());
        }
        par_loop(serial.context(), "grow", serial.nodes(), Grow{}, read_write(wanted));
        par_loop(world.context(), "grow", world.nodes(), Grow{}, read_write(q));
        par_loop(serial.context(), "add", serial.nodes(), Add{}, read(wanted), inc(wanted_sum));
        par_loop(world.context(), "add", world.nodes(), Add{}, read(q), inc(sum));
        EXPECT_TRUE(same_numbers(world.collect(q), serial.collect(wanted)));
    }
    EXPECT_TRUE(same_numbers(world.collect(sum), serial.collect(wanted_sum)));
}

/// Floats through a temporary, the only dat that could be moved: it has values between the loops of a
/// chain. Over nodes the chain is fused; that over edges scatters, and runs loop by loop.
TEST_F(LoopsOfDats, MoveTemporariesOfAChainWithTheirValues) {
    const WorldTables tables({5000, 9000, 0, 0, 2, 2});
    const auto run = [&](const WorldOptions& options, int calls) {
        LoopWorld on(comm, tables, options);
        auto x = on.dat<3, RowStorage, float>(on.nodes(), "x", field_x);
        auto y = on.dat<3, RowStorage, float>(on.nodes(), "y", field_x);
        auto between = on.mesh().make_temporary<Node, float, 3>(on.nodes(), "between");
        const auto read_it = make_loop("second", on.nodes(), Add{}, read(between), inc(y));
        for (int k = 0; k < calls; ++k) {
            run_chain(on.context(), "direct", on.nodes(),
                      make_loop("first", on.nodes(), Add{}, read(x), inc(between)), read_it);
            run_chain(on.context(), "scattered", on.nodes(),
                      make_loop("spread", on.edges(), Spread{}, read<0>(x, on.edge_nodes()),
                                inc<0>(between, on.edge_nodes()), inc<1>(between, on.edge_nodes())),
                      read_it);
        }
        return on.collect(y);
    };
    EXPECT_EQ(run({.backend = Backend::openmp}, 60), run({}, 60));
    for (const Variant variant : {Variant::packs, Variant::elements, Variant::elements_in_rows}) {
        EXPECT_EQ(run({.backend = Backend::openmp, .variant = variant}, 3), run({}, 3));
    }
}

}  // namespace

}  // namespace halocline::test
