/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Counting checks and the calls that are expected to be split. */
#ifndef HALOCLINE_TESTS_ENDPOINTS_CHECK_H
#define HALOCLINE_TESTS_ENDPOINTS_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALLREDUCE, REDUCE, BCAST, ALLGATHER, ALLTOALL, ALLTOALLV, FUNCTIONS };
static const char* const function_names[FUNCTIONS] = {"Allreduce", "Reduce",   "Bcast",
                                                      "Allgather", "Alltoall", "Alltoallv"};
static long expected_splits[FUNCTIONS];
static long checks, failures;
static int rank, ranks;

#define CHECK(condition)                                                                       \
    do {                                                                                       \
        ++checks;                                                                              \
        if (!(condition)) {                                                                    \
            ++failures;                                                                        \
            if (failures < 20) {                                                               \
                fprintf(stderr, "rank %d: %s:%d: %s\n", rank, __FILE__, __LINE__, #condition); \
            }                                                                                  \
        }                                                                                      \
    } while (0)

/* Prints what the report must say, and returns the program's exit code. */
static int conclude(void) {
    long all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int f = 0; f < FUNCTIONS; ++f) {
            printf("expect %s %ld\n", function_names[f], expected_splits[f]);
        }
        printf("%ld checks, %ld failures\n", checks, all);
    }
    return all == 0 ? 0 : 1;
}

#endif
