// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// main of every MPI test: starts MPI, lets rank 0 speak for all, and fails when any rank failed.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

namespace {

/// Prints failures of ranks other than 0, with their rank; everything else would be said N times.
class FailuresOnly final : public testing::EmptyTestEventListener {
public:
    explicit FailuresOnly(int rank) : rank_(rank) {}

    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed()) {
            const char* file = result.file_name() != nullptr ? result.file_name() : "?";
            std::fprintf(stderr, "[rank %d] %s:%d: %s\n", rank_, file, result.line_number(),
                         result.summary());
        }
    }

private:
    int rank_;
};

void quieten(int rank) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly(rank));  // GoogleTest owns its listeners
}

}  // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    testing::InitGoogleTest(&argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        quieten(rank);
    }
    const int mine = RUN_ALL_TESTS();
    int any = mine;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
