/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A stranger's ping-pong and bandwidth loops, with the protocol of OSU's osu_latency and osu_bw (their
 * README): MPI_Init, one buffer a side, windows of 64, an acknowledgement a window. Judges halocline-p2p;
 * mpicc -O2. Arguments: "ordinary" or "huge" (pages of buffers from 2 MiB on), then for each row four
 * words: latency or bandwidth, bytes of a message, samples, iterations a sample. Prints
 * "PATTERN BYTES MEDIAN MEAN" of the samples, in seconds of one message. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { window = 64, small_page = 4096, huge_page = 2 << 20, most_in_flight = 256 << 20 };
static char *out, *in;
static int rank;

static int window_of(int bytes) {
    return bytes > most_in_flight / window ? most_in_flight / bytes : window;
}

static void ping_pong(int bytes) {
    for (int turn = 0; turn < 2; ++turn) {
        if (turn == rank)
            MPI_Send(out, bytes, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD);
        else
            MPI_Recv(in, bytes, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void one_way(int bytes) {
    MPI_Request requests[window];
    const int count = window_of(bytes);
    for (int k = 0; k < count; ++k) {
        if (rank == 0)
            MPI_Isend(out, bytes, MPI_CHAR, 1, 100, MPI_COMM_WORLD, &requests[k]);
        else
            MPI_Irecv(in, bytes, MPI_CHAR, 0, 100, MPI_COMM_WORLD, &requests[k]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
        MPI_Recv(in, 4, MPI_CHAR, 1, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(out, 4, MPI_CHAR, 0, 101, MPI_COMM_WORLD);
}

static double seconds_of(void (*step)(int), int bytes, int count) {
    const double start = MPI_Wtime();
    for (int k = 0; k < count; ++k)
        step(bytes);
    return (MPI_Wtime() - start) / count;
}

static int ascending(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static char* buffer_of(int bytes, int huge, char fill) {
    char* memory = NULL;
    const size_t room = bytes < 64 ? 64 : (size_t)bytes;
    const size_t alignment = huge && room >= huge_page ? huge_page : small_page;
    if (posix_memalign((void**)&memory, alignment, room))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (alignment == huge_page)
        madvise(memory, room, MADV_HUGEPAGE);
    memset(memory, fill, room);
    return memory;
}

static void measure(const char* pattern, int bytes, int samples, int batch, int huge) {
    void (*const step)(int) = strcmp(pattern, "latency") == 0 ? ping_pong : one_way;
    const double messages = step == ping_pong ? 2 : window_of(bytes);
    double* times = malloc(samples * sizeof *times);
    double sum = 0;
    out = buffer_of(bytes, huge, 'a');
    in = buffer_of(bytes, huge, 'b');
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < 4; ++k)
        seconds_of(step, bytes, batch);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < samples; ++k)
        sum += times[k] = seconds_of(step, bytes, batch);
    qsort(times, samples, sizeof *times, ascending);
    if (rank == 0) {
        const double median = times[(samples - 1) / 2];
        printf("%s %d %.9g %.9g\n", pattern, bytes, median / messages, sum / samples / messages);
    }
    free(out);
    free(in);
    free(times);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 2; k + 3 < argc; k += 4) {
        measure(argv[k], atoi(argv[k + 1]), atoi(argv[k + 2]), atoi(argv[k + 3]),
                argv[1][0] == 'h');
    }
    MPI_Finalize();
    return 0;
}
