/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Messages whose bytes, and whose pieces' bytes, are beyond the range of an int; with MPI 4 their
 * counts, too. Needs 12 GB of memory for two ranks; with less it does nothing and says so.
 *
 *   large [DOUBLES]     of the broadcast, at least those of the reduction */
#include "check.h"

#include <unistd.h>

static size_t bcast_count = 560000000u;           /* doubles: 4.5 GB, pieces of 2.2 GB */
static const size_t allreduce_count = 280000000u; /* doubles: 2.2 GB */

static int enough_memory(void) {
    const double pages = (double)sysconf(_SC_AVPHYS_PAGES);
    return pages * (double)sysconf(_SC_PAGESIZE) > 12e9;
}

static double value(size_t i) { return (double)(i % 1000003); }

#if MPI_VERSION >= 4
/* Bytes that are equal on all ranks stay so. */
static void run_large_counts(double* data) {
    const MPI_Count bytes = (MPI_Count)(bcast_count * sizeof(double));
    MPI_Allreduce_c(MPI_IN_PLACE, data, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    ++expected_splits[ALLREDUCE];
    if (rank != 0) {
        memset(data, 0, (size_t)bytes);
    }
    MPI_Bcast_c(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    ++expected_splits[BCAST];
    for (size_t i = 0; i < bcast_count; ++i) {
        CHECK(data[i] == value(i));
    }
}
#endif

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) {
        bcast_count = (size_t)atol(argv[1]);
    }
    int enough = enough_memory();
    MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    double* data = enough ? malloc(bcast_count * sizeof(double)) : NULL;
    if (data == NULL) {
        printf("skipped: less than 12 GB of memory are free\n");
    } else {
        for (size_t i = 0; i < bcast_count; ++i) {
            data[i] = rank == 0 ? value(i) : -1.0;
        }
        MPI_Bcast(data, (int)bcast_count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        ++expected_splits[BCAST];
        for (size_t i = 0; i < bcast_count; ++i) {
            CHECK(data[i] == value(i));
        }
#if MPI_VERSION >= 4
        run_large_counts(data);
#endif
        MPI_Allreduce(MPI_IN_PLACE, data, (int)allreduce_count, MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
        ++expected_splits[ALLREDUCE];
        for (size_t i = 0; i < allreduce_count; ++i) {
            CHECK(data[i] == ranks * value(i));
        }
        free(data);
    }
    const int code = conclude();
    MPI_Finalize();
    return code;
}
