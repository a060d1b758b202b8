/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Parallel regions of two threads in which thread 0 computes three times as long as thread 1: busy
 * maximum 3, mean 2, so a third of the maximum is imbalance. One form after the other: plain, with a
 * barrier inside, a dynamic loop, a nested region (which must not count). Repeats: 30 of each. */
#include <mpi.h>
#include <omp.h>
#include <time.h>

/* Burns processor time of the calling thread, however busy the machine is. */
static void burn(double seconds) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const double end = now.tv_sec + 1e-9 * now.tv_nsec + seconds;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec + 1e-9 * now.tv_nsec < end);
}

static double share(void) { return omp_get_thread_num() == 0 ? 0.003 : 0.001; }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2)
        burn(share());
    }
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2)
        {
            burn(share() / 2);
#pragma omp barrier
            burn(share() / 2);
        }
    }
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
        for (int k = 0; k < 2; ++k) {
            burn(share());
        }
    }
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2)
        {
            burn(share());
#pragma omp parallel num_threads(2)
            {}
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
