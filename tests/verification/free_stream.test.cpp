// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A uniform flow stays uniform: the scheme in legacy mode, on even and on stretched boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/solver/mgcfd/solver.hpp"
#include "verification/box_mesh.hpp"

namespace halocline::test {

namespace {

constexpr int cycles = 25;

struct FreeStreamCase {
    double stretch;
    Backend backend;
};

class FreeStreamTest : public ::testing::TestWithParam<FreeStreamCase> {};

/// One visit adds to a state three stages of (tau / V) times a sum that is zero but for rounding: at
/// most 9 faces a node (6 edges, 3 boundary entries), each flux below 5.41 times its area, computed in
/// at most 16 roundings, and face areas themselves rounded twice by the damping.
double tolerance(const BoxMesh& box) {
    double smallest = 1.0;
    double widest = 0.0;
    for (GlobalIndex node = 0; node < box.size(); ++node) {
        smallest = std::min(smallest, box.volume(node));
        widest = std::max(widest, box.surface(node) / box.volume(node));
    }
    const double time_step = 0.5 * std::cbrt(smallest) / 2.2;
    return cycles * 3 * time_step * widest * 5.41 * 18 * 0x1p-53;
}

TEST_P(FreeStreamTest, StaysInsideAndOnFarFieldNodes) {
    const Communicator comm(MPI_COMM_WORLD);
    const BoxMesh box({9, GetParam().stretch, 4, 1.0 / mgcfd::damping});
    DistributeOptions options;
    options.partitioner = "block";
    Distribution distribution = distribute(comm, box.declare(), options);
    Mesh mesh(std::move(distribution.part), layout_mode(GetParam().backend));
    const auto halo = make_halo_exchange(comm);
    Context context(comm, *halo, {GetParam().backend, 1});
    mgcfd::Solver solver(context, mesh, {{"box"}, true, false});
    double rms = 0.0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        rms = std::max(rms, solver.run_cycle());
    }
    const Values<double, 5> stream = mgcfd::FreeStream().conserved();
    const mgcfd::Level& level = solver.levels().front();
    double largest = 0.0;
    for (LocalIndex i = 0; i < level.nodes.part->owned; ++i) {
        for (int d = 0; d < 5; ++d) {
            largest = std::max(largest, std::fabs(level.q.store().at(i, d) - stream[d]));
        }
    }
    EXPECT_LE(largest, tolerance(box));
    EXPECT_LE(rms, tolerance(box));
}

INSTANTIATE_TEST_SUITE_P(Boxes, FreeStreamTest,
                         ::testing::Values(FreeStreamCase{0.0, Backend::serial},
                                           FreeStreamCase{0.0, Backend::openmp},
                                           FreeStreamCase{0.6, Backend::serial},
                                           FreeStreamCase{0.6, Backend::openmp}));

/// The other way round: the same box with walls all around cannot keep the stream.
TEST(FreeStream, IsLostBehindWalls) {
    const Communicator comm(MPI_COMM_WORLD);
    const BoxMesh box({9, 0.0, 1, 1.0 / mgcfd::damping});
    DistributeOptions options;
    options.partitioner = "block";
    Distribution distribution = distribute(comm, box.declare(), options);
    Mesh mesh(std::move(distribution.part), LayoutMode::vector);
    const auto halo = make_halo_exchange(comm);
    Context context(comm, *halo, {Backend::openmp, 1});
    mgcfd::Solver solver(context, mesh, {{"box"}, true, false});
    EXPECT_GT(solver.run_cycle(), 1e-3);
}

}  // namespace

}  // namespace halocline::test
