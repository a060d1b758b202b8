/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Imbalance known by construction: in each of 8 steps of 120 ms the last rank works all the time and the
 * others 120 ms (1 - share), so they wait. Arguments: percent of mean waiting wanted, and `collective`,
 * `message` (two ranks: rank 1 works, rank 0 waits for its message) or `quick` (400 messages that take
 * LATE_NS each, but every 20th is there at once). All in virtual time. */
#include "virtual_time.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 400, LATE_NS = 10000 };

static void exchange_quick_and_late(int rank) {
    for (int i = 0; i < MESSAGES; ++i) {
        double one = 1;
        if (rank == 1) {
            virtual_work(i % 20 == 0 ? 0 : LATE_NS);
            MPI_Send(&one, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&one, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double percent = atof(argv[1]);
    const int by_message = argc > 2 && strcmp(argv[2], "message") == 0;
    if (argc > 2 && strcmp(argv[2], "quick") == 0) {
        exchange_quick_and_late(rank);
        MPI_Finalize();
        return 0;
    }
    /* the mean over ranks of the waiting is share (size - 1) / size of a step */
    const double share = percent / 100 * size / (size - 1);
    const double work_ns = 120e6 * (rank == size - 1 ? 1 : 1 - share);
    for (int step = 0; step < 8; ++step) {
        double one = 1, sum;
        virtual_work((unsigned long long)work_ns);
        if (!by_message) {
            MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Send(&one, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&sum, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
