// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A signal on one rank is a request that all ranks agree on.
#include <gtest/gtest.h>

#include <csignal>

#include "halocline/core/stop_request.hpp"

namespace halocline {

namespace {

TEST(StopRequest, NobodyIsAskedAtFirst) {
    const Communicator comm(MPI_COMM_WORLD);
    const StopRequest stop;
    EXPECT_FALSE(stop.agreed(comm));
}

TEST(StopRequest, OneRankIsAskedAndAllAgree) {
    const Communicator comm(MPI_COMM_WORLD);
    const StopRequest stop;
    if (comm.rank() == comm.size() - 1) {
        ASSERT_EQ(std::raise(SIGUSR1), 0);
    }
    EXPECT_TRUE(stop.agreed(comm));
    EXPECT_TRUE(stop.agreed(comm));
}

TEST(StopRequest, AnotherOneForgetsTheFirst) {
    const Communicator comm(MPI_COMM_WORLD);
    {
        const StopRequest stop;
        ASSERT_EQ(std::raise(SIGUSR1), 0);
    }
    const StopRequest stop;
    EXPECT_FALSE(stop.agreed(comm));
}

}  // namespace

}  // namespace halocline
