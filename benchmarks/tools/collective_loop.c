/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A program that does nothing but short collectives: what a preloaded library costs at worst.
 *
 *   collective_loop BYTES CALLS        BYTES 0: takes turns between 8, 800 and 16384
 *
 * Prints the seconds of the loop on the slowest rank; a twentieth of it comes before, not counted. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double send[2048], receive[2048];

static void loop(int bytes, int calls) {
    static const int mixed[] = {8, 800, 16384};
    for (int call = 0; call < calls; ++call) {
        const int size = bytes > 0 ? bytes : mixed[call % 3];
        MPI_Allreduce(send, receive, size / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s BYTES CALLS\n", argv[0]);
        return 2;
    }
    const int bytes = atoi(argv[1]), calls = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    loop(bytes, calls / 20);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    loop(bytes, calls);
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("seconds %.6f\n", seconds);
    }
    MPI_Finalize();
    return 0;
}
