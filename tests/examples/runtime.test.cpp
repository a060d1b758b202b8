// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Runtime: blocks of whole arrays, gathered results, defaults.
#include "halocline/runtime/runtime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "halocline/backend/make_subset.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/runtime/agreement.hpp"
#include "support/error_of.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Cell {};

ContextOptions serial() { return {Backend::serial, 1}; }

Communicator world() { return Communicator(MPI_COMM_WORLD); }

TEST(Runtime, BlocksOfAllRanksMakeTheWhole) {
    const Runtime runtime(world(), serial());
    std::vector<double> whole(14);
    std::iota(whole.begin(), whole.end(), 0.0);

    const std::vector<double> mine = runtime.block(whole, 2);

    const BlockRange rows = block_range(7, runtime.comm().rank(), runtime.comm().size());
    ASSERT_EQ(static_cast<std::int64_t>(mine.size()), 2 * rows.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        EXPECT_EQ(mine[i], static_cast<double>(2 * rows.begin) + static_cast<double>(i));
    }
}

TEST(Runtime, RefusesAnArrayThatIsNotMadeOfRows) {
    const Runtime runtime(world(), serial());
    EXPECT_THROW((void)runtime.block(std::vector{1.0, 2.0, 3.0}, 2), ContractError);
    EXPECT_THROW((void)runtime.block(std::vector{1.0}, 0), ContractError);
}

TEST(Runtime, GathersEveryBitInTheDeclaredOrder) {
    Runtime runtime(world(), serial());
    const std::vector<double> whole{-0.0,
                                    1.5,
                                    std::numeric_limits<double>::quiet_NaN(),
                                    -std::numeric_limits<double>::infinity(),
                                    5e-324,
                                    -7.0};
    MeshDeclaration declaration;
    const int cells = declaration.add_set("cells", 3);
    declaration.add_dat("q", cells, 2, runtime.block(whole, 2));
    Mesh mesh = runtime.distribute(std::move(declaration));

    const std::vector<double> gathered = runtime.gather(mesh.take_dat<Cell, double, 2>("q"));

    ASSERT_EQ(gathered.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(gathered[i]), std::bit_cast<std::uint64_t>(whole[i]))
            << "value " << i;
    }
}

/// A mesh of ten cells with dats q and p of two components each.
Mesh ten_cells(Runtime& runtime) {
    MeshDeclaration declaration;
    const int cells = declaration.add_set("cells", 10);
    std::vector<double> whole(20);
    std::iota(whole.begin(), whole.end(), 0.5);
    declaration.add_dat("q", cells, 2, runtime.block(whole, 2));
    declaration.add_dat("p", cells, 2, runtime.block(whole, 2));
    return runtime.distribute(std::move(declaration));
}

TEST(Runtime, GathersToTheRootAlone) {
    Runtime runtime(world(), serial());
    Mesh mesh = ten_cells(runtime);
    const auto q = mesh.take_dat<Cell, double, 2>("q");
    const std::vector<double> everywhere = runtime.gather(q);
    const std::vector<double> at_root = runtime.gather_to_root(q);
    EXPECT_EQ(at_root, runtime.comm().is_root() ? everywhere : std::vector<double>{});
}

TEST(Runtime, NamesACollectiveThatOnlyTheRootCalls) {
    Runtime runtime(world(), serial());
    if (runtime.comm().size() == 1) {
        GTEST_SKIP() << "one rank is never alone: runtime.np2 and np3 run it";
    }
    Mesh mesh = ten_cells(runtime);
    const auto q = mesh.take_dat<Cell, double, 2>("q");
    const auto p = mesh.take_dat<Cell, double, 2>("p");
    const bool root = runtime.comm().is_root();
    EXPECT_THAT(error_of([&] {
                    if (root) {
                        (void)runtime.gather(q);
                    }
                    runtime.finish();
                }),
                AllOf(StartsWith("5: "), HasSubstr("rank 0 gathers dat 'q'"),
                      HasSubstr("rank 1 is at the end of the program")));
    EXPECT_THAT(error_of([&] { (void)runtime.gather(root ? q : p); }),
                HasSubstr("rank 1 gathers dat 'p'"));
    EXPECT_EQ(runtime.gather(q).size(), 20U);
}

/// These know the communicator, or the context, and not the runtime.
TEST(Runtime, NamesFieldsAndSubsetsThatOneRankAloneAsksFor) {
    Runtime runtime(world(), serial());
    if (runtime.comm().size() == 1) {
        GTEST_SKIP() << "one rank is never alone: runtime.np2 and np3 run it";
    }
    Mesh mesh = ten_cells(runtime);
    auto q = mesh.take_dat<Cell, double, 2>("q");
    const auto said_when_root_alone = [&](auto&& call) {
        return error_of([&] {
            if (runtime.comm().is_root()) {
                call();
            }
            (void)runtime.gather(q);
        });
    };
    EXPECT_THAT(
        said_when_root_alone([&] { write_fields(runtime.comm(), "alone.h5", {q}); }),
        AllOf(StartsWith("5: "), HasSubstr("rank 0 writes fields, rank 1 gathers dat 'q'")));
    EXPECT_THAT(said_when_root_alone([&] { read_fields(runtime.comm(), "alone.h5", {q}); }),
                HasSubstr("rank 0 reads fields, rank 1 gathers dat 'q'"));
    const auto cells = mesh.set<Cell>("cells");
    Context& context = runtime.context();
    EXPECT_THAT(said_when_root_alone([&] {
                    (void)make_subset(context, mesh, cells, "some",
                                      [](LocalIndex) { return true; });
                }),
                HasSubstr("rank 0 makes subset 'some', rank 1 gathers dat 'q'"));
    EXPECT_THAT(said_when_root_alone([&] {
                    (void)make_subset(context, mesh, cells, "few", std::vector<GlobalIndex>{1});
                }),
                HasSubstr("rank 0 lists subset 'few', rank 1 gathers dat 'q'"));
    EXPECT_EQ(runtime.gather(q).size(), 20U);
}

TEST(Runtime, RefusesADeclarationWithoutSets) {
    Runtime runtime(world(), serial());
    EXPECT_THAT(error_of([&] { (void)runtime.distribute({}); }),
                StartsWith("5: the declaration of the mesh is empty"));
    MeshDeclaration declaration;
    declaration.add_set("cells", 10);
    (void)runtime.distribute(std::move(declaration));
    EXPECT_THAT(error_of([&] { (void)runtime.distribute(std::move(declaration)); }),
                HasSubstr("moved to a mesh before"));
    if (runtime.comm().size() > 1) {
        MeshDeclaration mine;
        if (runtime.comm().is_root()) {
            mine.add_set("cells", 10);
        }
        EXPECT_THAT(error_of([&] { (void)runtime.distribute(std::move(mine)); }),
                    HasSubstr("rank 0: set 'cells' of 10 elements; rank 1: nothing more"));
    }
}

TEST(CollectiveAgreement, GivesUpOnRanksThatDoNotCome) {
    const Communicator comm = world();
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank waits for nobody: runtime.np2 and np3 run it";
    }
    CollectiveAgreement agreement(comm, comm.is_root() ? 0.05 : 0.0);
    if (comm.is_root()) {
        EXPECT_THAT(error_of([&] { agreement.enter("reads a file"); }),
                    AllOf(StartsWith("5: "), HasSubstr("rank 0 reads a file and waits")));
    }
    comm.barrier();
    if (!comm.is_root()) {
        agreement.enter("reads a file");  // meets what the root left under way
    }
}

TEST(Runtime, ReportsHowItDividedAndWhereTheTimeWent) {
    Runtime runtime(world(), serial());
    EXPECT_THROW((void)runtime.report(), ContractError);
    Mesh mesh = ten_cells(runtime);
    const MeshReport& report = runtime.report();
    ASSERT_EQ(report.sets.size(), 1U);
    EXPECT_EQ(report.sets[0].name, "cells");
    EXPECT_EQ(report.sets[0].size, 10);
    EXPECT_EQ(report.sets[0].halo_elements, report.division.halo_elements);
    EXPECT_EQ(report.sets[0].largest_part, (10 + world().size() - 1) / world().size());
    EXPECT_THAT(to_text(report), AllOf(HasSubstr("cells"), HasSubstr(report.division.partitioner)));

    EXPECT_TRUE(runtime.loops().empty());
    LoopStatistics& quick = runtime.context().loops().row("quick");
    quick.calls = 3;
    quick.seconds = 0.25;
    runtime.context().loops().row(LoopName("slow", 2)).seconds = 1.0 + world().rank();
    runtime.context().loops().row(LoopName("slow", 2)).bytes = 1000;
    const std::vector<LoopReport> loops = runtime.loops();
    ASSERT_EQ(loops.size(), 2U);
    EXPECT_EQ(loops[0].name, "slow.L2");
    EXPECT_EQ(loops[0].seconds, world().size());
    EXPECT_EQ(loops[0].bytes, 1000 * world().size());
    EXPECT_EQ(loops[1].calls, 3);
    EXPECT_THAT(to_text(loops), AllOf(HasSubstr("slow.L2"), HasSubstr("quick")));
}

TEST(Runtime, NotesWhenBlocksMustServe) {
    Runtime runtime(world(), serial());
    MeshDeclaration alone;
    alone.add_set("cells", 12);
    MeshDeclaration with_points;
    const int points = with_points.add_set("points", 12);
    with_points.add_coordinates("x", points, 1, runtime.block(std::vector<double>(12, 0.5)));

    ::testing::internal::CaptureStderr();
    const Mesh blocks = runtime.distribute(std::move(alone));
    const std::string said = ::testing::internal::GetCapturedStderr();
    ::testing::internal::CaptureStderr();
    const Mesh along_a_curve = runtime.distribute(std::move(with_points));
    const std::string said_of_points = ::testing::internal::GetCapturedStderr();

    const bool is_told = runtime.comm().size() > 1 && runtime.comm().is_root();
    EXPECT_EQ(said.find("note: set 'cells' is divided in blocks") != std::string::npos, is_told);
    EXPECT_EQ(said_of_points, "");
}

TEST(Runtime, SaysSoWhenRanksRanDifferentLoops) {
    Runtime runtime(world(), serial());
    if (runtime.comm().size() == 1) {
        GTEST_SKIP() << "one rank agrees with itself: runtime.np2 and np3 run it";
    }
    runtime.context().loops().row(runtime.comm().rank() == 1 ? "other" : "loop").calls = 1;
    EXPECT_THAT(error_of([&] { (void)runtime.loops(); }), HasSubstr("rank 1 ran other loops"));
}

TEST(DistributeOptions, TakeTheSetThatMapsLeadToMostOften) {
    MeshDeclaration declaration;
    const int edges = declaration.add_set("edges", 12);
    const int nodes = declaration.add_set("nodes", 9);
    const int cells = declaration.add_set("cells", 4);
    declaration.add_map("one", edges, nodes, 1, {});
    EXPECT_EQ(completed_options(declaration, {}).partitioner, "block");
    declaration.add_map("sides", edges, cells, 2, {});
    EXPECT_EQ(completed_options(declaration, {}).primary_set, cells);
    declaration.add_map("ends", edges, nodes, 2, {});
    declaration.add_map("corners", cells, nodes, 4, {});

    const int others = declaration.add_set("more cells", 7);
    declaration.add_map("more corners", others, nodes, 4, {});
    EXPECT_EQ(completed_options(declaration, {}).primary_set, nodes);
}

TEST(DistributeOptions, TakeTheCurveThroughElementsWithCoordinatesOnly) {
    MeshDeclaration declaration;
    declaration.add_set("others", 4);
    const int points = declaration.add_set("points", 4);
    const int x = declaration.add_coordinates("x", points, 2, {});

    const DistributeOptions options = completed_options(declaration, {});

    EXPECT_EQ(options.primary_set, points);
    EXPECT_EQ(options.coordinates, std::vector<int>{x});
    EXPECT_EQ(options.partitioner, "sfc");
}

TEST(DistributeOptions, KeepTheirDefaultsWhateverElseIsNamed) {
    MeshDeclaration declaration;
    const int edges = declaration.add_set("edges", 12);
    const int nodes = declaration.add_set("nodes", 9);
    declaration.add_map("ends", edges, nodes, 2, {});
    const int x = declaration.add_coordinates("x", nodes, 2, {});
    const DistributeOptions none = completed_options(declaration, {});
    const DistributeOptions one =
        completed_options(declaration, {.renumber = false, .near_places = 7});
    EXPECT_EQ(one.partitioner, none.partitioner);
    EXPECT_EQ(one.method, none.method);
    EXPECT_EQ(one.primary_set, none.primary_set);
    EXPECT_EQ(one.coordinates, std::vector<int>{x});
    EXPECT_EQ(completed_options(declaration, {.partitioner = "random"}).primary_set, nodes);
    EXPECT_EQ(completed_options(declaration, {.primary_set = edges}).partitioner, "block");
    const DistributeOptions along = completed_options(declaration, {.method = "geom"});
    EXPECT_EQ(along.partitioner, "sfc");
    EXPECT_EQ(along.method, "geom");
    EXPECT_THROW((void)completed_options(declaration, {.coordinates = {5}}), ContractError);
}

/// Elements of three nodes each, declared before the edges, so that no default index fits by chance.
MeshDeclaration strip(const Runtime& runtime, int nodes) {
    std::vector<GlobalIndex> triangles;
    std::vector<GlobalIndex> edges;
    for (int i = 0; i + 2 < nodes; ++i) {
        triangles.insert(triangles.end(), {i, i + 1, i + 2});
        edges.insert(edges.end(), {i, i + 1});
    }
    MeshDeclaration declaration;
    const int triangle_set = declaration.add_set("triangles", nodes - 2);
    const int edge_set = declaration.add_set("edges", nodes - 2);
    const int node_set = declaration.add_set("nodes", nodes);
    declaration.add_map("corners", triangle_set, node_set, 3, runtime.block(triangles, 3));
    declaration.add_map("ends", edge_set, node_set, 2, runtime.block(edges, 2));
    return declaration;
}

TEST(Runtime, DividesTheSameWayWhenOneOptionIsNamed) {
    Runtime runtime(world(), serial());
    const Mesh none = runtime.distribute(strip(runtime, 60));
    const Mesh one = runtime.distribute(strip(runtime, 60), {.renumber = false});
    for (const char* name : {"triangles", "edges", "nodes"}) {
        EXPECT_EQ(one.set<Cell>(name).part->owned, none.set<Cell>(name).part->owned) << name;
        EXPECT_EQ(one.set<Cell>(name).part->total, none.set<Cell>(name).part->total) << name;
    }
}

/// Sets of elements of any shape are ordered on every rank or on none: halos are built from the orders.
TEST(Runtime, DividesForRanksOfDifferentBackEnds) {
    const int rank = world().rank();
    Runtime runtime(world(), {rank % 2 == 0 ? Backend::serial : Backend::openmp, 1});
    MeshDeclaration declaration = strip(runtime, 60);
    std::vector<double> whole(60);
    std::iota(whole.begin(), whole.end(), 0.5);
    declaration.add_dat("q", 2, 1, runtime.block(whole));
    Mesh mesh = runtime.distribute(std::move(declaration));
    EXPECT_EQ(runtime.gather(mesh.take_dat<Cell, double, 1>("q")), whole);
}

TEST(Runtime, RefusesTheCheckBackEndBesideOthers) {
    if (world().size() == 1) {
        GTEST_SKIP() << "one rank has one back end: runtime.np2 and np3 run it";
    }
    const Backend mine = world().is_root() ? Backend::serial : Backend::check;
    EXPECT_THAT(error_of([&] {
                    const Runtime runtime(world(), {mine, 1});
                }),
                HasSubstr("(rank 0 has serial, rank 1 check; its loops compare ranks)"));
}

TEST(ContextOptions, FollowTheEnvironmentWhateverElseIsNamed) {
    setenv("HALOCLINE_BACKEND", "check", 1);
    const auto backend_with = [](ContextOptions options) {
        return Runtime(world(), std::move(options)).context().backend();
    };
    EXPECT_EQ(backend_with({}), Backend::check);
    EXPECT_EQ(backend_with({.threads = 3}), Backend::check);
    EXPECT_EQ(backend_with({.backend = Backend::serial}), Backend::serial);
    setenv("HALOCLINE_BACKEND", "", 1);
    EXPECT_EQ(backend_with({}), Backend::openmp);
    setenv("HALOCLINE_BACKEND", "opnmp", 1);
    EXPECT_THROW((void)backend_with({}), UsageError);
    EXPECT_EQ(backend_with({.backend = Backend::serial}), Backend::serial);
    unsetenv("HALOCLINE_BACKEND");
    EXPECT_EQ(backend_with({}), Backend::openmp);
    EXPECT_EQ(ContextOptions{.backend = Backend::serial}.threads, threads_of_process());
}

}  // namespace
}  // namespace halocline
