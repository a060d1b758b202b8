// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes and dats that move stay right in loops made before; use of what is gone is a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "halocline/halocline.hpp"
#include "support/error_of.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Volume {};
using Field = Dat<Volume, double, 1>;

struct AddOne {
    template <class V>
    void operator()(Values<V, 1>& x) const {
        x[0] = x[0] + 1.0;
    }
};

struct AddToTotal {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& sum) const {
        sum[0] += x[0];
    }
};

constexpr int cell_count = 40;

class Lifetimes : public ::testing::TestWithParam<Backend> {
protected:
    Runtime runtime{Communicator(MPI_COMM_WORLD), {.backend = GetParam(), .threads = 1}};

    Mesh make_mesh() {
        MeshDeclaration declaration;
        const int set = declaration.add_set("cells", cell_count);
        declaration.add_dat("q", set, 1, runtime.block(std::vector<double>(cell_count, 1.0)));
        std::vector<GlobalIndex> next(cell_count);
        for (int i = 0; i < cell_count; ++i) {
            next[static_cast<std::size_t>(i)] = (i + 1) % cell_count;
        }
        declaration.add_map("next", set, set, 1, runtime.block(next));
        return runtime.distribute(std::move(declaration));
    }
    void add_one(Field& dat) {
        par_loop(runtime.context(), "add_one", dat.set(), AddOne{}, read_write(dat));
    }
    std::vector<double> all(double value) { return std::vector<double>(cell_count, value); }
};

TEST_P(Lifetimes, ALoopFollowsADatThatMoved) {
    Mesh mesh = make_mesh();
    auto q = mesh.take_dat<Volume, double, 1>("q");
    const auto loop = make_loop("add_one", q.set(), AddOne{}, read_write(q));
    auto home = std::make_unique<Field>(std::move(q));
    par_loop(runtime.context(), loop);
    EXPECT_EQ(runtime.gather(*home), all(2.0));
}

TEST_P(Lifetimes, ALoopFollowsTheDatsOfAGrowingVector) {
    const Mesh mesh = make_mesh();
    std::vector<Field> dats;
    dats.push_back(mesh.make_dat<Volume, double, 1>(mesh.set<Volume>("cells"), "first"));
    const auto loop = make_loop("add_one", dats[0].set(), AddOne{}, read_write(dats[0]));
    for (int i = 0; i < 9; ++i) {
        dats.push_back(mesh.make_dat<Volume, double, 1>(mesh.set<Volume>("cells"), "more"));
    }
    par_loop(runtime.context(), loop);
    EXPECT_EQ(runtime.gather(dats[0]), all(1.0));
}

TEST_P(Lifetimes, HandlesAndDatsFollowAMeshThatMoved) {
    std::optional<Mesh> home;
    auto set = Set<Volume>{};
    std::optional<Field> q;
    {
        Mesh mesh = make_mesh();
        set = mesh.set<Volume>("cells");
        q.emplace(mesh.take_dat<Volume, double, 1>("q"));
        home.emplace(std::move(mesh));
    }
    auto p = home->make_dat<Volume, double, 1>(set, "p");
    add_one(*q);
    add_one(p);
    EXPECT_EQ(runtime.gather(*q), all(2.0));
    EXPECT_EQ(runtime.gather(p), all(1.0));
}

TEST_P(Lifetimes, ADatThatWasMovedFromIsRefused) {
    Mesh mesh = make_mesh();
    auto q = mesh.take_dat<Volume, double, 1>("q");
    const Field other = std::move(q);
    const auto refused = AllOf(StartsWith("5: "), HasSubstr("after it was moved from"));
    EXPECT_THAT(error_of([&] { (void)read_write(q); }), refused);
    EXPECT_THAT(error_of([&] { (void)q.store(); }), refused);
    EXPECT_THAT(error_of([&] { q.fill(Values<double, 1>{1.0}); }), refused);
    EXPECT_THAT(error_of([&] { (void)runtime.gather(q); }), refused);
}

TEST_P(Lifetimes, AMeshThatWasMovedFromIsRefused) {
    Mesh mesh = make_mesh();
    const Mesh other = std::move(mesh);
    EXPECT_THAT(error_of([&] { (void)mesh.set<Volume>("cells"); }),
                AllOf(HasSubstr("set 'cells'"), HasSubstr("moved from")));
}

TEST_P(Lifetimes, ADatWhoseMeshIsGoneIsRefused) {
    std::optional<Mesh> mesh = make_mesh();
    auto q = mesh->take_dat<Volume, double, 1>("q");
    const auto loop = make_loop("add_one", q.set(), AddOne{}, read_write(q));
    mesh.reset();
    const auto refused = AllOf(StartsWith("5: "), HasSubstr("dat 'q'"), HasSubstr("is gone"));
    EXPECT_THAT(error_of([&] { par_loop(runtime.context(), loop); }), refused);
    EXPECT_THAT(error_of([&] { run_chain(runtime.context(), "chain", loop.set, loop); }),
                AllOf(StartsWith("5: "), HasSubstr("a set was used whose mesh is gone")));
    EXPECT_THAT(error_of([&] { add_one(q); }), refused);
    EXPECT_THAT(error_of([&] { (void)runtime.gather(q); }), refused);
}

/// As where a program refines its mesh and keeps its old handles.
TEST_P(Lifetimes, HandlesOfAMeshThatWasAssignedOverAreRefused) {
    Mesh mesh = make_mesh();
    const auto set = mesh.set<Volume>("cells");
    const auto next = mesh.map<Volume, Volume, 1>("next");
    const auto some =
        make_subset(runtime.context(), mesh, set, "some", [](LocalIndex) { return true; });
    mesh = make_mesh();
    auto q = mesh.take_dat<Volume, double, 1>("q");
    auto sum = mesh.make_dat<Volume, double, 1>(q.set(), "sum");
    const auto refused_as = [](const char* what) {
        return AllOf(StartsWith("5: "), HasSubstr(std::string("a ") + what + " was used"),
                     HasSubstr("mesh is gone"));
    };
    const auto refused_set = refused_as("set");
    EXPECT_THAT(
        error_of([&] { par_loop(runtime.context(), "add_one", set, AddOne{}, read_write(q)); }),
        refused_set);
    EXPECT_THAT(error_of([&] {
                    par_loop(runtime.context(), "add", q.set(), AddToTotal{}, read(q),
                             inc<0>(sum, next));
                }),
                refused_as("map"));
    EXPECT_THAT(
        error_of([&] { par_loop(runtime.context(), "add_one", some, AddOne{}, read_write(q)); }),
        refused_as("subset"));
    EXPECT_THAT(error_of([&] { (void)one_to_one(runtime.comm(), next); }), refused_as("map"));
    EXPECT_THAT(error_of([&] {
                    (void)make_subset(runtime.context(), mesh, set, "all",
                                      [](LocalIndex) { return true; });
                }),
                refused_set);
    EXPECT_EQ(runtime.gather(q), all(1.0));
}

/// Globals know nothing of meshes.
TEST_P(Lifetimes, ALoopOfGlobalsAloneWhoseMeshIsGoneIsRefused) {
    std::optional<Mesh> mesh = make_mesh();
    const auto set = mesh->set<Volume>("cells");
    const Global<double, 1> one{{1.0}};
    Global<double, 1> count;
    const auto loop = make_loop("count", set, AddToTotal{}, read(one), inc(count));
    par_loop(runtime.context(), loop);
    EXPECT_EQ(count[0], cell_count);
    mesh.reset();
    EXPECT_THAT(
        error_of([&] { par_loop(runtime.context(), loop); }),
        AllOf(StartsWith("5: "), HasSubstr("loop 'count' runs over a set whose mesh is gone")));
    EXPECT_THAT(error_of([&] {
                    par_loop(runtime.context(), "again", set, AddToTotal{}, read(one), inc(count));
                }),
                HasSubstr("a set was used whose mesh is gone"));
}

/// The place of the dat's memory may be another dat's by then.
TEST_P(Lifetimes, ADatThatEndedBeforeItsLoopRanIsRefused) {
    Mesh mesh = make_mesh();
    const auto set = mesh.set<Volume>("cells");
    auto field = std::make_optional(mesh.make_dat<Volume, double, 1>(set, "short_lived"));
    const auto loop = make_loop("add_one", set, AddOne{}, read_write(*field));
    field.reset();
    const auto refused = AllOf(StartsWith("5: "), HasSubstr("loop 'add_one'"),
                               HasSubstr("dat that is gone"), HasSubstr("argument 0"));
    EXPECT_THAT(error_of([&] { par_loop(runtime.context(), loop); }), refused);
    const auto other = mesh.make_dat<Volume, double, 1>(set, "other");
    EXPECT_THAT(error_of([&] { par_loop(runtime.context(), loop); }), refused);
    EXPECT_THAT(error_of([&] { run_chain(runtime.context(), "chain", set, loop); }), refused);
    EXPECT_EQ(runtime.gather(other), all(0.0));
}

TEST_P(Lifetimes, AGlobalThatEndedBeforeItsLoopRanIsRefused) {
    Mesh mesh = make_mesh();
    auto q = mesh.take_dat<Volume, double, 1>("q");
    auto sum = std::make_optional<Global<double, 1>>();
    const auto loop = make_loop("total", q.set(), AddToTotal{}, read(q), inc(*sum));
    par_loop(runtime.context(), loop);
    EXPECT_EQ((*sum)[0], cell_count);
    sum.reset();
    EXPECT_THAT(error_of([&] { par_loop(runtime.context(), loop); }),
                AllOf(StartsWith("5: "), HasSubstr("loop 'total'"),
                      HasSubstr("global that is gone"), HasSubstr("argument 1")));
}

/// Handles that a class has as members and nobody set.
TEST_P(Lifetimes, HandlesThatBelongToNoMeshAreRefused) {
    Mesh mesh = make_mesh();
    auto q = mesh.take_dat<Volume, double, 1>("q");
    const auto refused_as = [](const char* what) {
        return AllOf(StartsWith("5: "), HasSubstr(std::string("a ") + what + " was used"),
                     HasSubstr("belongs to no mesh"));
    };
    const Map<Volume, Volume, 2> map;
    EXPECT_THAT(error_of([&] {
                    par_loop(runtime.context(), "add_one", Set<Volume>{}, AddOne{}, read_write(q));
                }),
                refused_as("set"));
    EXPECT_THAT(error_of([&] { (void)mesh.make_dat<Volume, double, 1>(Set<Volume>{}, "p"); }),
                refused_as("set"));
    EXPECT_THAT(error_of([&] { (void)mesh.make_ids(Set<Volume>{}); }), refused_as("set"));
    EXPECT_THAT(error_of([&] { (void)read<1>(q, map); }), refused_as("map"));
    EXPECT_THAT(error_of([&] { (void)inc_all(q, map); }), refused_as("map"));
    EXPECT_THAT(error_of([&] { (void)mesh.row_lengths(map); }), refused_as("map"));
    EXPECT_THAT(error_of([&] { (void)one_to_one(runtime.comm(), Map<Volume, Volume, 1>{}); }),
                refused_as("map"));
    EXPECT_THAT(error_of([&] {
                    par_loop(runtime.context(), "add_one", Subset<Volume>{}, AddOne{},
                             read_write(q));
                }),
                refused_as("subset"));
}

INSTANTIATE_TEST_SUITE_P(BackEnds, Lifetimes,
                         ::testing::Values(Backend::serial, Backend::openmp, Backend::check),
                         [](const auto& backend) {
                             return std::string(backend_name(backend.param));
                         });

}  // namespace
}  // namespace halocline
