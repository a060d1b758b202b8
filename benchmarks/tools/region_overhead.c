/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Nanoseconds of a parallel region of OpenMP that does nothing, with teams of one and of two threads: run
 * it plain and under a preloaded tool, and the difference is the tool. Prints one line a team size: name,
 * regions in a round, median, least and greatest ns per region over the rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 251, regions = 2000 }; /* short rounds: most of them run undisturbed */

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure(int threads) {
    static volatile char touched;
    double ns[rounds];
    for (int round = 0; round < rounds; ++round) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < regions; ++i) {
#pragma omp parallel num_threads(threads)
            touched = 1;
        }
        ns[round] = (MPI_Wtime() - begin) * 1e9 / regions;
    }
    qsort(ns, rounds, sizeof *ns, compare);
    printf("%d_threads 1 %.2f %.2f %.2f\n", threads, ns[rounds / 2], ns[0], ns[rounds - 1]);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    measure(1);
    measure(2);
    MPI_Finalize();
    return 0;
}
