// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Bad input: one sentence, the same on every rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Outcome {
    ExitCode code = ExitCode::ok;
    std::string message;
};

Outcome outcome_of(const Communicator& comm, MeshDeclaration mesh,
                   const DistributeOptions& options) {
    try {
        (void)distribute(comm, std::move(mesh), options);
        return {};
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
}

class BadInput : public testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};

    Outcome with(const std::string& partitioner, const std::string& method) {
        DistributeOptions options;
        options.partitioner = partitioner;
        options.method = method;
        return outcome_of(comm, block_of(line(12), comm), options);
    }
};

TEST_F(BadInput, MapOutsideItsSetIsNamedOnEveryRank) {
    for (const GlobalIndex bad : {GlobalIndex{12}, GlobalIndex{-2}, GlobalIndex{1} << 40}) {
        WholeMesh whole = line(12);
        whole.mesh.maps[0].targets[21] = bad;  // second end of edge 10, on the last rank only
        const Outcome outcome = outcome_of(comm, block_of(whole, comm), {});
        EXPECT_EQ(outcome.code, ExitCode::invalid_input);
        EXPECT_THAT(outcome.message, HasSubstr("edge_nodes"));
        EXPECT_THAT(outcome.message, HasSubstr("element 10 of 'edges'"));
        EXPECT_THAT(outcome.message, HasSubstr("element " + std::to_string(bad)));
        EXPECT_THAT(outcome.message, HasSubstr("0 to 11"));
    }
}

TEST_F(BadInput, AbsentEntriesOfOtherMapsAreNamedWithRowAndColumn) {
    WholeMesh whole = line(12);
    whole.mesh.maps[0].targets[21] = absent;
    const Outcome outcome = outcome_of(comm, block_of(whole, comm), {});
    EXPECT_EQ(outcome.code, ExitCode::invalid_input);
    EXPECT_THAT(outcome.message, HasSubstr("map 'edge_nodes' has no target for element 10 of "
                                           "'edges' in column 1 (it is -1"));
    EXPECT_THAT(outcome.message, HasSubstr("add_optional_map"));
    whole.mesh.maps[0].may_be_absent = true;
    EXPECT_EQ(outcome_of(comm, block_of(whole, comm), {}).code, ExitCode::ok);
    whole.mesh.maps[0].targets[20] = -2;
    EXPECT_THAT(outcome_of(comm, block_of(whole, comm), {}).message,
                HasSubstr("element 10 of 'edges' names element -2"));
}

TEST_F(BadInput, MapIntoAnEmptySetIsNamed) {
    WholeMesh whole = line(12);
    whole.add_map("to_nothing", 0, whole.add_set("nothing", 0), 1, std::vector<GlobalIndex>(12, 0));
    const Outcome outcome = outcome_of(comm, block_of(whole, comm), {});
    EXPECT_EQ(outcome.code, ExitCode::invalid_input);
    EXPECT_THAT(outcome.message, HasSubstr("'nothing' is empty"));
}

TEST_F(BadInput, UnknownPartitionerGetsTheNearestName) {
    const Outcome outcome = with("ptscoth", "kway");
    EXPECT_EQ(outcome.code, ExitCode::usage);
    EXPECT_THAT(outcome.message, HasSubstr("did you mean 'ptscotch'?"));
}

TEST_F(BadInput, MissingPartitionerGetsTheCombinationsThereAre) {
    const Outcome outcome = with("inertial", "kway");
    EXPECT_EQ(outcome.code, ExitCode::usage);
    EXPECT_THAT(outcome.message, HasSubstr("inertial with geom or geomkway"));
    EXPECT_THAT(outcome.message, HasSubstr("ptscotch with kway"));
}

TEST_F(BadInput, MethodOfNoPartitionerGetsTheCombinationsThereAre) {
    for (const auto& [partitioner, method] :
         {std::pair{"ptscotch", "geom"}, {"metis", "geomkway"}, {"block", "kway"}}) {
        const Outcome outcome = with(partitioner, method);
        EXPECT_EQ(outcome.code, ExitCode::usage);
        EXPECT_THAT(outcome.message, HasSubstr(method));
        EXPECT_THAT(outcome.message, HasSubstr("parmetis with kway"));
    }
}

TEST_F(BadInput, MoreRanksThanNodesIsRefused) {
    if (comm.size() < 3) {
        GTEST_SKIP() << "two nodes are too few for three ranks only: dist_errors.np3 runs it";
    }
    const Outcome outcome = outcome_of(comm, block_of(line(2), comm), {});
    EXPECT_EQ(outcome.code, ExitCode::invalid_input);
    EXPECT_THAT(outcome.message, HasSubstr("'nodes' has 2 elements"));
    EXPECT_THAT(outcome.message, HasSubstr("Use at most 2 ranks"));
}

TEST_F(BadInput, WrongBlockIsNamed) {
    MeshDeclaration mesh = block_of(line(12), comm);
    if (comm.rank() == comm.size() - 1) {
        mesh.dats[0].doubles().pop_back();
    }
    const Outcome outcome = outcome_of(comm, std::move(mesh), {});
    EXPECT_EQ(outcome.code, ExitCode::run_failed);
    EXPECT_THAT(outcome.message, HasSubstr("dat 'x'"));
    EXPECT_THAT(outcome.message, HasSubstr("values on rank " + std::to_string(comm.size() - 1) +
                                           " where its block"));
}

TEST_F(BadInput, DeclarationWithoutSetsIsRefused) {
    const Outcome outcome = outcome_of(comm, {}, {});
    EXPECT_EQ(outcome.code, ExitCode::run_failed);
    EXPECT_THAT(outcome.message, HasSubstr("the declaration of the mesh is empty"));
}

TEST_F(BadInput, TypesOfValuesThatComeLaterMustBeEqual) {
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank agrees with itself: dist_errors.np2 and np3 run it";
    }
    MeshDeclaration mesh = block_of(line(12), comm);
    const auto rows = static_cast<std::size_t>(block_range(12, comm.rank(), comm.size()).size());
    const bool is_last = comm.rank() == comm.size() - 1;
    mesh.add_deferred_dat("late", 0, 1, deferred_values([=]() -> DatValues {
                              if (is_last) {
                                  return std::vector<float>(rows);
                              }
                              return std::vector<double>(rows);
                          }));
    const Outcome outcome = outcome_of(comm, std::move(mesh), {});
    EXPECT_EQ(outcome.code, ExitCode::run_failed);
    EXPECT_THAT(outcome.message,
                HasSubstr("values of different types for dat 'late' (rank 0 double, rank " +
                          std::to_string(comm.size() - 1) + " float)"));
}

/// Each rank declares what its number makes of it; the message names the first difference.
TEST_F(BadInput, MeshesThatRanksDeclareDifferentlyAreNamed) {
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank agrees with itself: dist_errors.np2 and np3 run it";
    }
    const auto message_of = [&](auto change) {
        MeshDeclaration mesh = block_of(line(12), comm);
        change(mesh);
        const Outcome outcome = outcome_of(comm, std::move(mesh), {});
        EXPECT_EQ(outcome.code, ExitCode::run_failed);
        return outcome.message;
    };
    const std::string rank = std::to_string(comm.rank());
    EXPECT_THAT(message_of([&](MeshDeclaration& mesh) { mesh.add_set("more", 5 + comm.rank()); }),
                HasSubstr("(rank 0: set 'more' of 5 elements; rank 1: set 'more' of 6 elements)"));
    EXPECT_THAT(message_of([&](MeshDeclaration& mesh) {
                    if (!comm.is_root()) {
                        mesh.add_set("more", 5);
                    }
                }),
                AllOf(HasSubstr("rank 0: map 'edge_nodes'"),
                      HasSubstr("rank 1: set 'more' of 5 elements")));
    EXPECT_THAT(message_of([&](MeshDeclaration& mesh) {
                    if (comm.is_root()) {
                        mesh.add_dat("last", 0, 1, std::vector<float>{});
                    }
                }),
                AllOf(HasSubstr("rank 0: dat 'last' on set 0 with 1 components of type float"),
                      HasSubstr("rank 1: nothing more")));
}

TEST_F(BadInput, OptionsThatRanksPassDifferentlyAreNamed) {
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank agrees with itself: dist_errors.np2 and np3 run it";
    }
    const auto message_of = [&](auto change) {
        DistributeOptions options;
        change(options);
        const Outcome outcome = outcome_of(comm, block_of(line(12), comm), options);
        EXPECT_EQ(outcome.code, ExitCode::run_failed);
        return outcome.message;
    };
    EXPECT_THAT(message_of([&](DistributeOptions& options) {
                    options.partitioner = comm.is_root() ? "block" : "random";
                }),
                HasSubstr("different options (rank 0: partitioner 'block'; rank 1: partitioner "
                          "'random')"));
    EXPECT_THAT(message_of([&](DistributeOptions& options) {
                    options.weights.assign(comm.is_root() ? 0U : 2U, 0.5);
                }),
                HasSubstr("(rank 0: weights not named; rank 1: weights 0.5, 0.5)"));
    EXPECT_THAT(message_of([&](DistributeOptions& options) {
                    if (!comm.is_root()) {
                        options.order_all_sets = false;
                    }
                }),
                HasSubstr("(rank 0: order_all_sets not named; rank 1: order_all_sets false)"));
}

TEST_F(BadInput, CoordinatesThatAreReadLaterAreRefused) {
    MeshDeclaration mesh = block_of(line(12), comm);
    mesh.dats[0].deferred = deferred_values([] { return std::vector<double>(); });
    DistributeOptions options;
    options.coordinates = {0};
    const Outcome outcome = outcome_of(comm, std::move(mesh), options);
    EXPECT_EQ(outcome.code, ExitCode::run_failed);
    EXPECT_THAT(outcome.message, HasSubstr("read later"));
}

TEST_F(BadInput, GraphMapsMustLeadToThePrimarySet) {
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank partitions nothing: dist_errors.np2 and np3 run it";
    }
    WholeMesh whole = two_level_line(12);
    DistributeOptions options;
    options.graph_maps = {2};  // edges_L1 to nodes_L1
    const Outcome outcome = outcome_of(comm, block_of(whole, comm), options);
    EXPECT_EQ(outcome.code, ExitCode::run_failed);
    EXPECT_THAT(outcome.message, HasSubstr("graph_maps names 2"));
}

#if !HALOCLINE_HAS_PTSCOTCH
TEST_F(BadInput, PartitionerWithoutItsLibrarySaysSoWhereOneIsNeeded) {
    const Outcome outcome = with("ptscotch", "kway");
    EXPECT_EQ(outcome.code, comm.size() == 1 ? ExitCode::ok : ExitCode::environment);
    EXPECT_EQ(outcome.message.find("PT-Scotch") != std::string::npos, comm.size() > 1);
}
#endif

TEST(Partitioners, OfThisBuildAreKnownByName) {
    EXPECT_THAT(partitioner_names(), testing::Contains("block"));
}

}  // namespace
}  // namespace halocline::test
