/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A stranger's ping-pong and bandwidth loops, with the protocol of OSU's osu_latency and osu_bw (their
 * README): MPI_Init, one buffer a side, windows of 64, an acknowledgement a window. Judges halocline-p2p;
 * mpicc -O2. Arguments: bytes of messages. Prints "latency|bandwidth BYTES SECONDS" of one message. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { window = 64 };
static char *out, *in;

static void ping_pong(int rank, int bytes) {
    for (int turn = 0; turn < 2; ++turn) {
        if (turn == rank) MPI_Send(out, bytes, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD);
        else MPI_Recv(in, bytes, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void one_way(int rank, int bytes) {
    MPI_Request requests[window];
    for (int k = 0; k < window; ++k) {
        if (rank == 0) MPI_Isend(out, bytes, MPI_CHAR, 1, 100, MPI_COMM_WORLD, &requests[k]);
        else MPI_Irecv(in, bytes, MPI_CHAR, 0, 100, MPI_COMM_WORLD, &requests[k]);
    }
    MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
    if (rank == 0) MPI_Recv(in, 4, MPI_CHAR, 1, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Send(out, 4, MPI_CHAR, 0, 101, MPI_COMM_WORLD);
}

static double seconds_of(void (*step)(int, int), int rank, int bytes, int count, int warm_up) {
    double start = 0;
    for (int k = -warm_up; k < count; ++k) {
        if (k == -warm_up) MPI_Barrier(MPI_COMM_WORLD);
        if (k == 0) start = MPI_Wtime();
        step(rank, bytes);
    }
    return (MPI_Wtime() - start) / count;
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (posix_memalign((void**)&out, 4096, 1 << 26) || posix_memalign((void**)&in, 4096, 1 << 26)) return 1;
    memset(out, 'a', 1 << 26);
    memset(in, 'b', 1 << 26);
    for (int k = 1; k < argc; ++k) {
        const int bytes = atoi(argv[k]), is_long = bytes > 8192;
        const double there = seconds_of(ping_pong, rank, bytes, is_long ? 1000 : 10000, is_long ? 10 : 200) / 2;
        const double each = seconds_of(one_way, rank, bytes, is_long ? 20 : 100, is_long ? 2 : 10) / window;
        if (rank == 0) printf("latency %d %.9g\nbandwidth %d %.9g\n", bytes, there, bytes, each);
    }
    MPI_Finalize();
    return 0;
}
