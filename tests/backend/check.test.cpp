// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The check back end catches each kind of kernel that does something else than it declares.
#include <gtest/gtest.h>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
#include "support/numbers.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

class Check : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    LoopWorld world{comm, ring_tables(), {Backend::check, 1, "block", false}};
    Context& context = world.context();
    Dat<Node, double, 2> x = world.dat<2>(world.nodes(), "x", one);
    Dat<Node, double, 2> y = world.dat<2>(world.nodes(), "y", one);

    static double one(GlobalIndex, int) { return 1.0; }

    static void expect_words(const std::string& text, const std::string& words) {
        EXPECT_NE(text.find(words), std::string::npos) << "said: '" << text << "'";
    }
};

struct ReadsWhatItWrites {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& to) const {
        to[0] = from[0] + to[1];
        to[1] = from[1];
    }
};

TEST_F(Check, ReadingWhatIsDeclaredWrite) {
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.nodes(), ReadsWhatItWrites{}, read(x),
                              write(y));
                 }),
                 "reads what it declares to write");
}

struct WritesHalf {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& to) const {
        to[0] = from[0];
    }
};

TEST_F(Check, LeavingAWriteUnwritten) {
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.nodes(), WritesHalf{}, read(x), write(y));
                 }),
                 "does not write what it declares to write (argument 1, component 1)");
}

struct WritesSometimes {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& to) const {
        to[0] = from[0];
        to[1] = select(from[0] > V(3.5), from[1], to[1]);
    }
};

TEST_F(Check, LeavingAWriteUnwrittenForSomeElements) {
    auto rising = world.dat<2>(world.nodes(), "rising",
                               [](GlobalIndex id, int) { return static_cast<double>(id) - 2.0; });
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.nodes(), WritesSometimes{}, read(rising),
                              write(y));
                 }),
                 "element 0 of set 'nodes'");
}

struct AddsHalfOfItsSum {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& sum) const {
        sum[0] += from[0];
        sum[1] += from[1] + V(0.5) * sum[1];
    }
};

TEST_F(Check, AddingWhatIsInTheSum) {
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.edges(), AddsHalfOfItsSum{},
                              read<0>(x, world.edge_nodes()), inc<1>(y, world.edge_nodes()));
                 }),
                 "reads what it declares to increment (argument 1)");
}

struct AddsFarTerms {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& sum) const {
        sum[0] += V(1e30) * from[0];
        sum[0] -= V(1e30) * from[0];
        sum[1] += from[0] * from[1];
    }
};

TEST_F(Check, AddingTermsThatCancelIsNoFault) {
    EXPECT_EQ(any_error([&] {
                  par_loop(context, "adds", world.edges(), AddsFarTerms{},
                           read<0>(x, world.edge_nodes()), inc<1>(y, world.edge_nodes()));
              }),
              "");
}

struct Overwrites {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& sum) const {
        sum[0] += from[0];
        sum[1] = from[1];
    }
};

TEST_F(Check, OverwritingAnIncrement) {
    expect_words(
        any_error([&] { par_loop(context, "lies", world.nodes(), Overwrites{}, read(x), inc(y)); }),
        "overwrites what it declares to increment");
    Global<double, 2> total;
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.nodes(), Overwrites{}, read(x), inc(total));
                 }),
                 "overwrites what it declares to increment");
}

struct UsesItsIncrement {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& sum, Values<V, 2>& out) const {
        sum[0] += from[0];
        out[0] = sum[0];
        out[1] = from[1];
    }
};

TEST_F(Check, ReadingAnIncrement) {
    auto z = world.dat<2>(world.nodes(), "z", one);
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.nodes(), UsesItsIncrement{}, read(x), inc(y),
                              write(z));
                 }),
                 "reads what it declares to write or increment");
}

struct IncrementsByAnIncrement {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& sum, Values<V, 2>& other) const {
        sum[0] += from[0];
        other[1] += sum[0] + from[1];
    }
};

TEST_F(Check, AddingOneIncrementToAnother) {
    auto z = world.dat<2>(world.nodes(), "z", one);
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.nodes(), IncrementsByAnIncrement{}, read(x),
                              inc(y), inc(z));
                 }),
                 "reads what it declares to");
}

struct WritesThroughConst {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& to) const {
        const_cast<Values<V, 2>&>(from)[1] = V(5.0);
        to[0] = from[0];
        to[1] = from[0];
    }
};

TEST_F(Check, ChangingWhatIsDeclaredRead) {
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.nodes(), WritesThroughConst{}, read(x),
                              write(y));
                 }),
                 "changes what it declares to read");
}

struct OverwritesASecondRow {
    template <class V>
    void operator()(const Rows<V, 2, 2>& from, Rows<V, 2, 2>& sum) const {
        sum[0][0] += from[0][0];
        sum[1][1] = from[1][0];
    }
};

/// The place is that of the argument as it was written, and the row within it.
TEST_F(Check, OverwritingARowOfTheIncrements) {
    expect_words(any_error([&] {
                     par_loop(context, "lies", world.edges(), OverwritesASecondRow{},
                              read_all(x, world.edge_nodes()), inc_all(y, world.edge_nodes()));
                 }),
                 "overwrites what it declares to increment (argument 1, row 1, component 1)");
}

struct Count {
    template <class V>
    void operator()(Values<V, 2>& sum) const {
        sum[0] += V(1.0);
    }
};

TEST_F(Check, AMapThatLeadsOutOfItsSet) {
    for (const LocalIndex bad : {6, -1, 1000000}) {
        MapPart broken;
        broken.name = "broken";
        broken.arity = 1;
        broken.targets = Buffer<LocalIndex>(2, bad);
        const Map<Mark, Node, 1> map{&broken, world.marks().part, world.nodes().part};
        expect_words(
            any_error([&] { par_loop(context, "count", world.marks(), Count{}, inc<0>(y, map)); }),
            "map 'broken' leads to local element " + std::to_string(bad) + ", outside set 'nodes'");
    }
}

/// Both ends get what the first holds: as seen from the second end it would be what that one holds.
struct OneSided {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 2>& a, const Values<V, 2>& b, const Values<V, 2>& normal,
                    Values<V, 2>& sum_a, Values<V, 2>& sum_b) const {
        sum_a[0] += normal[0] * (a[0] + b[0]);
        sum_b[0] -= normal[0] * (a[0] + b[0]);
        sum_a[1] += a[1];
        sum_b[1] -= a[1];
    }
};

/// Wrong in the last bit only: the other end would add up in another order.
struct RoundsOneSidedly {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 2>& a, const Values<V, 2>& b, Values<V, 2>& sum_a,
                    Values<V, 2>& sum_b) const {
        const V flow = (V(0x1p53) + a[0]) + b[0];
        sum_a[0] += flow;
        sum_b[0] += flow;
    }
};

struct Symmetric {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 2>& a, const Values<V, 2>& b, const Values<V, 2>& normal,
                    const Values<V, 1>& factor, Values<V, 2>& sum_a, Values<V, 2>& sum_b) const {
        for (int d = 0; d < 2; ++d) {
            const V flow = factor[0] * (normal[d] * (a[d] + b[d]));
            sum_a[d] += flow;
            sum_b[d] -= flow;
        }
    }
};

class SwapSymmetric : public Check {
protected:
    static double rough(GlobalIndex id, int d) { return rough_number(3, id, d); }

    Dat<Node, double, 2> q = world.dat<2>(world.nodes(), "q", rough);
    Dat<Node, double, 2> sum = world.dat<2>(world.nodes(), "sum", one);
    Dat<Edge, double, 2> normal = world.dat<2>(world.edges(), "normal", rough);

    template <class Kernel, class... More>
    std::string said_of(Kernel kernel, More... more) {
        return any_error([&] {
            par_loop(context, "ends", world.edges(), kernel, read<0>(q, world.edge_nodes()),
                     read<1>(q, world.edge_nodes()), more..., inc<0>(sum, world.edge_nodes()),
                     inc<1>(sum, world.edge_nodes()));
        });
    }
};

TEST_F(SwapSymmetric, AFalsePromiseIsSeenOnRealData) {
    const std::string said = said_of(OneSided{}, read(oriented(normal)));
    expect_words(said, "loop 'ends', element 0 of set 'edges': the kernel is not swap_symmetric");
    expect_words(said, "argument 3, component 1, gets");
    expect_words(said, "where argument 4 got");
    expect_words(said, "Take swap_symmetric away from the kernel");
}

/// 2^53 + 1 is 2^53: (2^53 + 1) + 2 is 2^53 + 2, (2^53 + 2) + 1 is 2^53 + 4.
TEST_F(SwapSymmetric, RoundingOneWayOnlyIsSeen) {
    q.fill([&](LocalIndex i, int) {
        return static_cast<double>(world.nodes().part->global_id(i)) + 1.0;
    });
    expect_words(said_of(RoundsOneSidedly{}), "the kernel is not swap_symmetric");
}

TEST_F(SwapSymmetric, AnOrientedVectorThatIsNotSaidToBeOneIsSeen) {
    const Global<double, 1> factor{{0.25}};
    expect_words(said_of(Symmetric{}, read(normal), read(factor)),
                 "the kernel is not swap_symmetric");
}

TEST_F(SwapSymmetric, KernelsThatKeepThePromisePass) {
    const Global<double, 1> factor{{0.25}};
    EXPECT_EQ(said_of(Symmetric{}, read(oriented(normal)), read(factor)), "");
    // Equal ends: flows and increments are zeros, whose signs do not matter to a sum.
    q.fill([](LocalIndex, int) { return 0.0; });
    EXPECT_EQ(said_of(Symmetric{}, read(oriented(normal)), read(factor)), "");
    q.fill([](LocalIndex, int) { return std::numeric_limits<double>::quiet_NaN(); });
    EXPECT_EQ(said_of(Symmetric{}, read(oriented(normal)), read(factor)), "");
}

struct Honest {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 2>& to, Values<V, 2>& both,
                    Values<V, 2>& sum) const {
        for (int d = 0; d < 2; ++d) {
            to[d] = from[d] + both[d];
            both[d] = both[d] * V(2.0);
            sum[d] += from[d];
        }
    }
};

TEST_F(Check, LetsHonestKernelsPass) {
    auto both = world.dat<2>(world.nodes(), "both", one);
    Global<double, 2> sum;
    EXPECT_EQ(any_error([&] {
                  par_loop(context, "honest", world.nodes(), Honest{}, read(x), write(y),
                           read_write(both), inc(sum));
              }),
              "");
    EXPECT_EQ(sum[1], 6.0);
    EXPECT_EQ(world.collect(y).front(), 2.0);
}

TEST_F(Check, LetsValuesThatAreNanPass) {
    auto nan = world.dat<2>(world.nodes(), "nan", [](GlobalIndex, int) {
        return std::numeric_limits<double>::quiet_NaN();
    });
    auto both = world.dat<2>(world.nodes(), "both", one);
    Global<double, 2> sum;
    EXPECT_EQ(any_error([&] {
                  par_loop(context, "honest", world.nodes(), Honest{}, read(nan), write(y),
                           read_write(both), inc(sum));
              }),
              "");
}

/// Integers have no NaN by which a fault would show.
class CheckIntegers : public Check {
protected:
    template <class T>
    Dat<Node, T, 1> ones(const char* name) {
        return world.dat<1, RowStorage, T>(world.nodes(), name, one);
    }
    template <class Kernel, class... Args>
    std::string said(Kernel kernel, Args... args) {
        return any_error([&] { par_loop(context, "lies", world.nodes(), kernel, args...); });
    }
    Dat<Node, std::int32_t, 1> n = ones<std::int32_t>("n");
    Dat<Node, std::int64_t, 1> m = ones<std::int64_t>("m");
};

struct AddsWhatItHas {
    template <class V>
    void operator()(const Values<Integer<V>, 1>& n, Values<Integer<V>, 1>& sum) const {
        sum[0] += n[0] + 2 * sum[0];
    }
};
struct SetsASum {
    template <class V>
    void operator()(const Values<Integer<V>, 1>& n, Values<Integer<V>, 1>& sum) const {
        sum[0] = n[0];
    }
};
struct WritesNothing {
    template <class V>
    void operator()(const Values<Integer<V>, 1>&, Values<Integer<V>, 1>&) const {}
};
struct Counts {
    template <class V>
    void operator()(const Values<Integer<V>, 1>& n, Values<Integer<V>, 1>& sum) const {
        sum[0] += n[0];
    }
};
struct GrowsLarge {
    template <class V>
    void operator()(const Values<Integer<V>, 1>& n, Values<Integer<V>, 1>& large) const {
        large[0] = n[0] << 31;
    }
};

TEST_F(CheckIntegers, AreHeldToWhatIsDeclared) {
    EXPECT_EQ(said(Counts{}, read(n), inc(m)), "");
    expect_words(said(AddsWhatItHas{}, read(n), inc(m)), "what it declares to increment");
    expect_words(said(SetsASum{}, read(n), inc(m)), "overwrites what it declares to increment");
    expect_words(said(WritesNothing{}, read(m), write(n)),
                 "does not write what it declares to write (argument 1, component 0)");
    expect_words(said(Counts{}, read(n), write(m)), "reads what it declares to write");
}

TEST_F(CheckIntegers, DoNotWrapUnseen) {
    EXPECT_EQ(said(GrowsLarge{}, read(n), write(m)), "");
    expect_words(said(GrowsLarge{}, read(m), write(n)),
                 "gives an integer dat more than it can hold (argument 1, component 0)");
    m.fill(Values<std::int64_t, 1>{INT64_MAX - 1});
    EXPECT_EQ(said(Counts{}, read(n), inc(m)), "");
    expect_words(said(Counts{}, read(n), inc(m)), "more than it can hold");
}

}  // namespace

}  // namespace halocline::test
