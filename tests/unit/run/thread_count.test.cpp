// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The set-up of a run has threads of its own; loops have theirs again behind it, however it ends.
#include "halocline/run/thread_count.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <stdexcept>

namespace {

using halocline::run::ThreadCount;

int threads_of_a_region() {
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    return threads;
}

class RunThreadCount : public testing::Test {
protected:
    const ThreadCount outer_{2};
};

TEST_F(RunThreadCount, HoldsForRegionsUntilItsEnd) {
    {
        const ThreadCount set_up(3);
        EXPECT_EQ(threads_of_a_region(), 3);
    }
    EXPECT_EQ(threads_of_a_region(), 2);
}

TEST_F(RunThreadCount, NestsAndMayBeTheSame) {
    const ThreadCount same(2);
    {
        const ThreadCount one(1);
        EXPECT_EQ(threads_of_a_region(), 1);
    }
    EXPECT_EQ(threads_of_a_region(), 2);
}

TEST_F(RunThreadCount, EndsWithAnError) {
    try {
        const ThreadCount set_up(4);
        throw std::runtime_error("a mesh that cannot be read");
    } catch (const std::runtime_error&) {
        EXPECT_EQ(omp_get_max_threads(), 2);
    }
}

}  // namespace
