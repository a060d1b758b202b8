// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops on emulated devices by gathering and computed once: both give the bits of the definition.
#include <gtest/gtest.h>

#include <algorithm>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

DeviceOptions options_with(DeviceStrategy strategy) {
    DeviceOptions options;
    options.poison = true;
    options.strategies.usual = strategy;
    return options;
}

struct Division {
    const char* partitioner;
    bool renumber;
};

class DeviceStrategies : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    WorldTables tables{{310, 900, 230, 170, 300, 45}, 6};

    LoopWorld make_world(EmulatedDevice& device, const DeviceOptions& options,
                         const Division& division = {"block", false}) const {
        WorldOptions world;
        world.backend = Backend::emulated;
        world.partitioner = division.partitioner;
        world.renumber = division.renumber;
        world.device = &device;
        world.device_options = options;
        return {comm, tables, world};
    }

    /// Rows that say on which strategy the loops of the last shape ran.
    static std::vector<std::string> strategies_of(LoopWorld& world) {
        std::vector<std::string> strategies;
        for (const LoopStatistics& row : world.context().loops().rows()) {
            if (row.on_device && row.strategy != "direct") {
                strategies.push_back(row.strategy);
            }
        }
        return strategies;
    }
};

constexpr Division divisions[] = {{"block", false}, {"block", true}};

/// What one strategy cannot run, the other one does.
TEST_F(DeviceStrategies, BothGiveTheBitsOfTheDefinition) {
    for (const DeviceStrategy strategy : {DeviceStrategy::gather, DeviceStrategy::once}) {
        const std::string name(device::strategy_name(strategy));
        std::ptrdiff_t by_name = 0;
        for (const Division& division : divisions) {
            for (const LoopShape& shape : all_shapes()) {
                SCOPED_TRACE(shape.name + " by " + name);
                EmulatedDevice device;
                LoopWorld world = make_world(device, options_with(strategy), division);
                EXPECT_TRUE(same_numbers(shape.run(world), shape.expected(tables)));
                const std::vector<std::string> used = strategies_of(world);
                by_name += std::count(used.begin(), used.end(), name);
                // Everything that gathers can be computed once, but not the other way round.
                EXPECT_TRUE(strategy == DeviceStrategy::gather ||
                            std::count(used.begin(), used.end(), "gather") == 0);
            }
        }
        EXPECT_GE(by_name, 20);
    }
}

struct Copy {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& from, Values<V, 2>& to) const {
        to = from;
    }
};
struct Spread {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& x, const Values<V, 1>& own,
                                 Values<V, 2>& first, Values<V, 2>& second) const {
        first[0] += own[0] * x[0];
        first[1] += x[1];
        second[0] -= own[0];
        second[1] += own[0] + x[1];
    }
};
struct Join {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& sum, Values<V, 2>& x,
                                 Values<V, 1>& total) const {
        total[0] += sum[0] + sum[1];
        for (int d = 0; d < 2; ++d) {
            x[d] = x[d] + sum[d];
        }
    }
};

std::vector<double> run_steps(LoopWorld& world, int steps) {
    const auto rough = [](int seed) {
        return [seed](GlobalIndex id, int d) { return rough_number(seed, id, d); };
    };
    auto x = world.dat<2, LaneStorage>(world.nodes(), "x", rough(71));
    const auto weight = world.dat<1>(world.edges(), "weight", rough(72));
    auto sum = world.mesh().make_temporary<Node, double, 2>(world.nodes(), "sum");
    auto far = world.mesh().make_dat<Node, double, 2, LaneStorage>(world.nodes(), "far");
    const auto ends = world.edge_nodes();
    Global<double, 1> total;
    for (int step = 0; step < steps; ++step) {
        run_loop(world, "copy", world.nodes(), Copy{}, read(x), write(far));
        const auto spread = make_loop("spread", world.edges(), Spread{}, read<1>(far, ends),
                                      read(weight), inc<0>(sum, ends), inc<1>(sum, ends));
        const auto join =
            make_loop("join", world.nodes(), Join{}, read(sum), read_write(x), inc(total));
        run_loops(world, "add", world.nodes(), spread, join);
    }
    std::vector<double> all = world.collect(x);
    append(all, {total[0]});
    return all;
}

TEST_F(DeviceStrategies, ChainsWithTemporariesAndReductionsHaveTheBitsOfSerial) {
    LoopWorld judge(comm, tables, {Backend::serial, 1, "block", false});
    const std::vector<double> expected = run_steps(judge, 3);
    for (const DeviceStrategy strategy : {DeviceStrategy::gather, DeviceStrategy::once}) {
        for (const Division& division : divisions) {
            EmulatedDevice device;
            LoopWorld world = make_world(device, options_with(strategy), division);
            EXPECT_TRUE(same_numbers(run_steps(world, 3), expected))
                << device::strategy_name(strategy);
        }
    }
}

/// The loop of the example 02_indirect_increment, and its answer.
struct AddDifference {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& sum_a,
                                 Values<V, 1>& sum_b) const {
        const V difference = b[0] - a[0];
        sum_a[0] += difference;
        sum_b[0] -= difference;
    }
};

TEST_F(DeviceStrategies, TheExampleOfIncrementsHasItsAnswer) {
    WorldTables ladder({6, 7, 0, 0, 0, 3});
    ladder.edge_nodes = {0, 1, 1, 2, 3, 4, 4, 5, 0, 3, 1, 4, 2, 5};
    tables = ladder;
    for (const DeviceStrategy strategy : {DeviceStrategy::gather, DeviceStrategy::once}) {
        EmulatedDevice device;
        LoopWorld world = make_world(device, options_with(strategy));
        const auto u = world.dat<1>(
            world.nodes(), "u", [](GlobalIndex id, int) { return static_cast<double>(id * id); });
        auto laplacian = world.mesh().make_dat<Node, double, 1>(world.nodes(), "laplacian");
        const auto ends = world.edge_nodes();
        run_loop(world, "add_difference", world.edges(), AddDifference{}, read<0>(u, ends),
                 read<1>(u, ends), inc<0>(laplacian, ends), inc<1>(laplacian, ends));
        EXPECT_TRUE(
            same_numbers(world.collect(laplacian), std::vector<double>{10, 17, 18, -2, -13, -30}));
    }
}

}  // namespace

}  // namespace halocline::test
