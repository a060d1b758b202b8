// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Renumbering by coordinates through distribute(): one order for any number of ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/hilbert.hpp"
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
    const auto box = dist::bounding_box(d.values, d.dim);
    const auto order = dist::order_by_key(dist::hilbert_keys(d.values, d.dim, box));
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

class HilbertRenumbering : public testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    DistributeOptions options;

    void SetUp() override { options.partitioner = "block"; }

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
            expect_ascending(set, place, set.core, set.owned);
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

TEST_F(HilbertRenumbering, IsOffWithRenumberingAndForSetsWithoutAGraph) {
    WholeMesh whole = line(24);
    options.coordinates = {give_coordinates(whole, 1, 3)};  // edges: no map of arity 2 onto them
    EXPECT_EQ(distributed(whole).report.renumbering, "rcm_chunks");
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
    EXPECT_EQ(result.report.renumbering, "hilbert+rcm_chunks");
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

}  // namespace
}  // namespace halocline::test
