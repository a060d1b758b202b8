// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Small parts by hand: what a piece of work does and counts, sizes, the order of cores, flags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "halocline/core/error.hpp"
#include "kernels.hpp"
#include "measure.hpp"
#include "options.hpp"

namespace halocline::cores {
namespace {

using testing::ElementsAre;

constexpr std::int64_t mebi = std::int64_t{1} << 20;

// 3 arrays of two pieces: of b = c = 1 each a becomes 4, and two pieces are a pass.
TEST(Triad, PassesOverAllOfItsSet) {
    std::vector<double> set(std::size_t{6} * 2048, 1.0);
    Work work(Kind::triad, set);
    ASSERT_EQ(work.pieces_of_pass(), 2U);
    EXPECT_EQ(work.piece(), 24.0 * 2048);
    EXPECT_EQ(std::accumulate(set.begin(), set.end(), 0.0), 12288.0 + 3 * 2048.0);
    work.piece();
    EXPECT_EQ(std::accumulate(set.begin(), set.end(), 0.0), 12288.0 + 3 * 4096.0);
    work.piece();  // the first again: a = b + 3 c does not add up
    EXPECT_EQ(std::accumulate(set.begin(), set.end(), 0.0), 12288.0 + 3 * 4096.0);
}

TEST(Work, CountsWhatItDoes) {
    std::vector<double> set(32768, 1.0);
    EXPECT_EQ(Work(Kind::multiply_add, {}).piece(), 64.0 * 1024);
    EXPECT_EQ(Work(Kind::divide, {}).piece(), 2.0 * 16 * 1024);
    EXPECT_EQ(Work(Kind::gather, set).piece(), 512.0);
    EXPECT_THROW(Work(Kind::triad, std::span<double>(set).first(100)), ContractError);
}

// Fourfold sizes from 256 KiB, then four times the share of the caches.
TEST(Sizes, EndInMainMemory) {
    EXPECT_THAT(set_sizes(32 * mebi),
                ElementsAre(mebi / 4, mebi, 4 * mebi, 16 * mebi, 64 * mebi, 128 * mebi));
    EXPECT_EQ(set_sizes(16 * mebi).back(), 64 * mebi);
    EXPECT_EQ(set_sizes(mebi).back(), 12 * mebi);
    EXPECT_EQ(set_sizes(0).back(), 12 * mebi);
}

// Two memory nodes whose cpus take turns, two threads a core: node 0 first, allowed threads only.
TEST(Cores, AreFilledNodeByNode) {
    MachineMap machine;
    machine.cores = {{{0, 4}, 0}, {{1, 5}, 1}, {{2, 6}, 0}, {{3, 7}, 1}};
    EXPECT_THAT(cores_in_order(machine, {0, 1, 2, 3, 4, 5, 6, 7}),
                ElementsAre(CpuList{0, 4}, CpuList{2, 6}, CpuList{1, 5}, CpuList{3, 7}));
    EXPECT_THAT(cores_in_order(machine, {1, 2, 6}), ElementsAre(CpuList{2, 6}, CpuList{1}));
}

std::vector<int> cores_of(std::string list) {
    std::string program = "halocline-cores";
    std::string flag = "--cores";
    std::vector<char*> words{program.data(), flag.data(), list.data()};
    return parse_options(3, words.data()).options->cores;
}

TEST(Options, CoresAreSortedAndChecked) {
    EXPECT_THAT(cores_of("4,1,4"), ElementsAre(1, 4));
    for (const char* bad : {"0", "x", "1,,2", "-1", "1.5", "99999"}) {
        EXPECT_THROW((void)cores_of(bad), UsageError) << bad;
    }
}

}  // namespace
}  // namespace halocline::cores
