// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checks and arithmetic that need no file.
#include "halocline/io/mesh_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/io/result_names.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Sizes around the block of 1024 values in which widening works.
TEST(MeshChecks, Widening_KeepsEveryValue) {
    for (const std::size_t size : {0U, 1U, 2U, 1023U, 1024U, 1025U, 5000U}) {
        std::vector<GlobalIndex> values(size);
        std::vector<std::int32_t> narrow(size);
        std::iota(narrow.begin(), narrow.end(), -3);
        if (size > 0) {
            std::memcpy(reinterpret_cast<char*>(values.data()) + 4 * size, narrow.data(), 4 * size);
        }
        widen_upper_half(values);
        for (std::size_t i = 0; i < size; ++i) {
            ASSERT_EQ(values[i], static_cast<GlobalIndex>(i) - 3) << size;
        }
    }
}

TEST(MeshChecks, Rebasing_SubtractsTheBase) {
    std::vector<GlobalIndex> values{1, 5, 3};
    rebase_indices(values, 1, 5, "node", {"f", "d", 1, 0});
    EXPECT_EQ(values, (std::vector<GlobalIndex>{0, 4, 2}));
}

TEST(MeshChecks, PlaceOfAFault_CountsFromTheFirstRowOfTheRank) {
    try {
        require_finite(std::vector<double>{1, 2, 3, 4, 1.0 / 0.0, 6}, {"m.h5", "x", 3, 100});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    AllOf(HasSubstr("'x' of 'm.h5'"), HasSubstr("row 101, column 1")));
    }
}

TEST(ResultNames, AreThoseOfMgcfd) {
    EXPECT_EQ(result_path("out/", "variables", 3, 25), "out/variables.L3.cycles=25.h5");
    EXPECT_EQ(result_path("a", "step_factors", 0, 1), "astep_factors.L0.cycles=1.h5");
    EXPECT_EQ(result_dataset("fluxes", 2), "p_fluxes_result_L2");
    EXPECT_EQ(flow_path("", 10), "variables.L0.cycle=10.h5");
    EXPECT_EQ(solution_path("", 1, 10), "solution.variables.L1.cycles=10.h5");
    EXPECT_EQ(solution_path("mesh", 0, 10), "mesh/solution.variables.L0.cycles=10.h5");
    EXPECT_EQ(side_path("", "P=0.FileIoTimes.csv"), "P=0.FileIoTimes.csv");
    EXPECT_EQ(side_path("out/", "P=0.FileIoTimes.csv"), "out/P=0.FileIoTimes.csv");
    EXPECT_EQ(side_path("run", "P=0.FileIoTimes.csv"), "run.P=0.FileIoTimes.csv");
}

}  // namespace
}  // namespace halocline
