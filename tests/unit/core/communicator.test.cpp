// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collectives and agreement on errors, on as many ranks as the launcher gives.
#include <gtest/gtest.h>

#include <new>

#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"

namespace halocline {

namespace {

class CommunicatorTest : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    int last = comm.size() - 1;
};

TEST_F(CommunicatorTest, ReducesOverRanks) {
    const std::int64_t ranks = comm.size();
    EXPECT_EQ(comm.sum(std::int64_t{comm.rank()} + 1), ranks * (ranks + 1) / 2);
    EXPECT_EQ(comm.max(std::int64_t{comm.rank()}), last);
    EXPECT_EQ(comm.min(std::int64_t{comm.rank()} + 5), 5);
    EXPECT_EQ(comm.min(-1.0 * comm.rank()), -1.0 * last);
    EXPECT_EQ(comm.max(0.5 * comm.rank()), 0.5 * last);
    EXPECT_EQ(comm.sum(0.25), 0.25 * comm.size());
}

TEST_F(CommunicatorTest, ExclusiveSumStartsAtZero) {
    // Rank r contributes r + 1, so the ranks before it sum to r (r + 1) / 2.
    const std::int64_t rank = comm.rank();
    EXPECT_EQ(comm.exclusive_sum(rank + 1), rank * (rank + 1) / 2);
}

TEST_F(CommunicatorTest, GathersByRank) {
    const double mine[] = {10.0 * comm.rank(), 10.0 * comm.rank() + 1.0};
    const std::vector<double> all = comm.all_gather(std::span<const double>(mine));
    ASSERT_EQ(all.size(), 2U * static_cast<std::size_t>(comm.size()));
    for (int rank = 0; rank < comm.size(); ++rank) {
        EXPECT_EQ(all[static_cast<std::size_t>(2 * rank) + 1], 10.0 * rank + 1.0);
    }
}

TEST_F(CommunicatorTest, BroadcastsTextOfRankZero) {
    EXPECT_EQ(comm.broadcast(comm.is_root() ? "a longer text" : "x"), "a longer text");
    EXPECT_EQ(comm.broadcast(comm.is_root() ? "" : "not empty"), "");
}

TEST_F(CommunicatorTest, AgreeOnNothingReturns) { EXPECT_NO_THROW(comm.agree(0, "")); }

/// "<code>: <message>" of what `work` throws.
template <class Work>
std::string outcome(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
    }
    return "nothing thrown";
}

TEST_F(CommunicatorTest, AgreeGivesOneRanksErrorToAll) {
    const bool mine = comm.rank() == last;
    EXPECT_EQ(outcome([&] { comm.agree(mine ? 3 : 0, mine ? "the last rank's file" : ""); }),
              "3: the last rank's file");
}

TEST_F(CommunicatorTest, AgreeLetsTheLowestRankSpeak) {
    const std::string message = "rank " + std::to_string(comm.rank());
    EXPECT_EQ(outcome([&] { comm.agree(2 + comm.rank(), message); }), "2: rank 0");
}

TEST_F(CommunicatorTest, RunAgreedPassesResultsOn) {
    int value = 0;
    run_agreed(comm, [&] { value = 7; });
    EXPECT_EQ(value, 7);
}

TEST_F(CommunicatorTest, RunAgreedSpreadsTheErrorOfOneRank) {
    EXPECT_EQ(outcome([&] {
                  run_agreed(comm, [&] {
                      if (comm.rank() == last) {
                          throw InputError("bad row");
                      }
                  });
              }),
              "3: bad row");
}

TEST_F(CommunicatorTest, RunAgreedTurnsLackOfMemoryIntoASentence) {
    const std::string text = outcome([&] {
        run_agreed(comm, [&] {
            if (comm.rank() == last) {
                throw std::bad_alloc();
            }
        });
    });
    EXPECT_EQ(text.rfind("4: out of memory on rank " + std::to_string(last), 0), 0U) << text;
}

TEST_F(CommunicatorTest, AgreementLeavesTheCommunicatorUsable) {
    (void)outcome([&] { comm.agree(comm.rank() == 0 ? 5 : 0, "first"); });
    EXPECT_EQ(outcome([&] { comm.agree(comm.rank() == last ? 6 : 0, "second"); }), "6: second");
}

TEST(CheckMpi, NamesCallAndReason) {
    const std::string text = outcome([] { check_mpi(MPI_ERR_COUNT, "MPI_Isend"); });
    EXPECT_NE(text.find("MPI_Isend"), std::string::npos) << text;
    EXPECT_EQ(text.rfind("5: ", 0), 0U) << text;
    EXPECT_NO_THROW(check_mpi(MPI_SUCCESS, "MPI_Isend"));
}

}  // namespace

}  // namespace halocline
