/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A program of MPI sessions: no MPI_Init, no MPI_COMM_WORLD. Two sessions, of which the second outlives
 * the first: 10 Allreduce calls in each, and a message to the next rank in the second. */
#include <mpi.h>

static MPI_Comm everyone(MPI_Session session, const char* tag) {
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    return comm;
}

static void work(MPI_Comm comm) {
    double one = 1, sum;
    for (int i = 0; i < 10; ++i) {
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    }
}

int main(void) {
    MPI_Session first, second;
    int rank, size, out[3] = {0}, in[3];
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
    MPI_Comm comm = everyone(first, "first");
    work(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&first);
    comm = everyone(second, "second");
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    work(comm);
    MPI_Sendrecv(out, 3, MPI_INT, (rank + 1) % size, 0, in, 3, MPI_INT, MPI_ANY_SOURCE, 0, comm,
                 MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&second);
    return 0;
}
