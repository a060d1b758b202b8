// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The device back end on the emulated device: same bits as serial, few copies, no stale reads.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "halocline/backend/device/kernels/chain.hpp"
#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/backend/par_loop.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "support/bits.hpp"
#include "support/loop_world.hpp"

namespace halocline::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Derived from two components: their product.
struct Product {
    static constexpr int size = 1;
    template <class V>
    void operator()(const Values<V, 2>& q, Values<V, 1>& product) const {
        product[0] = q[0] * q[1];
    }
};

struct Flow {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 3>& a, const Values<V, 3>& b, const Values<V, 1>& normal,
                    Values<V, 2>& sum_a, Values<V, 2>& sum_b) const {
        const V flow = normal[0] * (a[2] + b[2]);
        sum_a[0] += flow;
        sum_b[0] -= flow;
        sum_a[1] += normal[0];
        sum_b[1] -= normal[0];
    }
};

struct AtMark {
    template <class V>
    void operator()(const Values<V, 3>& q, const Values<V, 1>& mark, Values<V, 2>& sum) const {
        sum[0] += q[2] * mark[0];
    }
};

struct Update {
    template <class V>
    void operator()(const Values<V, 1>& step, const Values<V, 2>& q, const Values<V, 2>& sum,
                    Values<V, 2>& next, Values<V, 1>& total, Values<V, 1>& low) const {
        for (int d = 0; d < 2; ++d) {
            next[d] = q[d] + step[0] * sum[d];
        }
        total[0] += next[0] * next[1];
        low[0] = min(low[0], next[0]);
    }
};

struct NextStep {
    template <class V>
    void operator()(const Values<V, 1>& low, Values<V, 1>& step) const {
        step[0] = V(0.125) / (V(1.0) + abs(low[0]));
    }
};

struct Lift {
    template <class V>
    void operator()(const Values<V, 2>& fine, Values<V, 2>& coarse) const {
        coarse[0] += fine[0];
        coarse[1] += fine[1];
    }
};

/// The same, but nobody gives its loop a device form.
struct LiftOnHost : Lift {};

using State = Dat<Node, double, 2, DerivedStorage<Product>>;

/// A small scheme of every device loop form: fused flow and update, globals from globals, a sum over
/// children that stays in memory.
class Scheme {
public:
    Scheme(LoopWorld& world, Context& context)
        : context_(context),
          nodes_(world.nodes()),
          q_(world.dat<2, DerivedStorage<Product>>(
              world.nodes(), "q", [](GlobalIndex i, int d) { return 1.0 + 0.01 * double(i + d); })),
          next_(world.mesh().make_dat<Node, double, 2, DerivedStorage<Product>>(nodes_, "next")),
          sum_(world.mesh().make_temporary<Node, double, 2>(nodes_, "sum")),
          normal_(world.dat<1>(world.edges(), "normal",
                               [](GlobalIndex i, int) { return 0.3 - 0.001 * double(i % 97); })),
          mark_(world.dat<1>(world.marks(), "mark", [](GlobalIndex, int) { return 0.7; })),
          coarse_(world.dat<2, LaneStorage>(world.coarse(), "coarse",
                                            [](GlobalIndex, int d) { return 1e-3 * d; })),
          ends_(world.edge_nodes()),
          at_mark_(world.mark_node()),
          parent_(world.parent()),
          edges_(world.edges()),
          marks_(world.marks()),
          coarse_nodes_(world.coarse()) {
        low_.set({0.5});
    }

    auto smooth() {
        return make_chain("smooth", nodes_,
                          make_loop("flow", edges_, Flow{}, read<0>(derived(q_), ends_),
                                    read<1>(derived(q_), ends_), read(oriented(normal_)),
                                    inc<0>(sum_, ends_), inc<1>(sum_, ends_)),
                          make_loop("at_mark", marks_, AtMark{}, read<0>(derived(q_), at_mark_),
                                    read(mark_), inc<0>(sum_, at_mark_)),
                          make_loop("update", nodes_, Update{}, read(step_), read(q_), read(sum_),
                                    write(next_), inc(total_), reduce_min(low_)));
    }
    auto next_step() {
        return make_global_update("next_step", NextStep{}, read(low_), write(step_));
    }
    auto lift() { return make_loop("lift", nodes_, Lift{}, read(q_), inc<0>(coarse_, parent_)); }
    auto lift_on_host() {
        return make_loop("lift", nodes_, LiftOnHost{}, read(q_), inc<0>(coarse_, parent_));
    }

    static void add_forms() {
        device::add_form<decltype(std::declval<Scheme>().smooth())>();
        device::add_form<decltype(std::declval<Scheme>().next_step())>();
        device::add_form<decltype(std::declval<Scheme>().lift())>();
    }

    void run_once() {
        update_globals(context_, next_step());
        total_.set({0.25});
        low_.set({infinity});
        run_chain(context_, smooth());
        swap(q_, next_);
        lifts_on_host ? par_loop(context_, lift_on_host()) : par_loop(context_, lift());
    }
    bool lifts_on_host = false;

    [[nodiscard]] std::vector<const void*> arrangement() const {
        return {q_.handle().values.data()};
    }
    /// Everything, as numbers.
    [[nodiscard]] std::vector<double> results(const LoopWorld& world) {
        std::vector<double> all = world.collect(q_);
        const std::vector<double> coarse = world.collect(coarse_);
        all.insert(all.end(), coarse.begin(), coarse.end());
        all.push_back(std::as_const(total_)[0]);
        all.push_back(std::as_const(low_)[0]);
        all.push_back(std::as_const(step_)[0]);
        return all;
    }
    State& q() { return q_; }

private:
    Context& context_;
    Set<Node> nodes_;
    State q_;
    State next_;
    Dat<Node, double, 2, TemporaryStorage> sum_;
    Dat<Edge, double, 1> normal_;
    Dat<Mark, double, 1> mark_;
    Dat<Coarse, double, 2, LaneStorage> coarse_;
    Map<Edge, Node, 2> ends_;
    Map<Mark, Node, 1> at_mark_;
    Map<Node, Coarse, 1> parent_;
    Set<Edge> edges_;
    Set<Mark> marks_;
    Set<Coarse> coarse_nodes_;
    Global<double, 1> step_;
    Global<double, 1> total_;
    Global<double, 1> low_;
};

const WorldTables& tables() {
    static const WorldTables made({300, 900, 3, 3, 60, 50}, 7);
    return made;
}

constexpr int rounds = 5;

std::vector<double> serial_results(const WorldTables& of = tables()) {
    const Communicator comm(MPI_COMM_WORLD);
    LoopWorld world(comm, of, {Backend::serial, 1, "block", false});
    Scheme scheme(world, world.context());
    for (int i = 0; i < rounds; ++i) {
        scheme.run_once();
    }
    return scheme.results(world);
}

/// A world of the plain layout, and a context on the emulated device beside its own.
class OnDevice : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    EmulatedDevice device;
    LoopWorld world{comm, tables(), {Backend::serial, 1, "block", false}};

    std::unique_ptr<Context> make_context(const DeviceOptions& options) {
        return std::make_unique<Context>(
            comm, const_cast<HaloExchange&>(world.halo()),
            ContextOptions{Backend::emulated, 1, Overlap::on, &device, options});
    }
};

TEST_F(OnDevice, LaunchesOneByOneGiveTheBitsOfSerial) {
    const auto context = make_context({false, LoopTimes::all, true});
    Scheme scheme(world, *context);
    Scheme::add_forms();
    for (int i = 0; i < rounds; ++i) {
        scheme.run_once();
    }
    EXPECT_TRUE(same_numbers(scheme.results(world), serial_results()));
    context->device()->times().collect(context->loops());
    for (const LoopStatistics& row : context->loops().rows()) {
        EXPECT_TRUE(row.on_device) << row.name;
        EXPECT_EQ(row.timed_calls, row.calls);
    }
}

TEST_F(OnDevice, TilesThatFindNoRoomInABlocksMemoryGiveTheBitsOfSerial) {
    const WorldTables wide({2100, 9000, 3, 3, 60, 50},
                           8);  // random ends, a hub: no tile is compact
    LoopWorld wide_world(comm, wide, {Backend::serial, 1, "block", false});
    Context context(comm, const_cast<HaloExchange&>(wide_world.halo()),
                    {Backend::emulated, 1, Overlap::on, &device, {false, LoopTimes::off, true}});
    Scheme scheme(wide_world, context);
    Scheme::add_forms();
    for (int i = 0; i < rounds; ++i) {
        scheme.run_once();
    }
    EXPECT_TRUE(same_numbers(scheme.results(wide_world), serial_results(wide)));
}

TEST_F(OnDevice, RecordedWorkGivesTheBitsOfSerialWithoutCopies) {
    const auto context = make_context({true, LoopTimes::off, true});
    Scheme scheme(world, *context);
    Scheme::add_forms();
    device::RepeatedWork work;
    context->device()->recorder().prepare(
        work, [&] { return scheme.arrangement(); }, [&] { scheme.run_once(); });
    EXPECT_EQ(work.obstacle(), "");
    EXPECT_EQ(work.launches(), 3);
    const TransferCounts before = device.counts();
    for (int i = 0; i < rounds; ++i) {
        context->device()->recorder().repeat(work, scheme.arrangement(),
                                             [&] { scheme.run_once(); });
    }
    const TransferCounts after = device.counts();
    EXPECT_EQ(after.link_copies(), before.link_copies());
    EXPECT_TRUE(same_numbers(scheme.results(world), serial_results()));
}

TEST_F(OnDevice, LoopsWithoutDeviceFormRunOnTheHostAndAreNamed) {
    const auto context = make_context({true, LoopTimes::off, true});
    Scheme scheme(world, *context);
    Scheme::add_forms();
    scheme.lifts_on_host = true;
    for (int i = 0; i < rounds; ++i) {
        scheme.run_once();
    }
    EXPECT_TRUE(same_numbers(scheme.results(world), serial_results()));
    for (const LoopStatistics& row : context->loops().rows()) {
        EXPECT_EQ(row.on_device, row.name != "lift") << row.name;
    }
    device::RepeatedWork work;
    context->device()->recorder().prepare(
        work, [&] { return scheme.arrangement(); }, [&] { scheme.run_once(); });
    EXPECT_NE(work.obstacle().find("'lift'"), std::string::npos) << work.obstacle();

    // Other work, and the same work later, are not kept from a graph by it.
    scheme.lifts_on_host = false;
    context->device()->recorder().prepare(
        work, [&] { return scheme.arrangement(); }, [&] { scheme.run_once(); });
    EXPECT_EQ(work.obstacle(), "");
    EXPECT_EQ(work.launches(), 3);
}

/// Loops that ran have the map on the device.
TEST_F(OnDevice, AMapWhoseRowsWereGivenBackIsRefused) {
    const auto context = make_context({true, LoopTimes::off, true});
    Scheme scheme(world, *context);
    Scheme::add_forms();
    scheme.run_once();
    for (const char* map : {"edge_nodes", "parent", "mark_node"}) {
        world.mesh().release_map(map);
    }
    EXPECT_NO_THROW(scheme.run_once());
    const auto fresh = make_context({true, LoopTimes::off, true});
    Scheme late(world, *fresh);
    const auto refusal = [&](const std::function<void()>& work) {
        try {
            work();
        } catch (const ContractError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal([&] { late.run_once(); }).find("has no rows any more"), std::string::npos);
    EXPECT_NE(refusal([&] { par_loop(*fresh, late.lift()); }).find("map 'parent' has no rows"),
              std::string::npos);
    EXPECT_NE(
        refusal([&] { par_loop(*fresh, late.lift_on_host()); }).find("map 'parent' has no rows"),
        std::string::npos);
}

TEST_F(OnDevice, WorkThatNeverLiesAsAtFirstIsRefused) {
    const auto context = make_context({true, LoopTimes::off, true});
    Scheme scheme(world, *context);
    Scheme::add_forms();
    std::vector<char> places(5000);
    std::size_t turn = 0;
    device::RepeatedWork work;
    device::Recorder& recorder = context->device()->recorder();
    const auto start = [&] { return std::vector<const void*>{&places[turn++]}; };
    EXPECT_THROW(recorder.prepare(work, start, [&] { scheme.run_once(); }), ContractError);
    EXPECT_TRUE(recorder.is_running());
    for (int i = 0; i < rounds; ++i) {
        scheme.run_once();
    }
    EXPECT_TRUE(same_numbers(scheme.results(world), serial_results()));
}

TEST_F(OnDevice, AStaleReadIsSeen) {
    const auto context = make_context({false, LoopTimes::off, true});
    Scheme scheme(world, *context);
    Scheme::add_forms();
    scheme.run_once();
    const DatStore& unseen = scheme.q().handle();
    EXPECT_TRUE(std::isnan(unseen.at(0, 0)));
    EXPECT_FALSE(std::isnan(scheme.q().store().at(0, 0)));
}

TEST_F(OnDevice, RecordedWorkMustNotChange) {
    const auto context = make_context({true, LoopTimes::off, false});
    Scheme scheme(world, *context);
    Scheme::add_forms();
    device::RepeatedWork work;
    const auto start = [&] { return scheme.arrangement(); };
    context->device()->recorder().prepare(work, start, [&] { scheme.run_once(); });
    EXPECT_THROW(context->device()->recorder().repeat(work, start(),
                                                      [&] {
                                                          scheme.run_once();
                                                          scheme.run_once();
                                                      }),
                 ContractError);
    context->device()->stream().synchronize();  // the graph still works on the scheme's memory
}

std::vector<double> hard_terms() {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> exponent(-320.0, 290.0);
    std::vector<double> terms{0.0, -0.0, 5e-324, -5e-324, 1e-300};
    for (int i = 0; i < 500; ++i) {
        const double size = std::pow(10.0, exponent(random) / (i % 2 == 0 ? 1.0 : 60.0));
        terms.push_back(i % 3 == 0 ? -size : size);
    }
    return terms;
}

exact::PartialSum add_to_bins(const std::vector<double>& terms) {
    exact::Bins bins;
    bins.clear();
    for (double term : terms) {
        bins.add(term);
    }
    return bins.sum();
}

double sum_by_bins(const std::vector<double>& terms) { return add_to_bins(terms).value(); }

TEST(ExactBins, AddLikeExactSum) {
    std::vector<double> terms = hard_terms();
    for (std::size_t count = 1; count <= terms.size(); count += 13) {
        const std::vector<double> some(terms.begin(), terms.begin() + std::ptrdiff_t(count));
        ExactSum sum;
        for (const double term : some) {
            sum.add(term);
        }
        EXPECT_EQ(std::bit_cast<std::int64_t>(sum_by_bins(some)),
                  std::bit_cast<std::int64_t>(sum.value()))
            << count;
    }
}

TEST(ExactBins, PartsOfASumMergeToItsBits) {
    const std::vector<double> terms = hard_terms();
    const auto begin = terms.begin();
    for (std::ptrdiff_t cut = 0; cut < std::ssize(terms); cut += 7) {
        exact::PartialSum low_first = add_to_bins({begin, begin + cut});
        exact::PartialSum high_first = add_to_bins({begin + cut, terms.end()});
        const exact::PartialSum low = low_first;
        low_first.merge(high_first);
        high_first.merge(low);
        const auto expected = std::bit_cast<std::int64_t>(sum_by_bins(terms));
        EXPECT_EQ(std::bit_cast<std::int64_t>(low_first.value()), expected) << cut;
        EXPECT_EQ(std::bit_cast<std::int64_t>(high_first.value()), expected) << cut;
    }
}

}  // namespace

}  // namespace halocline::test
