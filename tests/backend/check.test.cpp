// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The check back end catches each kind of kernel that does something else than it declares.
#include <gtest/gtest.h>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
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

}  // namespace

}  // namespace halocline::test
