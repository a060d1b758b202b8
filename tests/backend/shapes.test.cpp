// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every loop shape on every back end gives, to the last bit, what plain nested loops give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <set>
#include <string>

#include "support/bits.hpp"
#include "support/loop_shapes.hpp"
#include "support/test_device.hpp"

namespace halocline::test {

namespace {

using Variant = VariantChoice::Variant;

struct Executor {
    const char* name;
    Backend backend;
    int threads;
    SharedTargets shared_targets = SharedTargets::automatic;
    std::size_t range_bytes = default_range_bytes;
    std::optional<Variant> variant = std::nullopt;
};

/// GoogleTest prints parameters; the bytes of a pointer would differ from run to run.
[[maybe_unused]] void PrintTo(const Executor& executor, std::ostream* out) {
    *out << executor.name;
}

constexpr Executor executors[] = {{"serial", Backend::serial, 1},
                                  {"check", Backend::check, 1},
                                  {"openmp_1", Backend::openmp, 1},
                                  {"openmp_2", Backend::openmp, 2},
                                  {"openmp_3", Backend::openmp, 3},
                                  {"openmp_1_scatter", Backend::openmp, 1, SharedTargets::scatter},
                                  {"openmp_3_scatter", Backend::openmp, 3, SharedTargets::scatter},
                                  {"openmp_1_once", Backend::openmp, 1, SharedTargets::once},
                                  // Ranges of a block or two: elements reach several of them.
                                  {"openmp_1_small", Backend::openmp, 1, SharedTargets::once, 1},
                                  {"openmp_3_small", Backend::openmp, 3, SharedTargets::once, 512},
                                  {.name = "openmp_1_elements",
                                   .backend = Backend::openmp,
                                   .threads = 1,
                                   .variant = Variant::elements},
                                  {.name = "openmp_1_rows",
                                   .backend = Backend::openmp,
                                   .threads = 1,
                                   .variant = Variant::elements_in_rows},
                                  // Ranges so large that stretches are worthwhile, but several.
                                  {.name = "openmp_3_once_one_by_one",
                                   .backend = Backend::openmp,
                                   .threads = 3,
                                   .shared_targets = SharedTargets::once,
                                   .range_bytes = 8192,
                                   .variant = Variant::elements},
                                  {.name = "openmp_3_one_by_one",
                                   .backend = Backend::openmp,
                                   .threads = 3,
                                   .shared_targets = SharedTargets::scatter,
                                   .variant = Variant::elements},
                                  {"emulated", Backend::emulated, 1},
                                  {"cuda", Backend::cuda, 1}};

class LoopShapes : public ::testing::TestWithParam<Executor> {
protected:
    void SetUp() override {
        device_ = open_test_device(GetParam().backend);
        if (!device_.obstacle.empty()) {
            GTEST_SKIP() << device_.obstacle;
        }
    }

    void check_all(const WorldTables& tables, bool renumber) {
        const Communicator comm(MPI_COMM_WORLD);
        // One mesh for all: a loop must also be right after others that had its maps.
        LoopWorld world(comm, tables,
                        {.backend = GetParam().backend,
                         .threads = GetParam().threads,
                         .renumber = renumber,
                         .device = device_.device.get(),
                         .device_options = {.poison = true},
                         .shared_targets = GetParam().shared_targets,
                         .range_bytes = GetParam().range_bytes,
                         .variant = GetParam().variant});
        for (const LoopShape& shape : all_shapes()) {
            SCOPED_TRACE(shape.name + " on " + std::to_string(tables.sizes.nodes) + " nodes, " +
                         std::to_string(tables.sizes.edges) + " edges");
            EXPECT_TRUE(same_numbers(shape.run(world), shape.expected(tables)));
        }
        count_device_loops(world);
    }

    /// Were forms not found, the host would run the loops, rightly, and nothing would be tested.
    void TearDown() override {
        if (device_.device != nullptr) {
            EXPECT_GT(on_device_, 0);
            EXPECT_THAT(on_host_, ::testing::IsSubsetOf(with_typed_globals));
        }
    }

private:
    void count_device_loops(LoopWorld& world) {
        for (const LoopStatistics& row : world.context().loops().rows()) {
            on_device_ += row.on_device ? 1 : 0;
            if (!row.on_device) {
                on_host_.insert(row.name);
            }
        }
    }

    /// Globals of floats and integers have no place on a device.
    const std::set<std::string> with_typed_globals{"reduce"};

    TestDevice device_;
    int on_device_ = 0;
    std::set<std::string> on_host_;
};

TEST_P(LoopShapes, SetsOfOneToSeventeenElements) {
    for (GlobalIndex n = 1; n <= 17; ++n) {
        check_all(WorldTables({n, n, n, n, n, (n + 2) / 3, n / 2}, static_cast<int>(n)), false);
    }
}

TEST_P(LoopShapes, EmptySetsBesideNodes) { check_all(WorldTables({9, 0, 0, 0, 0, 4}), false); }

TEST_P(LoopShapes, HubsLoopsAndIsolatedNodes) {
    check_all(WorldTables({300, 900, 250, 190, 310, 50, 140}, 3), false);
}

TEST_P(LoopShapes, RenumberedMesh) {
    check_all(WorldTables({300, 900, 250, 190, 310, 50, 140}, 4), true);
}

/// Threads share blocks only above 64 blocks each.
TEST_P(LoopShapes, SetsLargeEnoughForAllThreads) {
    check_all(WorldTables({2100, 4300, 1700, 1650, 1700, 1600, 1050}, 5), false);
}

/// Threads that scatter run whole stretches of elements there.
TEST_P(LoopShapes, ElementsInTheOrderOfTheirTargets) {
    check_all(in_order(WorldTables({2100, 4300, 1700, 1650, 1700, 1600, 1050}, 8)), false);
}

/// A thread alone takes turns with packs and elements; the second call runs element by element.
TEST(LoopShapesAgain, RunElementByElement) {
    const Communicator comm(MPI_COMM_WORLD);
    const WorldTables tables({300, 900, 250, 190, 310, 50, 140}, 6);
    bool by_element = false;
    for (const LoopShape& shape : all_shapes()) {
        SCOPED_TRACE(shape.name);
        LoopWorld serial(comm, tables, {.renumber = true, .repetitions = 3});
        LoopWorld openmp(comm, tables,
                         {.backend = Backend::openmp, .renumber = true, .repetitions = 3});
        EXPECT_TRUE(same_numbers(shape.run(openmp), shape.run(serial)));
        for (const LoopStatistics& row : openmp.context().loops().rows()) {
            by_element |= row.reason.find("element by element") != std::string::npos;
        }
    }
    EXPECT_TRUE(by_element);
}

/// With more calls, dats that lie in lanes or beside derived values move to compact rows where that is
/// faster, and loops that need them as they were move them back.
TEST(LoopShapesAgain, RunOnDatsThatMove) {
    const Communicator comm(MPI_COMM_WORLD);
    const WorldTables tables({300, 900, 250, 190, 310, 50, 140}, 7);
    bool in_rows = false;
    for (const LoopShape& shape : all_shapes()) {
        if (shape.name.starts_with("types_reduction")) {
            continue;  // what is added up again and again leaves 64 bits
        }
        SCOPED_TRACE(shape.name);
        LoopWorld serial(comm, tables, {.renumber = true, .repetitions = 40});
        LoopWorld openmp(comm, tables,
                         {.backend = Backend::openmp, .renumber = true, .repetitions = 40});
        EXPECT_TRUE(same_numbers(shape.run(openmp), shape.run(serial)));
        for (const LoopStatistics& row : openmp.context().loops().rows()) {
            in_rows |= row.reason.find("on compact rows") != std::string::npos;
        }
    }
    EXPECT_TRUE(in_rows);
}

std::string executor_name(const ::testing::TestParamInfo<Executor>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Backends, LoopShapes, ::testing::ValuesIn(executors), executor_name);

}  // namespace

}  // namespace halocline::test
