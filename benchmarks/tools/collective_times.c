/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Times collectives with and without endpoints, in turn, in one process.
 *
 *   collective_times FUNCTION BYTES REPETITIONS
 *
 * FUNCTION: allreduce, bcast or alltoall (BYTES a block). The first way goes through the preloaded
 * library (start it with MEP_CALIBRATE=0), the second straight to the MPI library. Every call starts
 * after a barrier; its time is that of the slowest rank. The ways take turns in blocks of ten calls and
 * one uncounted call before: in turn call by call, each would find the data in the other's caches.
 * Prints lines of two times: split and plain [us]. Results of both ways are compared. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 10 };

typedef int allreduce_t(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
typedef int bcast_t(void*, int, MPI_Datatype, int, MPI_Comm);
typedef int alltoall_t(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);

static allreduce_t* allreduce[2] = {MPI_Allreduce, NULL};
static bcast_t* bcast[2] = {MPI_Bcast, NULL};
static alltoall_t* alltoall[2] = {MPI_Alltoall, NULL};

static void* straight(const char* name) {
    void* library = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) {
        library = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
    }
    void* found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL) {
        fprintf(stderr, "%s was not found in the MPI library\n", name);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return found;
}

static double timed(char function, int way, double* send, double* receive, int count) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (function == 'b') {
        bcast[way](send, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } else if (function == 'r') {
        allreduce[way](send, receive, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else {
        alltoall[way](send, count, MPI_DOUBLE, receive, count, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4) {
        fprintf(stderr, "usage: %s allreduce|bcast|alltoall BYTES REPETITIONS\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const char function = strcmp(argv[1], "bcast") == 0 ? 'b' : argv[1][3] == 'r' ? 'r' : 'a';
    const int count = atoi(argv[2]) / (int)sizeof(double);
    *(void**)&allreduce[1] = straight("PMPI_Allreduce");
    *(void**)&bcast[1] = straight("PMPI_Bcast");
    *(void**)&alltoall[1] = straight("PMPI_Alltoall");
    const size_t bytes = (size_t)count * sizeof(double) * (size_t)ranks;
    double* send = malloc(bytes);
    double* receive[2] = {calloc(1, bytes), calloc(1, bytes)};
    for (size_t i = 0; i < bytes / sizeof(double); ++i) {
        send[i] = (double)(i % 1000) + rank;
    }
    const int repetitions = atoi(argv[3]);
    double* seconds[2] = {malloc(sizeof(double) * (size_t)repetitions),
                          malloc(sizeof(double) * (size_t)repetitions)};
    for (int start = 0; start < repetitions; start += BLOCK) {
        for (int way = 0; way < 2; ++way) {
            timed(function, way, send, receive[way], count); /* the caches of the other way */
            for (int k = start; k < start + BLOCK && k < repetitions; ++k) {
                seconds[way][k] = timed(function, way, send, receive[way], count);
            }
        }
        if (memcmp(receive[0], receive[1], bytes) != 0) {
            fprintf(stderr, "rank %d: results differ\n", rank);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    for (int k = 0; rank == 0 && k < repetitions; ++k) {
        printf("%.2f %.2f\n", 1e6 * seconds[0][k], 1e6 * seconds[1][k]);
    }
    MPI_Finalize();
    return 0;
}
