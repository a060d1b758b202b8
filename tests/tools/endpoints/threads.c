/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Threads of the program make collectives at the same time, each on its own communicator, and from
 * inside an OpenMP parallel region.
 *
 *   threads ROUNDS */
#include "check.h"

#include <pthread.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { THREADS = 2, COUNT = 3000 };

static MPI_Comm communicators[THREADS];
static int rounds = 50;
static long wrong[THREADS];

static void reduce_and_send(int thread) {
    double* data = malloc(sizeof(double) * COUNT);
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < COUNT; ++i) {
            data[i] = (double)(i % 13 + thread + rank);
        }
        MPI_Allreduce(MPI_IN_PLACE, data, COUNT, MPI_DOUBLE, MPI_SUM, communicators[thread]);
        MPI_Bcast(data, COUNT, MPI_DOUBLE, round % ranks, communicators[thread]);
        for (int i = 0; i < COUNT; ++i) {
            const double sum = ranks * (i % 13 + thread) + 0.5 * ranks * (ranks - 1);
            wrong[thread] += data[i] != sum;
        }
    }
    free(data);
}

static void* work(void* argument) {
    reduce_and_send((int)(long)argument);
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    rounds = argc > 1 ? atoi(argv[1]) : rounds;
    pthread_t threads[THREADS];
    for (int k = 0; k < THREADS; ++k) {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicators[k]);
    }
    for (int k = 0; k < THREADS; ++k) {
        pthread_create(&threads[k], NULL, work, (void*)(long)k);
    }
    for (int k = 0; k < THREADS; ++k) {
        pthread_join(threads[k], NULL);
        expected_splits[ALLREDUCE] += ranks > 1 ? rounds : 0;
        expected_splits[BCAST] += ranks > 1 ? rounds : 0;
    }
#ifdef _OPENMP
#pragma omp parallel num_threads(THREADS)
    { reduce_and_send(omp_get_thread_num()); }
    for (int k = 0; k < THREADS; ++k) {
        expected_splits[ALLREDUCE] += ranks > 1 ? rounds : 0;
        expected_splits[BCAST] += ranks > 1 ? rounds : 0;
    }
#endif
    CHECK(wrong[0] == 0 && wrong[1] == 0);
    for (int k = 0; k < THREADS; ++k) {
        MPI_Comm_free(&communicators[k]);
    }
    const int code = conclude();
    MPI_Finalize();
    return code;
}
