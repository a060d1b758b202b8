// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Renumbering by coordinates through distribute(): one order for any number of ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/partition/hilbert.hpp"
#include "mpi/dist/oracle.hpp"

namespace halocline::test {
namespace {

using testing::HasSubstr;

/// Replaces the dat on `set` by coordinates of `dim` components in few distinct places, so that ties
/// are common. Returns the dat.
int give_coordinates(WholeMesh& whole, int set, int dim) {
    std::vector<double> values;
    for (GlobalIndex id = 0; id < whole.size(set); ++id) {
        for (int d = 0; d < dim; ++d) {
            values.push_back(static_cast<double>((id * 7919 + 13 * d * id) % 37));
        }
    }
    return whole.mesh.add_dat("position" + std::to_string(set), set, dim, std::move(values));
}

/// Place by global id on the curve through the whole set, ties by global id.
std::vector<LocalIndex> places(const WholeMesh& whole, int dat) {
    const DatDeclaration& d = whole.mesh.dats[static_cast<std::size_t>(dat)];
    const auto box = dist::bounding_box(d.doubles(), d.dim);
    const auto order = dist::order_by_key(dist::hilbert_keys(d.doubles(), d.dim, box));
    std::vector<LocalIndex> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[static_cast<std::size_t>(order[i])] = static_cast<LocalIndex>(i);
    }
    return place;
}

void expect_ascending(const SetPart& set, const std::vector<LocalIndex>& place, LocalIndex begin,
                      LocalIndex end) {
    for (LocalIndex i = begin + 1; i < end; ++i) {
        ASSERT_LT(place[static_cast<std::size_t>(set.global_id(i - 1))],
                  place[static_cast<std::size_t>(set.global_id(i))])
            << set.name << " " << i;
    }
}

/// The lowest neighbour that gets each owned element, by local index; -1 where none does.
std::vector<int> first_takers(const SetPart& set) {
    std::vector<int> takers(static_cast<std::size_t>(set.owned), -1);
    for (std::size_t k = set.halo.neighbours.size(); k-- > 0;) {
        for (auto i = set.halo.send_offsets[k]; i < set.halo.send_offsets[k + 1]; ++i) {
            const LocalIndex element = set.halo.send_indices[static_cast<std::size_t>(i)];
            takers[static_cast<std::size_t>(element)] = set.halo.neighbours[k];
        }
    }
    return takers;
}

/// Elements near the halo come by neighbour, and those of one neighbour along the curve.
void expect_groups_on_curve(const SetPart& set, const std::vector<LocalIndex>& place) {
    const std::vector<int> takers = first_takers(set);
    const auto others = takers.begin() + set.core;
    ASSERT_TRUE(std::is_sorted(others, takers.end()));
    for (auto group = others; group != takers.end();) {
        const auto end = std::upper_bound(group, takers.end(), *group);
        expect_ascending(set, place, static_cast<LocalIndex>(group - takers.begin()),
                         static_cast<LocalIndex>(end - takers.begin()));
        group = end;
    }
}

class HilbertRenumbering : public testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    DistributeOptions options;

    void SetUp() override {
        options.partitioner = "block";
        options.keep_local_orders = false;
    }

    Distribution distributed(const WholeMesh& whole) {
        return distribute(comm, block_of(whole, comm), options);
    }

    void expect_on_curve(const WholeMesh& whole, const MeshPart& part) {
        for (const int dat : options.coordinates) {
            const auto s =
                static_cast<std::size_t>(whole.mesh.dats[static_cast<std::size_t>(dat)].set);
            const SetPart& set = part.sets[s];
            const std::vector<LocalIndex> place = places(whole, dat);
            expect_ascending(set, place, 0, set.core);
            expect_groups_on_curve(set, place);
        }
    }
};

TEST_F(HilbertRenumbering, FollowsOneCurveOnEveryRankAndLevel) {
    options.primary_set = 1;
    for (const int dim : {1, 2, 3}) {
        WholeMesh whole = random_multigrid(160, 12, 3);
        for (std::size_t s = 0; s < whole.mesh.sets.size(); ++s) {
            if (whole.mesh.sets[s].name.starts_with("nodes")) {
                options.coordinates.push_back(give_coordinates(whole, static_cast<int>(s), dim));
            }
        }
        const Distribution result = distributed(whole);
        EXPECT_EQ(result.report.renumbering, "hilbert");
        expect_on_curve(whole, result.part);
        options.coordinates.clear();
    }
}

TEST_F(HilbertRenumbering, LeavesAPartTheOracleAccepts) {
    WholeMesh whole = grid(13, 11, 6);
    options.coordinates = {0};  // exact values, all on one line in space
    const Distribution result = distributed(whole);
    expect_correct_part(comm, whole, result.part, true);
    expect_on_curve(whole, result.part);
}

TEST_F(HilbertRenumbering, CountsTheBoxOverAllRanks) {
    // Two far points, both declared on the first rank, shrink the others to a spot off every corner,
    // where the curve runs otherwise than through their own box.
    WholeMesh whole = line(48);
    std::vector<double> values;
    for (GlobalIndex id = 0; id < 48; ++id) {
        values.push_back(id == 0 ? -1000.0 : id == 1 ? 777.0 : static_cast<double>(id * 5 % 17));
        values.push_back(id == 0 ? 500.0 : id == 1 ? -700.0 : static_cast<double>(id * 3 % 11));
    }
    options.coordinates = {whole.mesh.add_dat("position", 0, 2, std::move(values))};
    expect_on_curve(whole, distributed(whole).part);
}

/// Sends of a set as runs of consecutive local elements.
int count_runs(const HaloPattern& halo) {
    int runs = 0;
    for (std::size_t k = 0; k < halo.neighbours.size(); ++k) {
        for (auto i = halo.send_offsets[k]; i < halo.send_offsets[k + 1]; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const bool follows =
                i > halo.send_offsets[k] && halo.send_indices[at] == halo.send_indices[at - 1] + 1;
            runs += follows ? 0 : 1;
        }
    }
    return runs;
}

TEST_F(HilbertRenumbering, PutsWhatANeighbourGetsIntoOneRun) {
    // A line of nodes cut at random: every node is at a cut, the file order is that of nobody's sends.
    const WholeMesh whole = line(96);
    options.partitioner = "random";
    const Distribution result = distributed(whole);
    const SetPart& nodes = result.part.sets[0];
    // Elements for one neighbour only lie together; those that several get are in the group of the
    // lowest, and cost runs of their own for the others.
    std::vector<int> takers(static_cast<std::size_t>(nodes.owned), 0);
    for (const LocalIndex i : nodes.halo.send_indices) {
        ++takers[static_cast<std::size_t>(i)];
    }
    const auto shared = std::count_if(takers.begin(), takers.end(), [](int n) { return n > 1; });
    const auto neighbours = static_cast<long>(nodes.halo.neighbours.size());
    EXPECT_LE(count_runs(nodes.halo), neighbours + shared * comm.size());
    if (comm.size() == 2) {
        ASSERT_GT(nodes.owned, nodes.core);
        EXPECT_EQ(count_runs(nodes.halo), 1);
        EXPECT_EQ(nodes.halo.send_indices.front(), nodes.core);
        EXPECT_EQ(nodes.halo.send_indices.back(), nodes.owned - 1);
    }
}

TEST_F(HilbertRenumbering, IsOffWithRenumberingAndForSetsWithoutAGraph) {
    WholeMesh whole = line(24);
    options.coordinates = {give_coordinates(whole, 1, 3)};  // edges: no map of arity 2 onto them
    EXPECT_EQ(distributed(whole).report.renumbering, "bisection");
    options.coordinates.push_back(give_coordinates(whole, 0, 3));
    options.renumber = false;
    const Distribution result = distributed(whole);
    EXPECT_EQ(result.report.renumbering, "none");
    for (LocalIndex i = 1; i < result.part.sets[0].core; ++i) {
        EXPECT_LT(result.part.sets[0].global_id(i - 1), result.part.sets[0].global_id(i));
    }
}

TEST_F(HilbertRenumbering, LeavesSetsWithoutCoordinatesToTheirGraph) {
    WholeMesh whole = two_level_line(24);
    options.coordinates = {give_coordinates(whole, 0, 3)};
    const Distribution result = distributed(whole);
    EXPECT_EQ(result.report.renumbering, "hilbert+bisection");
    expect_on_curve(whole, result.part);
}

std::string message_of(const Communicator& comm, const WholeMesh& whole,
                       const std::vector<int>& coordinates) {
    DistributeOptions options;
    options.partitioner = "block";
    options.coordinates = coordinates;
    try {
        (void)distribute(comm, block_of(whole, comm), options);
    } catch (const ContractError& error) {
        return error.what();
    }
    return {};
}

TEST(BadCoordinates, AreNamed) {
    const Communicator comm(MPI_COMM_WORLD);
    WholeMesh whole = line(12);
    const int wide = whole.add_dat("wide", 0, 4);
    EXPECT_THAT(message_of(comm, whole, {-1}), HasSubstr("dat -1"));
    EXPECT_THAT(message_of(comm, whole, {99}), HasSubstr("dat 99"));
    EXPECT_THAT(message_of(comm, whole, {wide}), HasSubstr("'wide' holds no coordinates"));
    EXPECT_THAT(message_of(comm, whole, {0, 0}), HasSubstr("'x' gives its set coordinates"));
}

class AllSets : public testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    DistributeOptions options;

    void SetUp() override {
        options.partitioner = "block";
        options.order_all_sets = true;
    }

    [[nodiscard]] Distribution distributed(const WholeMesh& whole) const {
        return distribute(comm, block_of(whole, comm), options);
    }
};

LocalIndex lowest_target(const MapPart& map, LocalIndex element) {
    const LocalIndex* row = map.targets.data() + std::int64_t{element} * map.arity;
    return *std::min_element(row, row + map.arity);
}

void expect_by_lowest_target(const MapPart& map, const SetPart& set) {
    for (LocalIndex i = 1; i < set.core; ++i) {
        ASSERT_LE(lowest_target(map, i - 1), lowest_target(map, i)) << i;
    }
}

TEST_F(AllSets, FollowTargetsThatMoved) {
    options.near_places = 0;
    const Distribution result = distributed(grid(13, 11, 6));
    EXPECT_EQ(result.report.renumbering, "bisection");
    expect_by_lowest_target(result.part.maps[0], result.part.sets[1]);
}

TEST_F(AllSets, KeepALocalOrder) {
    const WholeMesh whole = grid(13, 11, 0);  // neighbours within an eighth of the nodes
    const Distribution result = distributed(whole);
    EXPECT_EQ(result.report.renumbering, "none");
    expect_correct_part(comm, whole, result.part, false);
}

/// As nodes of a cube of 1.9 million have them: what a plane of it has lies between two of them.
TEST_F(AllSets, KeepTheOrderOfALargeMesh) {
    constexpr GlobalIndex plane = 123 * 123;
    constexpr GlobalIndex size = 9 * plane;
    WholeMesh whole;
    const int nodes = whole.add_set("nodes", size);
    const int edges = whole.add_set("edges", size - plane);
    std::vector<GlobalIndex> ends;
    for (GlobalIndex node = 0; node < size - plane; ++node) {
        ends.insert(ends.end(), {node, node + plane});
    }
    whole.add_map("edge_nodes", edges, nodes, 2, std::move(ends));
    EXPECT_EQ(distributed(whole).report.renumbering, "none");
}

TEST_F(AllSets, KeepALocalOrderUnlessTold) {
    const WholeMesh whole = grid(13, 11, 0);
    options.keep_local_orders = false;
    EXPECT_EQ(distributed(whole).report.renumbering, "bisection");
}

TEST_F(AllSets, GiveUpAnOrderThatIsLocalOnlyBecauseTheSetIsSmall) {
    const WholeMesh whole =
        grid(13, 11, 6);  // shuffled: far for 143 nodes, though within 65,536 places
    EXPECT_EQ(distributed(whole).report.renumbering, "bisection");
}

TEST_F(AllSets, KeepALocalOrderOfPairs) {
    const WholeMesh whole = grid(13, 11, 0);
    options.order_all_sets = false;
    const Distribution result = distributed(whole);
    EXPECT_EQ(result.report.renumbering, "none");
    expect_correct_part(comm, whole, result.part, false);
}

TEST_F(AllSets, FollowTargetsThatStayed) {
    // Nodes as they follow each other, edges at random: the next edge is more than 10 places away.
    WholeMesh whole = line(60);
    for (std::size_t edge = 0; edge < 59; ++edge) {
        const auto first = static_cast<GlobalIndex>(edge * 23 % 59);
        whole.mesh.maps[0].targets[2 * edge] = first;
        whole.mesh.maps[0].targets[2 * edge + 1] = first + 1;
    }
    options.near_places = 10;
    const Distribution result = distributed(whole);
    EXPECT_EQ(result.report.renumbering, "none");
    expect_by_lowest_target(result.part.maps[0], result.part.sets[1]);
    expect_correct_part(comm, whole, result.part, false, true);
}

TEST_F(AllSets, AreJoinedByElementsOfAnyArity) {
    options.near_places = 0;
    WholeMesh whole;
    const int nodes = whole.add_set("nodes", 40);
    const int cells = whole.add_set("cells", 37);
    std::vector<GlobalIndex> corners;
    for (GlobalIndex cell = 0; cell < 37; ++cell) {
        for (GlobalIndex k = 0; k < 4; ++k) {
            corners.push_back((cell + k) * 7 % 40);
        }
    }
    whole.add_map("cell_nodes", cells, nodes, 4, std::move(corners));
    const Distribution result = distributed(whole);
    EXPECT_EQ(result.report.renumbering, "bisection");
    expect_by_lowest_target(result.part.maps[0], result.part.sets[1]);
    expect_correct_part(comm, whole, result.part, true, true);
}

}  // namespace
}  // namespace halocline::test
