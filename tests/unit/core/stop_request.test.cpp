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
    EXPECT_EQ(stop.agreed(comm), StopReason::none);
}

TEST(StopRequest, OneRankIsAskedAndAllAgree) {
    const Communicator comm(MPI_COMM_WORLD);
    const StopRequest stop;
    if (comm.rank() == comm.size() - 1) {
        ASSERT_EQ(std::raise(SIGUSR1), 0);
    }
    EXPECT_EQ(stop.agreed(comm), StopReason::usr1);
    EXPECT_EQ(stop.agreed(comm), StopReason::usr1);
}

TEST(StopRequest, TermIsHeardWhereItIsWanted) {
    const Communicator comm(MPI_COMM_WORLD);
    StopRequest stop;
    stop.hear_term();
    if (comm.is_root()) {
        ASSERT_EQ(std::raise(SIGTERM), 0);
    }
    EXPECT_EQ(stop.agreed(comm), StopReason::term);
}

TEST(StopRequest, AReasonOfOneRankIsTheReasonOfAll) {
    const Communicator comm(MPI_COMM_WORLD);
    const StopRequest stop;
    const bool last = comm.rank() == comm.size() - 1;
    EXPECT_EQ(stop.agreed(comm, last ? StopReason::time_limit : StopReason::none),
              StopReason::time_limit);
}

TEST(StopRequest, AnotherOneForgetsTheFirst) {
    const Communicator comm(MPI_COMM_WORLD);
    {
        const StopRequest stop;
        ASSERT_EQ(std::raise(SIGUSR1), 0);
    }
    const StopRequest stop;
    EXPECT_EQ(stop.agreed(comm), StopReason::none);
}

}  // namespace

}  // namespace halocline
