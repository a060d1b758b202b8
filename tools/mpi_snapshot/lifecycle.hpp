// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where a recording begins and ends: with MPI_Init and MPI_Finalize, or with the first MPI session and
// the last.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace halocline::snapshot {

/// How MPI was started.
struct Start {
    int thread_requested, thread_provided;
    std::uint64_t init_ns;
    const MPI_Group* world;  // of a session; null: the group of MPI_COMM_WORLD
};

/// After the real call: MPI may be used once more. The first time begins the recording.
void mpi_started(const Start& start);

/// Around the real call that ends one use of MPI; the last of them ends the recording.
class Ending {
public:
    Ending();
    /// The call has returned.
    void finish();
    bool is_last() const { return last_; }

private:
    std::uint64_t before_ns_ = 0;
    bool last_;
};

}  // namespace halocline::snapshot
