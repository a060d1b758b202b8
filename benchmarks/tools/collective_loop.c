/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Nothing but short collectives: what a preloaded library costs a program at worst.
 *
 *   collective_loop BYTES CALLS PAIRS        BYTES 0: takes turns between 8, 800 and 16384
 *
 * Parts of CALLS Allreduce go straight to the MPI library and through the preloaded one in turn; which
 * comes first alternates. Both in one process: where the system places a process and its memory
 * changes such calls by more than what is measured. Prints a line a pair: straight and through,
 * nanoseconds a call on the slowest rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef int allreduce_t(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);

static double send[2048], receive[2048];
static allreduce_t* ways[2] = {NULL, MPI_Allreduce};

static allreduce_t* straight(void) {
    void* library = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) {
        library = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
    }
    allreduce_t* found = NULL;
    *(void**)&found = library != NULL ? dlsym(library, "MPI_Allreduce") : NULL;
    if (found == NULL) {
        fprintf(stderr, "MPI_Allreduce was not found in the MPI library\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return found;
}

static double part(int way, int bytes, int calls) {
    static const int mixed[] = {8, 800, 16384};
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int call = 0; call < calls; ++call) {
        const int size = bytes > 0 ? bytes : mixed[call % 3];
        ways[way](send, receive, size / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return 1e9 * seconds / calls;
}

int main(int argc, char** argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s BYTES CALLS PAIRS\n", argv[0]);
        return 2;
    }
    const int bytes = atoi(argv[1]), calls = atoi(argv[2]), pairs = atoi(argv[3]);
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ways[0] = straight();
    part(0, bytes, calls);
    part(1, bytes, calls);
    for (int pair = 0; pair < pairs; ++pair) {
        double ns[2];
        for (int turn = 0; turn < 2; ++turn) {
            const int way = (pair + turn) % 2;
            ns[way] = part(way, bytes, calls);
        }
        if (rank == 0) {
            printf("%.3f %.3f\n", ns[0], ns[1]);
        }
    }
    MPI_Finalize();
    return 0;
}
