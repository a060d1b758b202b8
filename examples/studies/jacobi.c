// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Jacobi's iteration on a square, rows divided over ranks and threads: a program of nobody's, for
// studies over MPI libraries. Prints its time and a checksum that depends on neither.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int size = argc > 1 ? atoi(argv[1]) : 512;
    const int sweeps = argc > 2 ? atoi(argv[2]) : 200;
    const int first = (int)((long)size * rank / ranks);
    const int rows = (int)((long)size * (rank + 1) / ranks) - first;
    const int width = size + 2;
    double* old = calloc((size_t)(rows + 2) * width, sizeof(double));
    double* new = calloc((size_t)(rows + 2) * width, sizeof(double));
    if (old == NULL || new == NULL || rows < 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        for (int j = 0; j < width; ++j)
            old[j] = new[j] = 1.0;  // the hot side
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    double largest = 0.0;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        MPI_Sendrecv(old + width, width, MPI_DOUBLE, up, 0, old + (size_t)(rows + 1) * width, width,
                     MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(old + (size_t)rows * width, width, MPI_DOUBLE, down, 1, old, width, MPI_DOUBLE,
                     up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0)
            for (int j = 0; j < width; ++j)
                old[j] = 1.0;
        double change = 0.0;
#pragma omp parallel for reduction(max : change)
        for (int i = 1; i <= rows; ++i)
            for (int j = 1; j <= size; ++j) {
                const size_t at = (size_t)i * width + j;
                new[at] = 0.25 * (old[at - 1] + old[at + 1] + old[at - width] + old[at + width]);
                const double step = fabs(new[at] - old[at]);
                change = step > change ? step : change;
            }
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        double* swap = old;
        old = new;
        new = swap;
    }
    const double seconds = MPI_Wtime() - start;
    double slowest;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time = %.6f s\nlargest change = %.17g\n", slowest, largest);
    free(old);
    free(new);
    return MPI_Finalize();
}
