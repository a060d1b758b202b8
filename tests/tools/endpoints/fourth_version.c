/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * MPI-4's functions with large counts go straight to MPI, between calls that are split, and disturb
 * none of them. Libraries without MPI 4 run the calls around alone. */
#include "check.h"

enum { COUNT = 4000 };

static double data[COUNT];

static void fill(void) {
    for (int i = 0; i < COUNT; ++i) {
        data[i] = i % 17 + rank;
    }
}

static void check_sum(void) {
    for (int i = 0; i < COUNT; ++i) {
        CHECK(data[i] == ranks * (i % 17) + 0.5 * ranks * (ranks - 1));
    }
}

static void split_one(void) {
    fill();
    MPI_Allreduce(MPI_IN_PLACE, data, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check_sum();
    expected_splits[ALLREDUCE] += ranks > 1;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < 3; ++round) {
        split_one();
#if MPI_VERSION >= 4
        const MPI_Count count = COUNT;
        fill();
        MPI_Allreduce_c(MPI_IN_PLACE, data, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check_sum();
        fill();
        MPI_Bcast_c(data, count, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD);
        CHECK(data[16] == 16 + ranks - 1);
        static double other[COUNT];
        MPI_Request request;
        MPI_Allreduce_init_c(data, other, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
                             &request);
        fill();
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        CHECK(other[16] == 16 + ranks - 1);
#endif
    }
    const int code = conclude();
    MPI_Finalize();
    return code;
}
