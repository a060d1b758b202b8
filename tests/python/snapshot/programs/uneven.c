// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Steps in which rank 0 rests 20 ms and the others a given share of it, with a barrier after each.
//   uneven SHARE [STEPS]
// Ranks rest instead of computing: then the times do not depend on who else uses the cores.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void rest(double milliseconds) {
    struct timespec time = {0, (long)(milliseconds * 1e6)};
    nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double share = argc > 1 ? atof(argv[1]) : 0.5;
    const int steps = argc > 2 ? atoi(argv[2]) : 40;
    for (int step = 0; step < steps; ++step) {
        rest(rank == 0 ? 20.0 : 20.0 * share);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
