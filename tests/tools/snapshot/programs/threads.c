/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Several threads call MPI at once. Arguments: number of threads, rounds of each. A thread makes in each
 * round one Isend, one Irecv, one Waitall (4 numbers to the next rank) and one Allreduce of its own
 * communicator; every 16th round it makes and frees a communicator. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, rounds;
static MPI_Comm communicators[64];

static void* run(void* argument) {
    const int me = (int)(size_t)argument;
    MPI_Comm own = communicators[me];
    int out[4] = {rank, 1, 2, 3}, in[16], one = 1, sum;
    for (int i = 0; i < rounds; ++i) {
        MPI_Request requests[2];
        MPI_Irecv(in, 16, MPI_INT, MPI_ANY_SOURCE, me, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 4, MPI_INT, (rank + 1) % size, me, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own);
        if (sum != size || in[0] != (rank + size - 1) % size) {
            MPI_Abort(MPI_COMM_WORLD, 9);
        }
        if (i % 16 == 0) {
            MPI_Comm copy;
            MPI_Comm_dup(own, &copy);
            MPI_Comm_free(&copy);
        }
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, threads = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t workers[64];
    rounds = argc > 2 ? atoi(argv[2]) : 100;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "this MPI library gives no MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 8);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < threads; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicators[i]);
    }
    for (int i = 1; i < threads; ++i) {
        pthread_create(&workers[i], NULL, run, (void*)(size_t)i);
    }
    run(NULL);
    for (int i = 1; i < threads; ++i) {
        pthread_join(workers[i], NULL);
    }
    MPI_Finalize();
    return 0;
}
