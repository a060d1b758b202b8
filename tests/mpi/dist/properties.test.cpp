// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every partitioner, with and without renumbering, against the oracle on unpleasant meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "halocline/dist/distribute.hpp"
#include "halocline/dist/partition/parmetis_calls.hpp"
#include "mpi/dist/oracle.hpp"

namespace halocline::test {
namespace {

using Owners = std::vector<std::vector<int>>;

class AnyPartitioner : public testing::TestWithParam<std::tuple<PartitionMethod, bool>> {
protected:
    [[nodiscard]] DistributeOptions options(const WholeMesh& whole) const {
        DistributeOptions result;
        result.partitioner = std::get<0>(GetParam()).partitioner;
        result.method = std::get<0>(GetParam()).method;
        result.renumber = std::get<1>(GetParam());
        for (std::size_t s = 0; s < whole.mesh.sets.size(); ++s) {
            if (whole.mesh.sets[s].name.starts_with("nodes")) {
                result.primary_set = static_cast<int>(s);
                break;
            }
        }
        if (result.partitioner == "file") {
            result.given_parts = scattered(whole.size(result.primary_set));
        }
        if (result.method.starts_with("geom")) {
            for (std::size_t d = 0; d < whole.mesh.dats.size(); ++d) {
                if (whole.mesh.dats[d].set == result.primary_set) {
                    result.coordinates = {static_cast<int>(d)};
                }
            }
        }
        return result;
    }

    /// A user's partition without sense: neighbours apart, part sizes unequal.
    [[nodiscard]] std::vector<int> scattered(GlobalIndex size) const {
        std::vector<int> parts;
        const BlockRange block = block_range(size, comm.rank(), comm.size());
        for (GlobalIndex id = block.begin; id < block.end; ++id) {
            parts.push_back(static_cast<int>(id * id / 3 % comm.size()));
        }
        return parts;
    }

    void expect_correct(const WholeMesh& whole) const {
        DistributeOptions choices = options(whole);
        const Distribution result = distribute(comm, block_of(whole, comm), choices);
        expect_correct_part(comm, whole, result.part, choices.renumber);
        choices.order_all_sets = true;
        choices.near_places = 0;  // no order of such small meshes would be called local
        const Distribution all = distribute(comm, block_of(whole, comm), choices);
        expect_correct_part(comm, whole, all.part, choices.renumber, choices.renumber);
    }

    Communicator comm{MPI_COMM_WORLD};
};

TEST_P(AnyPartitioner, DividesAMultigridHierarchy) {
    for (const unsigned seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(seed);
        expect_correct(random_multigrid(120, 9, seed));
    }
}

TEST_P(AnyPartitioner, AllowsEmptyRanksOnCoarseLevels) {
    expect_correct(random_multigrid(40, 1, 4));
}

TEST_P(AnyPartitioner, DividesAShuffledGrid) { expect_correct(grid(13, 11, 6)); }

TEST_P(AnyPartitioner, DividesAsManyNodesAsRanks) {
    expect_correct(line(std::max(2, comm.size())));
}

TEST_P(AnyPartitioner, GivesTheSameAnswerTwice) {
    const PartitionMethod& way = std::get<0>(GetParam());
    if (way.partitioner == "parmetis" && way.method == "kway" &&
        dist::parmetis_provider() == dist::ParMetisProvider::compatibility) {
        GTEST_SKIP() << "PT-Scotch's ParMETIS library lets the order of messages decide";
    }
    const WholeMesh whole = random_multigrid(150, 6, 9);
    const Distribution first = distribute(comm, block_of(whole, comm), options(whole));
    const Distribution second = distribute(comm, block_of(whole, comm), options(whole));
    for (std::size_t s = 0; s < first.part.sets.size(); ++s) {
        EXPECT_EQ(first.part.sets[s].global_ids, second.part.sets[s].global_ids);
    }
}

/// Rows of a map with ends of different owners.
std::int64_t count_cut(const WholeMesh& whole, const Owners& owners, int map) {
    const MapDeclaration& m = whole.mesh.maps[static_cast<std::size_t>(map)];
    const auto& owner = owners[static_cast<std::size_t>(m.to)];
    std::int64_t cut = 0;
    for (std::size_t i = 0; i < m.targets.size(); i += 2) {
        cut += owner[static_cast<std::size_t>(m.targets[i])] !=
               owner[static_cast<std::size_t>(m.targets[i + 1])];
    }
    return cut;
}

TEST_P(AnyPartitioner, ReportsCutAndHaloAsTheyAre) {
    const WholeMesh whole = grid(12, 12, 8);
    const Distribution result = distribute(comm, block_of(whole, comm), options(whole));
    const Owners owners = gather_owners(comm, whole, result.part);
    std::int64_t halo = 0;
    std::int64_t largest = 0;
    for (int rank = 0; rank < comm.size(); ++rank) {
        const auto regions = expected_regions(whole, owners, rank);
        for (const Regions& set : regions) {
            halo += static_cast<std::int64_t>(set.exec.size() + set.nonexec.size());
        }
        largest = std::max(largest, static_cast<std::int64_t>(regions[0].owned.size()));
    }
    EXPECT_EQ(result.report.edge_cut, count_cut(whole, owners, 0));
    EXPECT_EQ(result.report.halo_elements, halo);
    EXPECT_DOUBLE_EQ(result.report.imbalance, static_cast<double>(largest) * comm.size() / 144.0);
}

TEST_P(AnyPartitioner, SetsFollowThePrimarySet) {
    const WholeMesh whole = random_multigrid(120, 9, 12);
    const Distribution result = distribute(comm, block_of(whole, comm), options(whole));
    const Owners owners = gather_owners(comm, whole, result.part);
    for (const MapDeclaration& map : whole.mesh.maps) {
        if (!map.name.starts_with("edge") && !map.name.starts_with("bnd") &&
            map.name != "cell_nodes") {
            continue;
        }
        for (GlobalIndex e = 0; e < whole.size(map.from); ++e) {
            const GlobalIndex first = map.targets[static_cast<std::size_t>(e * map.arity)];
            ASSERT_EQ(owners[static_cast<std::size_t>(map.from)][static_cast<std::size_t>(e)],
                      owners[static_cast<std::size_t>(map.to)][static_cast<std::size_t>(first)]);
        }
    }
}

TEST_P(AnyPartitioner, CoarseNodesFollowTheMajorityOfTheirChildren) {
    const WholeMesh whole = random_multigrid(120, 9, 13);
    const Distribution result = distribute(comm, block_of(whole, comm), options(whole));
    const Owners owners = gather_owners(comm, whole, result.part);
    for (const MapDeclaration& map : whole.mesh.maps) {
        if (!map.name.starts_with("parent")) {
            continue;
        }
        for (GlobalIndex c = 0; c < whole.size(map.to); ++c) {
            std::vector<int> votes(static_cast<std::size_t>(comm.size()), 0);
            for (std::size_t i = 0; i < map.targets.size(); ++i) {
                if (map.targets[i] == c) {
                    const int child = owners[static_cast<std::size_t>(map.from)][i];
                    ++votes[static_cast<std::size_t>(child)];
                }
            }
            const auto most = std::max_element(votes.begin(), votes.end());  // the first of equals
            if (*most > 0) {
                ASSERT_EQ(owners[static_cast<std::size_t>(map.to)][static_cast<std::size_t>(c)],
                          most - votes.begin())
                    << map.name << " " << c << testing::PrintToString(votes);
            }
        }
    }
}

TEST(Orphans, AdoptTheOwnerOfANeighbour) {
    const Communicator comm(MPI_COMM_WORLD);
    // Only coarse node 0 has children, all on the last rank's half of the line; the others hang on
    // it in a chain.
    WholeMesh whole = line(8 * comm.size());
    const int coarse = whole.add_set("coarse", 5);
    const int coarse_edges = whole.add_set("coarse_edges", 4);
    const int child = whole.add_set("last_nodes", 3);
    const GlobalIndex last = 8 * comm.size() - 1;
    whole.add_map("last_node", child, 0, 1, {last, last, last});
    whole.add_map("to_coarse", child, coarse, 1, {0, 0, 0});
    whole.add_map("coarse_chain", coarse_edges, coarse, 2, {0, 1, 1, 2, 2, 3, 3, 4});
    DistributeOptions options;
    options.partitioner = "block";
    const MeshPart part = distribute(comm, block_of(whole, comm), options).part;
    EXPECT_EQ(part.sets[static_cast<std::size_t>(coarse)].owned,
              comm.rank() == comm.size() - 1 ? 5 : 0);
    expect_correct_part(comm, whole, part, true);
}

/// How far apart the ends of an edge are numbered, on average over edges between core nodes: the
/// boundary layer behind them is numbered apart, by definition.
double mean_core_distance(const MeshPart& part) {
    const LocalIndex core = part.sets[0].core;
    const auto& targets = part.maps[0].targets;
    double sum = 0.0;
    double edges = 0.0;
    for (std::size_t i = 0; i < targets.size(); i += 2) {
        if (targets[i] < core && targets[i + 1] < core) {
            sum += std::abs(targets[i] - targets[i + 1]);
            edges += 1.0;
        }
    }
    return sum / edges;
}

TEST(DeferredDats, ArriveLikeDeclaredOnes) {
    const Communicator comm(MPI_COMM_WORLD);
    const WholeMesh whole = random_multigrid(60, 3, 5);
    const DistributeOptions options{.partitioner = "block", .primary_set = 1};
    MeshDeclaration later = block_of(whole, comm);
    int reads = 0;
    for (DatDeclaration& dat : later.dats) {
        dat.deferred = deferred_values([&reads, values = std::exchange(dat.values, {})] {
            ++reads;
            return values;
        });
    }
    const Distribution result = distribute(comm, std::move(later), options);
    EXPECT_EQ(reads, static_cast<int>(whole.mesh.dats.size()));
    expect_correct_part(comm, whole, result.part, options.renumber);
}

TEST(Renumbering, BringsNeighboursInEachRanksCoreTogether) {
    const Communicator comm(MPI_COMM_WORLD);
    const WholeMesh whole = grid(40, 40, 21);
    DistributeOptions options;
    options.partitioner = default_partition("ptscotch").partitioner;
    if (options.partitioner == "sfc") {
        GTEST_SKIP() << "this build has no PT-Scotch, and coordinates would decide the numbering";
    }
    const double with = mean_core_distance(distribute(comm, block_of(whole, comm), options).part);
    options.renumber = false;
    const double without =
        mean_core_distance(distribute(comm, block_of(whole, comm), options).part);
    EXPECT_GT(with, 0.0);
    EXPECT_LT(3.0 * with, without);
}

std::string name_of(const testing::TestParamInfo<AnyPartitioner::ParamType>& info) {
    const PartitionMethod& way = std::get<0>(info.param);
    return way.partitioner + "_" + way.method +
           (std::get<1>(info.param) ? "_Renumbered" : "_FileOrder");
}

INSTANTIATE_TEST_SUITE_P(All, AnyPartitioner,
                         testing::Combine(testing::ValuesIn(partition_methods()), testing::Bool()),
                         name_of);

}  // namespace
}  // namespace halocline::test
