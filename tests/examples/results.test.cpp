// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Results and checkpoints of programs: what they refuse, and errors while a thread still writes.
#include "halocline/runtime/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "halocline/halocline.hpp"
#include "halocline/output/writer.hpp"
#include "halocline/runtime/checkpoint.hpp"
#include "support/error_of.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Point {};
struct Square {};
using PointField = Dat<Point, double, 1>;

/// Two squares side by side.
MeshDeclaration two_squares(const Runtime& runtime) {
    MeshDeclaration declaration;
    const int points = declaration.add_set("points", 6);
    const int cells = declaration.add_set("cells", 2);
    declaration.add_map("corners", cells, points, 4,
                        runtime.block(std::vector<GlobalIndex>{0, 1, 4, 3, 1, 2, 5, 4}, 4));
    declaration.add_coordinates(
        "x", points, 2, runtime.block(std::vector<double>{0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1}, 2));
    return declaration;
}

class ResultsOfPrograms : public ::testing::Test {
protected:
    Runtime runtime{Communicator(MPI_COMM_WORLD), {.backend = Backend::serial, .threads = 1}};
    std::string folder = common_folder();
    std::string path = folder + "/flow.vtkhdf";
    std::string other_path = folder + "/other.vtkhdf";
    std::optional<Mesh> mesh{runtime.distribute(two_squares(runtime))};
    Dat<Point, double, 2> x = mesh->take_dat<Point, double, 2>("x");
    PointField u = field("u");

    ~ResultsOfPrograms() override {
        runtime.comm().barrier();
        if (runtime.comm().is_root()) {
            std::filesystem::remove_all(folder);
        }
    }

    PointField field(const char* name) const {
        return mesh->make_dat<Point, double, 1>(mesh->set<Point>("points"), name);
    }
    /// The name of the test, and the process of the root.
    std::string common_folder() const {
        const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string made =
            ::testing::TempDir() + "halocline_" + test->name() + "_" + std::to_string(::getpid());
        made = runtime.comm().broadcast(made);
        std::filesystem::create_directories(made);
        return made;
    }
    /// Keeps the writer busy for a moment, so that what is handed over next waits.
    void delay_writer(std::atomic<bool>& done) {
        output::Writer& writer = runtime.writer();
        delay_ = writer.make_snapshot("delay", {&x.handle()});
        writer.write(*delay_, 0, [&done](const Communicator&, const std::vector<FieldRows>&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            done = true;
            return std::string();
        });
    }

private:
    std::unique_ptr<output::Snapshot> delay_;
};

TEST_F(ResultsOfPrograms, AnErrorBehindAStepEndsAfterTheStepIsWritten) {
    std::atomic<bool> done = false;
    const std::string error = error_of([&] {
        Results results(runtime, path, x, {.most_steps = 2});
        results.add_field(u);
        delay_writer(done);
        results.write(0.0);
        throw ContractError("mine");
    });
    EXPECT_TRUE(done);
    EXPECT_EQ(error, "5: mine");
    runtime.finish();
}

TEST_F(ResultsOfPrograms, AnErrorBehindACheckpointEndsAfterItIsWritten) {
    std::atomic<bool> done = false;
    const std::string error = error_of([&] {
        Checkpoints checkpoints(runtime, folder + "/", "test", {u});
        delay_writer(done);
        checkpoints.write(1);
        throw ContractError("mine");
    });
    EXPECT_TRUE(done);
    EXPECT_EQ(error, "5: mine");
    EXPECT_TRUE(std::filesystem::exists(folder + "/checkpoint.step=1.h5"));
}

TEST_F(ResultsOfPrograms, AStepBeyondTheRoomIsRefused) {
    Results results(runtime, path, x, {.most_steps = 1});
    results.add_field(u);
    results.write(0.0);
    EXPECT_THAT(error_of([&] { results.write(1.0); }), HasSubstr("has room for 1 steps"));
    EXPECT_THAT(error_of([&] { const Results none(runtime, other_path, x, {.most_steps = -1}); }),
                AllOf(StartsWith("5: "), HasSubstr("cannot have room for -1 steps")));
}

TEST_F(ResultsOfPrograms, CellsOfAnotherShapeAreRefused) {
    Results results(runtime, path, x, {});
    const auto corners = mesh->map<Square, Point, 4>("corners");
    EXPECT_THAT(error_of([&] { results.add_cells(corners, CellShape::triangle); }),
                AllOf(StartsWith("5: "), HasSubstr("map 'corners'"), HasSubstr("shape triangle"),
                      HasSubstr("4 corners a cell, the shape 3")));
    EXPECT_EQ(error_of([&] { results.add_cells(corners, CellShape::quadrilateral); }), "");
}

TEST_F(ResultsOfPrograms, CellsAfterTheFirstStepAreRefused) {
    Results results(runtime, path, x, {});
    results.add_field(u);
    results.write(0.0);
    EXPECT_THAT(error_of([&] {
                    results.add_cells(mesh->map<Square, Point, 4>("corners"),
                                      CellShape::quadrilateral);
                }),
                AllOf(StartsWith("5: "), HasSubstr("map 'corners' come too late"),
                      HasSubstr("before the first step")));
}

/// Under whatever name; when the first ones end, the file is free again.
TEST_F(ResultsOfPrograms, TwoThatWriteOneFileAreRefused) {
    const std::string same = folder + "/./flow.vtkhdf";
    auto first = std::make_unique<Results>(runtime, path, x, Results::Options{});
    EXPECT_THAT(error_of([&] { const Results second(runtime, same, x, {}); }),
                AllOf(StartsWith("5: "), HasSubstr("is written by other results")));
    EXPECT_EQ(error_of([&] { const Results beside(runtime, other_path, x, {}); }), "");
    first.reset();
    EXPECT_EQ(error_of([&] { const Results second(runtime, same, x, {}); }), "");
}

TEST_F(ResultsOfPrograms, RanksThatWriteDifferentStepsAreTold) {
    if (runtime.comm().size() == 1) {
        GTEST_SKIP() << "one rank agrees with itself: runtime.np2 and np3 run it";
    }
    Results results(runtime, path, x, {});
    results.add_field(u);
    Checkpoints checkpoints(runtime, folder + "/", "test", {u});
    const int mine = runtime.comm().is_root() ? 3 : 4;
    EXPECT_THAT(error_of([&] { results.write(0.5 * mine); }),
                AllOf(HasSubstr("rank 0 writes time 1.5 of"), HasSubstr("rank 1 writes time 2")));
    EXPECT_THAT(error_of([&] { checkpoints.write(mine); }),
                AllOf(HasSubstr("rank 0 writes the checkpoint of step 3"),
                      HasSubstr("rank 1 writes the checkpoint of step 4")));
    EXPECT_THAT(error_of([&] { checkpoints.write(-1); }),
                AllOf(StartsWith("5: "), HasSubstr("step -1"), HasSubstr("Count from 0")));
}

TEST_F(ResultsOfPrograms, AMapThatBelongsToNoMeshIsRefused) {
    Results results(runtime, path, x, {});
    EXPECT_THAT(
        error_of([&] { results.add_cells(Map<Square, Point, 4>{}, CellShape::quadrilateral); }),
        AllOf(StartsWith("5: "), HasSubstr("a map was used"), HasSubstr("belongs to no mesh")));
}

TEST_F(ResultsOfPrograms, TwoFieldsOfOneNameAreRefused) {
    Results results(runtime, path, x, {});
    results.add_field(u);
    EXPECT_THAT(error_of([&] { results.add_field(u); }),
                AllOf(StartsWith("5: "), HasSubstr("two fields"), HasSubstr("the name 'u'")));
    EXPECT_EQ(error_of([&] { results.add_field(u, "1", "other"); }), "");
}

TEST_F(ResultsOfPrograms, ATimeThatIsNoNumberIsRefused) {
    Results results(runtime, path, x, {});
    results.add_field(u);
    for (const double time :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        EXPECT_THAT(error_of([&] { results.write(time); }),
                    AllOf(StartsWith("5: "), HasSubstr("has time"), HasSubstr("finite")));
    }
    EXPECT_EQ(results.steps(), 0);
}

TEST_F(ResultsOfPrograms, AStepOfADatThatIsGoneIsRefused) {
    const auto refused =
        AllOf(StartsWith("5: "), HasSubstr("dat 'short_lived'"), HasSubstr("it is gone"));
    auto short_lived = std::make_optional(field("short_lived"));
    Results results(runtime, path, x, {});
    results.add_field(*short_lived);
    Checkpoints checkpoints(runtime, folder + "/", "test", {*short_lived});
    results.write(0.0);
    short_lived.reset();
    EXPECT_THAT(error_of([&] { results.write(1.0); }), refused);
    EXPECT_THAT(error_of([&] { checkpoints.write(1); }), refused);
    EXPECT_THAT(error_of([&] { (void)checkpoints.restart(); }), refused);
    runtime.finish();
}

TEST_F(ResultsOfPrograms, AStepOfADatWhoseMeshIsGoneIsRefused) {
    const auto refused =
        AllOf(StartsWith("5: "), HasSubstr("dat 'u'"), HasSubstr("mesh"), HasSubstr("is gone"));
    Results results(runtime, path, x, {});
    results.add_field(u);
    Checkpoints checkpoints(runtime, folder + "/", "test", {u});
    mesh.reset();
    EXPECT_THAT(error_of([&] { results.write(0.0); }), refused);
    EXPECT_THAT(error_of([&] { checkpoints.write(1); }), refused);
}

TEST_F(ResultsOfPrograms, ADatThatMovedIsWrittenOn) {
    Results results(runtime, path, x, {});
    results.add_field(u);
    const PointField moved = std::move(u);
    EXPECT_EQ(error_of([&] { results.write(0.0); }), "");
    runtime.finish();
}

TEST_F(ResultsOfPrograms, CheckpointsThatCannotBeWrittenAreRefused) {
    auto temporary =
        mesh->make_temporary<Point, double, 1>(mesh->set<Point>("points"), "temporary");
    const auto error_with = [&](std::vector<FieldToRead> dats, int keep) {
        return error_of(
            [&] { const Checkpoints made(runtime, folder + "/", "test", std::move(dats), keep); });
    };
    EXPECT_THAT(error_with({temporary}, 2),
                AllOf(StartsWith("5: "), HasSubstr("dat 'temporary' cannot be written"),
                      HasSubstr("it is temporary")));
    EXPECT_THAT(error_with({u, u}, 2), AllOf(StartsWith("5: "), HasSubstr("dataset 'u'")));
    EXPECT_THAT(error_with({u}, 0), AllOf(StartsWith("5: "), HasSubstr("Keep at least one")));
    EXPECT_EQ(error_with({u}, 1), "");
}

}  // namespace
}  // namespace halocline
