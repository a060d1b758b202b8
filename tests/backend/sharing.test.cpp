// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Single elements take arguments for one dat where types let expect it, and only where it is so.
#include <gtest/gtest.h>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::test {

namespace {

/// Tells its first value from its second.
struct Spread {
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& to_a,
                    Values<V, 1>& to_b) const {
        to_a[0] += a[0] - V(3.0) * b[0];
        to_b[0] += V(5.0) * b[0];
    }
};

struct Dats {
    Dat<Node, double, 1> x;
    Dat<Node, double, 1> y;
    Dat<Node, double, 1> first_sum;
    Dat<Node, double, 1> second_sum;
};

class SharedDats : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    WorldTables tables{{300, 700, 0, 0, 2, 2}};
    LoopWorld serial{comm, tables, {.backend = Backend::serial}};
    LoopWorld by_element{
        comm, tables, {.backend = Backend::openmp, .variant = VariantChoice::Variant::elements}};

    static Dats dats_of(LoopWorld& world) {
        const auto zero = [](GlobalIndex, int) { return 0.0; };
        const auto other = [](GlobalIndex id, int d) { return 2.0 + field_x(id, d); };
        return {world.dat<1>(world.nodes(), "x", field_x), world.dat<1>(world.nodes(), "y", other),
                world.dat<1>(world.nodes(), "first_sum", zero),
                world.dat<1>(world.nodes(), "second_sum", zero)};
    }
    static auto loop_over(LoopWorld& world, Dat<Node, double, 1>& a, Dat<Node, double, 1>& b,
                          Dat<Node, double, 1>& to_a, Dat<Node, double, 1>& to_b) {
        const auto ends = world.edge_nodes();
        return make_loop("spread", world.edges(), Spread{}, read<0>(a, ends), read<1>(b, ends),
                         inc<0>(to_a, ends), inc<1>(to_b, ends));
    }
};

TEST_F(SharedDats, AreSeenByTypeAndLookedAtInTheCall) {
    Dats d = dats_of(by_element);
    using LoopT = decltype(loop_over(by_element, d.x, d.x, d.first_sum, d.first_sum));
    EXPECT_EQ((detail::first_of_dat<LoopT, 1>()), 0U);
    EXPECT_EQ((detail::first_of_dat<LoopT, 3>()), 2U);
    EXPECT_TRUE(
        detail::shares_by_type(loop_over(by_element, d.x, d.x, d.first_sum, d.first_sum).uses));
    EXPECT_FALSE(
        detail::shares_by_type(loop_over(by_element, d.x, d.y, d.first_sum, d.first_sum).uses));
    EXPECT_FALSE(
        detail::shares_by_type(loop_over(by_element, d.x, d.x, d.first_sum, d.second_sum).uses));
}

TEST_F(SharedDats, AndTwoOfOneTypeGiveTheBitsOfSerial) {
    Dats expected = dats_of(serial);
    Dats found = dats_of(by_element);
    const auto run = [](LoopWorld& world, Dats& d) {
        par_loop(world.context(), loop_over(world, d.x, d.x, d.first_sum, d.first_sum));
        par_loop(world.context(), loop_over(world, d.x, d.y, d.first_sum, d.second_sum));
    };
    run(serial, expected);
    run(by_element, found);
    EXPECT_TRUE(
        same_numbers(by_element.collect(found.first_sum), serial.collect(expected.first_sum)));
    EXPECT_TRUE(
        same_numbers(by_element.collect(found.second_sum), serial.collect(expected.second_sum)));
}

/// Two arguments through one column are two dats: types cannot tell which of them the others are.
struct TwoReads {
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, const Values<V, 1>& c,
                    Values<V, 1>& sum) const {
        sum[0] += a[0] + b[0] * c[0];
    }
};

TEST_F(SharedDats, AreNotExpectedWhereAColumnHasTwo) {
    Dats d = dats_of(by_element);
    const auto ends = by_element.edge_nodes();
    const auto loop = make_loop("two_reads", by_element.edges(), TwoReads{}, read<0>(d.x, ends),
                                read<1>(d.x, ends), read<1>(d.y, ends), inc<0>(d.first_sum, ends));
    using LoopT = std::remove_const_t<decltype(loop)>;
    EXPECT_EQ((detail::first_of_dat<LoopT, 1>()), 1U);
    EXPECT_EQ((detail::first_of_dat<LoopT, 2>()), 2U);
    EXPECT_TRUE(detail::shares_by_type(loop.uses));
}

}  // namespace

}  // namespace halocline::test
