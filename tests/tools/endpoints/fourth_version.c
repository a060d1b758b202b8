/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * MPI-4's functions with large counts are split like those with ints, in turn with them; persistent
 * ones go straight to MPI. Libraries without MPI 4 run the calls around alone. */
#include "check.h"

enum { COUNT = 4000, MOST = 8 };

static double data[COUNT], other[COUNT];
static double sent[MOST * COUNT], received[MOST * COUNT];

static double value(int i, int from) { return i % 17 + from; }

static void fill(void) {
    for (int i = 0; i < COUNT; ++i) {
        data[i] = value(i, rank);
    }
}

static void check_sum(const double* sums) {
    for (int i = 0; i < COUNT; ++i) {
        CHECK(sums[i] == ranks * (i % 17) + 0.5 * ranks * (ranks - 1));
    }
}

static void split_one(void) {
    fill();
    MPI_Allreduce(MPI_IN_PLACE, data, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check_sum(data);
    expected_splits[ALLREDUCE] += ranks > 1;
}

#if MPI_VERSION >= 4
static void reduce_large(void) {
    const MPI_Count count = COUNT;
    fill();
    MPI_Allreduce_c(data, other, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check_sum(other);
    PMPI_Allreduce_c(MPI_IN_PLACE, data, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check_sum(data);
    expected_splits[ALLREDUCE] += 2 * (ranks > 1);
    fill();
    MPI_Reduce_c(data, other, count, MPI_DOUBLE, MPI_SUM, ranks - 1, MPI_COMM_WORLD);
    if (rank == ranks - 1) {
        check_sum(other);
    }
    expected_splits[REDUCE] += ranks > 1;
    MPI_Allreduce_c(data, other, (MPI_Count)2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* short */
    CHECK(other[1] == 1 + ranks - 1);
}

/* Each block has its sender's number and place. */
static void move_large(void) {
    const MPI_Count count = COUNT;
    fill();
    MPI_Bcast_c(data, count, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD);
    CHECK(data[16] == value(16, ranks - 1));
    expected_splits[BCAST] += ranks > 1;
    fill();
    MPI_Allgather_c(data, count, MPI_DOUBLE, received, count, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int from = 0; from < ranks; ++from) {
        CHECK(received[from * COUNT + COUNT - 1] == value(COUNT - 1, from));
    }
    expected_splits[ALLGATHER] += ranks > 1;
    for (int to = 0; to < ranks; ++to) {
        for (int i = 0; i < COUNT; ++i) {
            sent[to * COUNT + i] = 1000 * to + value(i, rank);
        }
    }
    MPI_Alltoall_c(sent, count, MPI_DOUBLE, received, count, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < ranks * COUNT; ++i) {
        CHECK(received[i] == 1000 * rank + value(i % COUNT, i / COUNT));
    }
    expected_splits[ALLTOALL] += ranks > 1;
}

/* Rank a sends COUNT - b numbers to rank b, from the end of its block. */
static void exchange_large(void) {
    MPI_Count send_counts[MOST], receive_counts[MOST];
    MPI_Aint send_places[MOST], receive_places[MOST];
    for (int peer = 0; peer < ranks; ++peer) {
        send_counts[peer] = COUNT - peer;
        send_places[peer] = (MPI_Aint)peer * COUNT + peer;
        receive_counts[peer] = COUNT - rank;
        receive_places[peer] = (MPI_Aint)peer * COUNT;
    }
    MPI_Alltoallv_c(sent, send_counts, send_places, MPI_DOUBLE, received, receive_counts,
                    receive_places, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int from = 0; from < ranks; ++from) {
        for (int i = 0; i < COUNT - rank; ++i) {
            CHECK(received[from * COUNT + i] == 1000 * rank + value(i + rank, from));
        }
    }
    expected_splits[ALLTOALLV] += ranks > 1;
}

static void run_persistent(void) {
    MPI_Request request;
    MPI_Allreduce_init_c(data, other, (MPI_Count)COUNT, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD,
                         MPI_INFO_NULL, &request);
    fill();
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    CHECK(other[16] == value(16, ranks - 1));
}
#endif

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < 3; ++round) {
        split_one();
#if MPI_VERSION >= 4
        reduce_large();
        move_large();
        exchange_large();
        run_persistent();
#endif
    }
    const int code = conclude();
    MPI_Finalize();
    return code;
}
