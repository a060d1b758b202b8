// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Written apart from everything else here on purpose; errors end the job through MPI itself.
#include "plain_ping_pong.hpp"

namespace halocline::p2p {

void plain_round_trip(MPI_Comm comm, int first, int second, void* out, void* in, int bytes) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == first) {
        MPI_Send(out, bytes, MPI_BYTE, second, 1, comm);
        MPI_Recv(in, bytes, MPI_BYTE, second, 1, comm, MPI_STATUS_IGNORE);
    } else if (rank == second) {
        MPI_Recv(in, bytes, MPI_BYTE, first, 1, comm, MPI_STATUS_IGNORE);
        MPI_Send(out, bytes, MPI_BYTE, first, 1, comm);
    }
}

}  // namespace halocline::p2p
