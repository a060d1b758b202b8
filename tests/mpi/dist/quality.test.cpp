// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Divisions into any number of parts: sizes, answers that ranks do not change, and costs counted as
// brute force counts them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>

#include "halocline/core/error.hpp"
#include "halocline/dist/exchange/link_speed.hpp"
#include "halocline/dist/migration/division.hpp"
#include "halocline/dist/partition/part_components.hpp"
#include "halocline/dist/partition/partition_quality.hpp"
#include "halocline/dist/partition/target_sizes.hpp"
#include "mpi/dist/oracle.hpp"

namespace halocline::test {
namespace {

using Owners = std::vector<std::vector<int>>;

/// Every rank's block of owners, put together.
std::vector<int> gathered(const Communicator& comm, const std::vector<int>& block) {
    std::vector<int> counts;
    std::vector<int> begins;
    const std::array<std::int64_t, 1> mine{static_cast<std::int64_t>(block.size())};
    int total = 0;
    for (const std::int64_t count : comm.all_gather(std::span<const std::int64_t>(mine))) {
        counts.push_back(static_cast<int>(count));
        begins.push_back(total);
        total += static_cast<int>(count);
    }
    std::vector<int> all(static_cast<std::size_t>(total));
    check_mpi(MPI_Allgatherv(block.data(), counts[static_cast<std::size_t>(comm.rank())], MPI_INT,
                             all.data(), counts.data(), begins.data(), MPI_INT, comm.get()),
              "MPI_Allgatherv");
    return all;
}

/// nx x ny points of a plane; node i * ny + j lies at (i, j, 0).
WholeMesh plane(int nx, int ny) {
    WholeMesh whole = grid(nx, ny, 0);
    auto& x = whole.mesh.dats[0].doubles();
    for (int i = 0; i < nx * ny; ++i) {
        x[static_cast<std::size_t>(3 * i)] = i / ny;
        x[static_cast<std::size_t>(3 * i + 1)] = i % ny;
        x[static_cast<std::size_t>(3 * i + 2)] = 0.0;
    }
    return whole;
}

DistributeOptions choose(const std::string& partitioner, const std::string& method = "auto") {
    DistributeOptions options;
    options.partitioner = partitioner;
    options.method = method;
    options.coordinates = {0};
    return options;
}

std::vector<int> divided(const Communicator& comm, const WholeMesh& whole,
                         const DistributeOptions& options, int parts) {
    const dist::Division division = dist::divide_sets(comm, block_of(whole, comm), options, parts);
    return gathered(comm, division.owners[0].owner);
}

std::int64_t count_cut(const WholeMesh& whole, const std::vector<int>& part) {
    const auto& targets = whole.mesh.maps[0].targets;
    std::int64_t cut = 0;
    for (std::size_t i = 0; i < targets.size(); i += 2) {
        cut += part[static_cast<std::size_t>(targets[i])] !=
               part[static_cast<std::size_t>(targets[i + 1])];
    }
    return cut;
}

Communicator comm() { return Communicator(MPI_COMM_WORLD); }

TEST(Division, ByGeometryDoesNotDependOnTheNumberOfRanks) {
    const WholeMesh whole = plane(23, 17);
    for (const char* partitioner : {"sfc", "inertial", "random", "block"}) {
        for (const int parts : {2, 5, 7, 16}) {
            const auto options = choose(partitioner);
            EXPECT_EQ(divided(comm(), whole, options, parts),
                      divided(Communicator(MPI_COMM_SELF), whole, options, parts))
                << partitioner << " " << parts;
        }
    }
}

TEST(Division, MeetsTargetWeightsToTheElement) {
    const WholeMesh whole = plane(20, 12);  // 240 = 8 * (3 + 1 + 4 + 22)
    for (const char* partitioner : {"sfc", "inertial", "random", "block"}) {
        auto options = choose(partitioner);
        options.weights = {3.0, 1.0, 4.0, 22.0};
        const std::vector<int> part = divided(comm(), whole, options, 4);
        std::vector<int> sizes(4, 0);
        for (const int p : part) {
            ++sizes[static_cast<std::size_t>(p)];
        }
        EXPECT_THAT(sizes, testing::ElementsAre(24, 8, 32, 176)) << partitioner;
    }
}

// A strip 40 long and 6 wide is cut across its length three times: 3 * 6 edges.
TEST(Inertial, CutsAStripAcrossItsLength) {
    const WholeMesh whole = plane(40, 6);
    EXPECT_EQ(count_cut(whole, divided(comm(), whole, choose("inertial"), 4)), 18);
}

// Hilbert's curve visits one quadrant of a square after the other: cuts are its two middle lines.
TEST(Curve, GivesTheQuadrantsOfASquare) {
    const WholeMesh whole = plane(16, 16);
    EXPECT_EQ(count_cut(whole, divided(comm(), whole, choose("sfc"), 4)), 32);
}

TEST(Refinement, NeverCutsMoreAndKeepsItsBalance) {
    const WholeMesh whole = plane(37, 29);
    for (const char* partitioner : {"sfc", "inertial"}) {
        for (const int parts : {3, 5, 11}) {
            const auto before = divided(comm(), whole, choose(partitioner, "geom"), parts);
            const auto after = divided(comm(), whole, choose(partitioner, "geomkway"), parts);
            EXPECT_LE(count_cut(whole, after), count_cut(whole, before));
            std::vector<int> sizes(static_cast<std::size_t>(parts), 0);
            for (const int p : after) {
                ++sizes[static_cast<std::size_t>(p)];
            }
            EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), 1.02 * (37 * 29 / parts + 1));
        }
    }
}

TEST(TargetSizes, LeaveNoPartEmpty) {
    const std::vector<double> weights{1e-9, 1.0, 1e-9};
    EXPECT_THAT(dist::target_sizes(10, 3, weights), testing::ElementsAre(1, 8, 1));
    EXPECT_THAT(dist::target_sizes(10, 3, {}), testing::ElementsAre(4, 3, 3));
}

/// Quadrilaterals of a plane of n x n cells; nodes and cells in random order.
WholeMesh quadrilaterals(int n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<GlobalIndex> name(static_cast<std::size_t>((n + 1) * (n + 1)));
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.end(), random);
    std::vector<int> cells(static_cast<std::size_t>(n * n));
    std::iota(cells.begin(), cells.end(), 0);
    std::shuffle(cells.begin(), cells.end(), random);
    std::vector<GlobalIndex> corners;
    for (const int cell : cells) {
        const int first = cell / n * (n + 1) + cell % n;
        for (const int node : {first, first + 1, first + n + 2, first + n + 1}) {
            corners.push_back(name[static_cast<std::size_t>(node)]);
        }
    }
    WholeMesh whole;
    const int nodes = whole.add_set("nodes", (n + 1) * (n + 1));
    const int set = whole.add_set("cells", n * n);
    whole.add_map("corners", set, nodes, 4, std::move(corners));
    return whole;
}

// Blocks of a random order would leave few cells whole; two cuts across the plane part some 4 n.
TEST(DefaultDistribution, KeepsCellsTogetherThatOnlyTheirNodesJoin) {
    if (comm().size() == 1 || !default_partition("ptscotch").partitioner.starts_with("ptscotch")) {
        GTEST_SKIP() << "one rank divides nothing, and PT-Scotch must be there: dist_quality.np2 "
                        "and others run it";
    }
    constexpr int n = 40;
    const WholeMesh whole = quadrilaterals(n, 5);
    MeshDeclaration mesh = block_of(whole, comm());
    const DistributeOptions options = completed_options(mesh, {});
    const Distribution result = distribute(comm(), std::move(mesh), options);
    EXPECT_EQ(result.report.partitioner, "ptscotch");
    EXPECT_LT(result.report.edge_cut, 4 * n);
}

class Costs : public testing::TestWithParam<int> {};

TEST_P(Costs, AreThoseThatBruteForceCounts) {
    const int parts = GetParam();
    const WholeMesh whole = random_multigrid(90, 7, 4);
    DistributeOptions options = choose("random");
    options.primary_set = 1;
    options.coordinates = {};
    const MeshDeclaration mesh = block_of(whole, comm());
    const dist::Division division = dist::divide_sets(comm(), mesh, options, parts);
    const dist::PartitionQuality quality =
        dist::assess_partition(comm(), mesh, division.owners, parts, dist::QualityDetail::parts);
    Owners owners;
    for (const dist::OwnerBlock& block : division.owners) {
        owners.push_back(gathered(comm(), block.owner));
    }
    std::vector<std::int64_t> exec(whole.mesh.sets.size(), 0);
    std::vector<std::int64_t> nonexec(whole.mesh.sets.size(), 0);
    std::vector<std::vector<dist::PartLink>> links(whole.mesh.sets.size());
    std::vector<std::set<GlobalIndex>> held(whole.mesh.sets.size());  // as halo, by any part
    for (int part = 0; part < parts; ++part) {
        const auto regions = expected_regions(whole, owners, part);
        for (std::size_t s = 0; s < regions.size(); ++s) {
            exec[s] += static_cast<std::int64_t>(regions[s].exec.size());
            nonexec[s] += static_cast<std::int64_t>(regions[s].nonexec.size());
            const auto p = static_cast<std::size_t>(part);
            const dist::SetParts& own = quality.sets[s].parts;
            EXPECT_EQ(own.owned[p], std::count(owners[s].begin(), owners[s].end(), part));
            EXPECT_EQ(own.import_exec[p], static_cast<std::int64_t>(regions[s].exec.size()));
            for (int from = 0; from < parts; ++from) {
                std::int64_t elements = 0;
                for (GlobalIndex id = 0; id < whole.size(static_cast<int>(s)); ++id) {
                    if (regions[s].holds_as_halo(id)) {
                        held[s].insert(id);
                        elements += owners[s][static_cast<std::size_t>(id)] == from;
                    }
                }
                if (elements > 0) {
                    links[s].push_back({from, part, elements});
                }
            }
        }
    }
    for (std::size_t s = 0; s < exec.size(); ++s) {
        EXPECT_EQ(quality.sets[s].import_exec, exec[s]) << whole.mesh.sets[s].name;
        EXPECT_EQ(quality.sets[s].import_nonexec, nonexec[s]) << whole.mesh.sets[s].name;
        std::vector<std::int64_t> shared(static_cast<std::size_t>(parts), 0);
        for (const GlobalIndex id : held[s]) {
            ++shared[static_cast<std::size_t>(owners[s][static_cast<std::size_t>(id)])];
        }
        EXPECT_EQ(quality.sets[s].parts.shared, shared) << whole.mesh.sets[s].name;
        std::sort(links[s].begin(), links[s].end(), [](const auto& a, const auto& b) {
            return a.from != b.from ? a.from < b.from : a.to < b.to;
        });
        if (comm().is_root()) {
            ASSERT_EQ(quality.sets[s].links.size(), links[s].size());
            for (std::size_t i = 0; i < links[s].size(); ++i) {
                EXPECT_EQ(quality.sets[s].links[i].elements, links[s][i].elements);
                EXPECT_EQ(quality.sets[s].links[i].from, links[s][i].from);
                EXPECT_EQ(quality.sets[s].links[i].to, links[s][i].to);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Parts, Costs, testing::Values(1, 2, 3, 8));

// Nodes 0 … 9 in a line, part 0 at 0 1 4 5 9 (three pieces), part 1 at 2 3 6 7 8 (two).
TEST(Components, OfALineInPieces) {
    const WholeMesh whole = line(10);
    const std::vector<int> all{0, 0, 1, 1, 0, 0, 1, 1, 1, 0};
    const BlockRange block = block_range(10, comm().rank(), comm().size());
    const dist::OwnerBlock owners{10, {all.begin() + block.begin, all.begin() + block.end}};
    const MeshDeclaration mesh = block_of(whole, comm());
    const dist::PartComponents pieces = dist::count_components(comm(), mesh.maps[0], owners, 3);
    EXPECT_EQ(pieces.components, 5);
    EXPECT_EQ(pieces.disconnected_parts, 2);  // part 2 is empty
}

// Part 0 sends two messages of 100 and 50 elements: 2 * 1 us + 150 * 40 B / 1 GB/s = 8 us.
TEST(PredictedExchange, IsThatOfTheBusiestPart) {
    const std::vector<dist::PartLink> links{{0, 1, 100}, {0, 2, 50}, {1, 0, 90}, {2, 0, 40}};
    EXPECT_DOUBLE_EQ(dist::predict_exchange_s(links, 3, 40, {1e-6, 1e9}), 8e-6);
}

TEST(Weights, ThatMakeNoSenseAreRefused) {
    const std::vector<double> two{1.0, 2.0};
    const std::vector<double> zero{1.0, 0.0, 1.0};
    EXPECT_NO_THROW(dist::validate_weights(two, 2));
    EXPECT_THROW(dist::validate_weights(two, 3), UsageError);
    EXPECT_THROW(dist::validate_weights(zero, 3), UsageError);
}

}  // namespace
}  // namespace halocline::test
