// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The ledger against closed formulae: boxes cut into slabs, where every cut is a plane of nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_choice.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::test {
namespace {

constexpr GlobalIndex nx = 5;
constexpr GlobalIndex ny = 4;
constexpr GlobalIndex plane = nx * ny;
constexpr GlobalIndex planes_a_rank = 3;

/// nx × ny × nz nodes, numbered plane by plane, with the edges along the axes. In blocks of whole
/// planes, the partitioner `block` cuts between planes and nowhere else.
WholeMesh box(GlobalIndex nz) {
    WholeMesh mesh;
    const int nodes = mesh.add_set("nodes", plane * nz);
    std::vector<GlobalIndex> ends;
    for (GlobalIndex k = 0; k < nz; ++k) {
        for (GlobalIndex j = 0; j < ny; ++j) {
            for (GlobalIndex i = 0; i < nx; ++i) {
                const GlobalIndex node = (k * ny + j) * nx + i;
                const auto join = [&](bool inside, GlobalIndex other) {
                    if (inside) {
                        ends.insert(ends.end(), {node, other});
                    }
                };
                join(i + 1 < nx, node + 1);
                join(j + 1 < ny, node + nx);
                join(k + 1 < nz, node + plane);
            }
        }
    }
    const int edges = mesh.add_set("edges", static_cast<GlobalIndex>(ends.size() / 2));
    mesh.add_map("edge_nodes", edges, nodes, 2, std::move(ends));
    return mesh;
}

class SlabLedger : public testing::TestWithParam<std::string> {
protected:
    /// Exchanges a dat of `dim` on a set so many times and returns the ledger over all ranks.
    HaloLedger exchange(const SetPart& set, int dim, int times) {
        const auto halo = make_halo_exchange(comm, {GetParam()});
        std::vector<double> values(static_cast<std::size_t>(set.total * dim), 1.0);
        const HaloItem item{{values.data(), dim, Layout::rows(dim)}, &set};
        for (int k = 0; k < times; ++k) {
            halo->begin({&item, 1});
            halo->end();
        }
        HaloLedger total = halo->ledger();
        total.exchanges = comm.max(total.exchanges);
        total.messages = comm.sum(total.messages);
        total.bytes = comm.sum(total.bytes);
        return total;
    }

    Communicator comm{MPI_COMM_WORLD};
    GlobalIndex cuts = comm.size() - 1;
    MeshPart part = [this] {
        DistributeOptions options;
        options.partitioner = "block";
        return distribute(comm, block_of(box(planes_a_rank * comm.size()), comm), options).part;
    }();
};

/// Each cut is crossed by plane edges. Both ranks beside it want the other's plane of nodes: two
/// messages of plane × dim values a cut.
TEST_P(SlabLedger, OfNodesIsTwoPlanesACut) {
    constexpr int times = 3;
    for (const int dim : {1, 5}) {
        const HaloLedger total = exchange(part.sets[0], dim, times);
        EXPECT_EQ(total.exchanges, cuts > 0 ? times : 0);
        EXPECT_EQ(total.messages, times * 2 * cuts);
        EXPECT_EQ(total.bytes, times * 2 * cuts * plane * dim * 8);
    }
}

/// An edge lives with its first node, on the lower side; the rank above executes the plane edges of the
/// cut too: one message upwards a cut.
TEST_P(SlabLedger, OfEdgesIsOnePlaneACut) {
    const HaloLedger total = exchange(part.sets[1], 3, 2);
    EXPECT_EQ(total.messages, 2 * cuts);
    EXPECT_EQ(total.bytes, 2 * cuts * plane * 3 * 8);
}

/// The nodes that travel are those the formula of a slab names: the first and the last plane of a rank,
/// without the box's own ends.
TEST_P(SlabLedger, CoreNodesAreThoseTwoPlanesFromACut) {
    const bool lowest = comm.rank() == 0;
    const bool highest = comm.rank() == comm.size() - 1;
    const GlobalIndex sides = (lowest ? 0 : 1) + (highest ? 0 : 1);
    EXPECT_EQ(part.sets[0].total - part.sets[0].owned, sides * plane);
    EXPECT_EQ(part.sets[0].core, (planes_a_rank - sides) * plane);
}

/// Prediction and ledger agree rank by rank, not in the sum alone.
TEST_P(SlabLedger, IsWhatThePatternPredicts) {
    for (const SetPart& set : part.sets) {
        const HaloSample sample{&set, 4, 1};
        const HaloLedger predicted = predict_exchange({&sample, 1});
        const auto halo = make_halo_exchange(comm, {GetParam()});
        std::vector<double> values(static_cast<std::size_t>(set.total) * 4, 1.0);
        const HaloItem item{{values.data(), 4, Layout::rows(4)}, &set};
        halo->begin({&item, 1});
        halo->end();
        EXPECT_EQ(halo->ledger().messages, predicted.messages);
        EXPECT_EQ(halo->ledger().bytes, predicted.bytes);
        EXPECT_EQ(halo->ledger().exchanges, predicted.exchanges);
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, SlabLedger, testing::ValuesIn(halo_scheme_names()),
                         [](const auto& scheme) { return scheme.param; });

}  // namespace
}  // namespace halocline::test
