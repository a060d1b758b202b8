// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Maps from files and synthetic descriptions; this machine only has to be readable.
#include "halocline/machine/machine_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/core/error.hpp"

namespace halocline {
namespace {

TEST(MachineMap, SyntheticMachinesHaveCoresAndNodesInOrder) {
    const MachineMap machine = read_synthetic_machine("numa:2 core:4 pu:2");
    ASSERT_EQ(machine.numa_nodes.size(), 2U);
    ASSERT_EQ(machine.cores.size(), 8U);
    EXPECT_FALSE(machine.this_machine);
    EXPECT_EQ(machine.numa_nodes[1].cpus, (CpuList{8, 9, 10, 11, 12, 13, 14, 15}));
    EXPECT_EQ(machine.cores[5].cpus, (CpuList{10, 11}));
    EXPECT_EQ(machine.cores[5].numa, 1);
    EXPECT_TRUE(machine.gpus.empty());
    EXPECT_EQ(machine.numa_nodes_of({7, 8}), (std::vector<int>{0, 1}));
    EXPECT_EQ(machine.cores_of({1, 2}), (std::vector<int>{0, 1}));
}

TEST(MachineMap, DevicesOfAFileKnowTheirNode) {
    const MachineMap machine = read_machine_file(HALOCLINE_MACHINE_DATA "/8-gpus-reversed.xml");
    ASSERT_EQ(machine.numa_nodes.size(), 4U);
    ASSERT_EQ(machine.gpus.size(), 8U);
    for (int k = 0; k < 8; ++k) {
        const PciDevice& gpu = machine.gpus[static_cast<std::size_t>(k)];
        EXPECT_EQ(gpu.numa, 3 - k / 2) << gpu.pci_bus_id;
        EXPECT_EQ(gpu.near_cpus.front(), 16 * (3 - k / 2));
        EXPECT_NEAR(gpu.link_bytes_per_s, 31.5e9, 0.1e9);
    }
    ASSERT_EQ(machine.nics.size(), 2U);
    EXPECT_EQ(machine.nics[0].name, "mlx5_0, ConnectX-6");
    EXPECT_EQ(machine.nics[1].numa, 3);
    ASSERT_EQ(machine.numa_distance.size(), 4U);
    EXPECT_EQ(machine.numa_distance[0][0], 10U);
    EXPECT_EQ(machine.numa_distance[0][3], 32U);
}

TEST(MachineMap, AServerConsoleIsNoGpu) {
    const MachineMap machine = read_machine_file(HALOCLINE_MACHINE_DATA "/2-gpus-one-side.xml");
    ASSERT_EQ(machine.gpus.size(), 2U);
    EXPECT_EQ(machine.gpus[0].name, "NVIDIA L40S");
    EXPECT_EQ(machine.gpus[0].numa, 1);
}

TEST(MachineMap, ItsTextShowsNodesDevicesAndDistances) {
    const std::string text =
        machine_text(read_machine_file(HALOCLINE_MACHINE_DATA "/8-gpus-reversed.xml"));
    EXPECT_THAT(text, ::testing::HasSubstr("64 cores"));
    EXPECT_THAT(text, ::testing::HasSubstr(
                          "GPU 0: NVIDIA A100-SXM4-40GB, 0000:10:00.0, NUMA node 3 (cpus 48-63)"));
    EXPECT_THAT(text, ::testing::HasSubstr("NUMA distances"));
}

TEST(MachineMap, WrongDescriptionsAreRefused) {
    EXPECT_THROW((void)read_synthetic_machine("numma:2"), UsageError);
    EXPECT_THROW((void)read_machine_file("/nonexistent.xml"), InputError);
}

TEST(MachineMap, ThisMachineHasACoreAndANode) {
    const MachineMap machine = read_machine();
    EXPECT_TRUE(machine.this_machine);
    EXPECT_GE(machine.cores.size(), 1U);
    EXPECT_GE(machine.numa_nodes.size(), 1U);
}

TEST(CpuLists, AreReadAndWrittenAsTheKernelDoes) {
    EXPECT_EQ(cpu_list_text({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
    EXPECT_EQ(cpu_list_text({}), "");
    EXPECT_EQ(parse_cpu_list("8,0-3\n"), (CpuList{0, 1, 2, 3, 8}));
    EXPECT_EQ(parse_cpu_list(""), CpuList{});
    for (const char* bad : {"a", "1-", "1;2", "-1", "1,,2"}) {
        EXPECT_THROW((void)parse_cpu_list(bad), InputError) << bad;
    }
}

}  // namespace
}  // namespace halocline
