// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Variables of launchers, as they really set them.
#include "halocline/machine/local_rank.hpp"

#include <gtest/gtest.h>

#include <map>

namespace halocline {
namespace {

Environment with(const std::map<std::string, std::string>& variables) {
    return [variables](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
}

TEST(LocalRank, OpenMpi) {
    const auto found = find_local_rank(with({{"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                                             {"OMPI_COMM_WORLD_RANK", "11"},
                                             {"OMPI_COMM_WORLD_SIZE", "16"}}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rank, 3);
    EXPECT_EQ(found->size, 4);
    EXPECT_EQ(found->job_rank, 11);
    EXPECT_EQ(found->job_size, 16);
}

TEST(LocalRank, MpichAndIntelMpi) {
    const auto found = find_local_rank(with({{"MPI_LOCALRANKID", "1"},
                                             {"MPI_LOCALNRANKS", "2"},
                                             {"PMI_RANK", "5"},
                                             {"PMI_SIZE", "8"}}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rank, 1);
    EXPECT_EQ(found->size, 2);
    EXPECT_EQ(found->job_rank, 5);
}

TEST(LocalRank, SlurmCountsTheRanksOfItsOwnNode) {
    const std::map<std::string, std::string> step{{"SLURM_LOCALID", "1"},
                                                  {"SLURM_STEP_TASKS_PER_NODE", "4(x2),3"},
                                                  {"SLURM_PROCID", "9"},
                                                  {"SLURM_STEP_NUM_TASKS", "11"}};
    for (const auto& [node, tasks] : std::map<std::string, int>{{"0", 4}, {"1", 4}, {"2", 3}}) {
        auto variables = step;
        variables["SLURM_NODEID"] = node;
        const auto found = find_local_rank(with(variables));
        ASSERT_TRUE(found);
        EXPECT_EQ(found->size, tasks) << "node " << node;
        EXPECT_EQ(found->rank, 1);
    }
}

TEST(LocalRank, MpirunInsideASlurmAllocationIsOpenMpis) {
    const auto found = find_local_rank(with({{"SLURM_LOCALID", "0"},
                                             {"SLURM_STEP_TASKS_PER_NODE", "1"},
                                             {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
                                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rank, 2);
    EXPECT_EQ(found->size, 4);
}

TEST(LocalRank, PalsAndPlainPmi) {
    EXPECT_EQ(find_local_rank(with({{"PALS_LOCAL_RANKID", "2"}, {"PMI_LOCAL_SIZE", "6"}}))->size,
              6);
    const auto plain = find_local_rank(with({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}));
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->rank, 1);
    EXPECT_EQ(plain->size, 2);
}

TEST(LocalRank, NoLauncherAndNonsenseAreNone) {
    EXPECT_FALSE(find_local_rank(with({})));
    EXPECT_FALSE(find_local_rank(with({{"PMI_RANK", "x"}})));
    EXPECT_EQ(find_local_rank(with({{"SLURM_LOCALID", "3"}}))->size, 4) << "at least rank + 1";
}

}  // namespace
}  // namespace halocline
