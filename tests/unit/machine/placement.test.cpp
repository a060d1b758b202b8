// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Who gets which GPU and cores on machines made for the purpose, and the lines that launch it so.
#include "halocline/machine/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "halocline/core/error.hpp"

namespace halocline {
namespace {

MachineMap reversed() { return read_machine_file(HALOCLINE_MACHINE_DATA "/8-gpus-reversed.xml"); }

std::vector<Placement> place(const MachineMap& machine, int ranks) {
    PlacementRequest request;
    request.ranks = ranks;
    return plan_placement(machine, request);
}

TEST(Placement, EightRanksGetEightGpusAndTheCoresNearEach) {
    const std::vector<Placement> placements = place(reversed(), 8);
    std::set<int> seen;
    for (int rank = 0; rank < 8; ++rank) {
        const Placement& placement = placements[static_cast<std::size_t>(rank)];
        EXPECT_EQ(placement.gpu, rank);
        ASSERT_EQ(placement.cpus.size(), 8U) << "two ranks share the 16 cores of a node";
        // GPUs 0 and 1 hang on node 3, cpus 48-63; the even rank takes the first half.
        EXPECT_EQ(placement.cpus.front(), 16 * (3 - rank / 2) + 8 * (rank % 2));
        seen.insert(placement.cpus.begin(), placement.cpus.end());
    }
    EXPECT_EQ(seen.size(), 64U) << "no core twice";
}

TEST(Placement, FewerRanksThanGpusTakeTheFirstGpus) {
    const std::vector<Placement> placements = place(reversed(), 2);
    EXPECT_EQ(placements[0].gpu, 0);
    EXPECT_EQ(placements[1].gpu, 1);
    EXPECT_EQ(cpu_list_text(placements[0].cpus), "48-55");
    EXPECT_EQ(cpu_list_text(placements[1].cpus), "56-63");
}

TEST(Placement, MoreRanksThanGpusShareThemInNeighbouringGroups) {
    const std::vector<Placement> placements = place(reversed(), 16);
    for (int rank = 0; rank < 16; ++rank) {
        EXPECT_EQ(placements[static_cast<std::size_t>(rank)].gpu, rank / 2);
        EXPECT_EQ(placements[static_cast<std::size_t>(rank)].cpus.size(), 4U);
    }
}

TEST(Placement, WholeCoresWithTheirHardwareThreads) {
    const std::vector<Placement> placements =
        place(read_machine_file(HALOCLINE_MACHINE_DATA "/2-gpus-one-side.xml"), 2);
    EXPECT_EQ(cpu_list_text(placements[0].cpus), "16-23");
    EXPECT_EQ(cpu_list_text(placements[1].cpus), "24-31");
}

TEST(Placement, VisibleDevicesRenumberAndLimit) {
    const MachineMap machine = reversed();
    PlacementRequest request;
    request.ranks = 2;
    request.visible_gpus = visible_gpus(machine, "6,1");
    const std::vector<Placement> placements = plan_placement(machine, request);
    EXPECT_EQ(placements[0].gpu, 6);
    EXPECT_EQ(placements[0].visible_gpu, 0);
    EXPECT_EQ(cpu_list_text(placements[0].cpus), "0-15");
    EXPECT_EQ(placements[1].gpu, 1);
    EXPECT_EQ(cpu_list_text(placements[1].cpus), "48-63");
    EXPECT_EQ(visible_gpus(machine, "2,9,3"), std::vector<int>{2}) << "CUDA stops at the first bad";
    EXPECT_EQ(visible_gpus(machine, "GPU-1234"), std::nullopt);
}

TEST(Placement, AGpuAskedForIsEveryRanks) {
    PlacementRequest request;
    request.ranks = 2;
    request.gpu = 5;
    const std::vector<Placement> placements = plan_placement(reversed(), request);
    EXPECT_EQ(placements[0].gpu, 5);
    EXPECT_EQ(placements[1].visible_gpu, 5);
    EXPECT_EQ(cpu_list_text(placements[0].cpus), "16-23");
    EXPECT_EQ(cpu_list_text(placements[1].cpus), "24-31");
    request.gpu = 8;
    EXPECT_THROW((void)plan_placement(reversed(), request), UsageError);
}

TEST(Placement, NeighboursShareWhereGpusAreFew) {
    EXPECT_EQ(gpu_of(3, 4, 4), 3);
    EXPECT_EQ(gpu_of(1, 2, 8), 1);
    EXPECT_EQ(gpu_of(1, 4, 2), 0);
    EXPECT_EQ(gpu_of(2, 4, 2), 1);
}

TEST(Placement, WithoutGpusCoresAreDividedInOrder) {
    const std::vector<Placement> placements =
        place(read_synthetic_machine("numa:2 core:3 pu:1"), 4);
    EXPECT_EQ(placements[0].gpu, -1);
    EXPECT_EQ(cpu_list_text(placements[0].cpus), "0");
    EXPECT_EQ(cpu_list_text(placements[1].cpus), "1-2");
    EXPECT_EQ(cpu_list_text(placements[2].cpus), "3");
    EXPECT_EQ(cpu_list_text(placements[3].cpus), "4-5");
}

TEST(Placement, MoreRanksThanCoresShareInTurn) {
    const std::vector<Placement> placements = place(read_synthetic_machine("core:2 pu:1"), 3);
    EXPECT_EQ(cpu_list_text(placements[0].cpus), "0");
    EXPECT_EQ(cpu_list_text(placements[1].cpus), "1");
    EXPECT_EQ(cpu_list_text(placements[2].cpus), "0");
}

TEST(Placement, OnlyAllowedCpusAreUsed) {
    PlacementRequest request;
    request.ranks = 1;
    request.allowed_cpus = CpuList{0, 1, 2, 3};
    const Placement placement = plan_placement(reversed(), request)[0];
    EXPECT_EQ(placement.gpu, 0);
    EXPECT_EQ(cpu_list_text(placement.cpus), "0-3");
    EXPECT_THAT(placement.reason, ::testing::HasSubstr("near no core that may be used"));
}

TEST(LaunchLines, CoresInOrderNeedOnlyPlainWords) {
    const MachineMap machine = read_synthetic_machine("numa:2 core:4 pu:2");
    const std::vector<LaunchLine> lines = launch_lines(machine, place(machine, 4));
    EXPECT_EQ(lines[0].words, "mpirun -n 4 --map-by slot:PE=2 --bind-to core");
    EXPECT_EQ(lines[1].words, "mpiexec -n 4 -bind-to core:2");
    EXPECT_EQ(lines[2].words, "srun -n 4 -c 2 --cpu-bind=cores");
}

TEST(LaunchLines, MoreRanksThanCoresAreNotBound) {
    const MachineMap machine = read_synthetic_machine("core:2 pu:1");
    const std::vector<LaunchLine> lines = launch_lines(machine, place(machine, 3));
    EXPECT_EQ(lines[0].words, "mpirun -n 3 --oversubscribe --bind-to none");
    EXPECT_EQ(lines[0].file, "");
}

TEST(LaunchLines, ReversedGpusNeedExplicitLists) {
    const MachineMap machine = reversed();
    const std::vector<LaunchLine> lines = launch_lines(machine, place(machine, 2));
    EXPECT_THAT(lines[0].file,
                ::testing::StartsWith("rank 0=localhost slot=48-55\nrank 1=localhost slot=56-63"));
    EXPECT_THAT(lines[1].words, ::testing::HasSubstr("user:48+49+50+51+52+53+54+55,56+57"));
    // Cpus 48-55 are bits 48-55: digits 12 and 13 from the right.
    EXPECT_THAT(lines[2].words,
                ::testing::EndsWith("mask_cpu:0xff000000000000,0xff00000000000000"));
}

}  // namespace
}  // namespace halocline
