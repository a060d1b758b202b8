// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each fault of a binding, on a machine where it can be seen, and none where there is none.
#include "halocline/machine/binding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halocline {
namespace {

RankBinding bound(int rank, const std::string& cpus, std::vector<int> gpus = {}) {
    RankBinding binding;
    binding.rank = rank;
    binding.cpus = parse_cpu_list(cpus);
    binding.gpu_known = !gpus.empty();
    binding.gpus = std::move(gpus);
    return binding;
}

std::vector<std::string> kinds(const std::vector<BindingFinding>& findings) {
    std::vector<std::string> found;
    for (const BindingFinding& finding : findings) {
        found.push_back(finding.kind);
    }
    return found;
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const MachineMap two_nodes = read_synthetic_machine("numa:2 core:4 pu:1");

TEST(Binding, RanksOnTheirOwnCoresOfOneNodeAreFine) {
    EXPECT_THAT(judge_bindings(two_nodes, {bound(0, "0-3"), bound(1, "4-7")}), IsEmpty());
}

TEST(Binding, ACoreOfTwoRanksIsNamed) {
    const auto findings = judge_bindings(two_nodes, {bound(0, "0-1"), bound(1, "1-2")});
    ASSERT_THAT(kinds(findings), ElementsAre("shared_core"));
    EXPECT_THAT(findings[0].sentence, HasSubstr("ranks 0-1 share a core (cpus 1)"));
}

TEST(Binding, HardwareThreadsOfOneCoreAreOneCore) {
    const MachineMap smt = read_synthetic_machine("core:2 pu:2");
    EXPECT_THAT(kinds(judge_bindings(smt, {bound(0, "0"), bound(1, "1")})),
                ElementsAre("shared_core"));
}

TEST(Binding, ARankOnTwoNodesIsNamed) {
    const auto findings = judge_bindings(two_nodes, {bound(0, "2-5"), bound(1, "6-7")});
    ASSERT_THAT(kinds(findings), ElementsAre("straddles_numa"));
    EXPECT_EQ(findings[0].ranks, std::vector<int>{0});
}

TEST(Binding, UnboundRanksAreToldOnce) {
    const auto findings = judge_bindings(two_nodes, {bound(0, "0-7"), bound(1, "0-7")});
    EXPECT_THAT(kinds(findings), ElementsAre("unbound"));
    EXPECT_THAT(judge_bindings(two_nodes, {bound(0, "0-7")}), IsEmpty())
        << "a single process may have the whole machine";
}

TEST(Binding, GpusIdleSharedAndFarAreNamed) {
    const MachineMap machine = read_machine_file(HALOCLINE_MACHINE_DATA "/2-gpus-one-side.xml");
    const auto idle = judge_bindings(machine, {bound(0, "16-23", {0})});
    ASSERT_THAT(kinds(idle), ElementsAre("idle_gpu"));
    EXPECT_THAT(idle[0].sentence, HasSubstr("GPU 1 (0000:82:00.0) is used by no rank"));
    EXPECT_THAT(kinds(judge_bindings(machine, {bound(0, "16-23", {0}), bound(1, "24-31", {0})})),
                ElementsAre("shared_gpu", "idle_gpu"));
    EXPECT_THAT(kinds(judge_bindings(machine, {bound(0, "0-7", {0}), bound(1, "24-31", {1})})),
                ElementsAre("far_gpu"));
    EXPECT_THAT(judge_bindings(machine, {bound(0, "0-7"), bound(1, "24-31")}), IsEmpty())
        << "who does not tell of GPUs is not blamed for idle ones";
}

}  // namespace
}  // namespace halocline
