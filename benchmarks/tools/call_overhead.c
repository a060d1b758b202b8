/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Nanoseconds of MPI calls on one rank, where MPI itself does almost nothing: run it plain and under a
 * preloaded tool, and the difference is the tool. Prints one line a loop: name, calls in a round,
 * median, least and greatest ns per call over the rounds. Loops named _cold use 2 MB of memory before
 * each call, as programs do that compute, and time the calls alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { rounds = 251, calls = 2000 }; /* short rounds: most of them run undisturbed */
enum { cold_calls = 40, memory_bytes = 2 << 20, line_bytes = 64 };

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void ask_rank(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void probe(void) {
    int flag;
    MPI_Iprobe(0, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void allreduce(void) {
    double one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void sendrecv(void) {
    double out = 1, in;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, 0, 1, &in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void isend_irecv_waitall(void) {
    double out = 1, in;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, requests);
    MPI_Isend(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, requests + 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void measure(const char* name, void (*loop)(void), int calls_each) {
    double ns[rounds];
    for (int round = 0; round < rounds; ++round) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < calls; ++i) {
            loop();
        }
        ns[round] = (MPI_Wtime() - begin) * 1e9 / calls / calls_each;
    }
    qsort(ns, rounds, sizeof *ns, compare);
    printf("%s %d %.2f %.2f %.2f\n", name, calls_each, ns[rounds / 2], ns[0], ns[rounds - 1]);
}

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static void measure_cold(const char* name, void (*call)(void)) {
    static volatile char memory[memory_bytes];
    double ns[rounds];
    for (int round = 0; round < rounds; ++round) {
        ns[round] = 0;
        for (int i = 0; i < cold_calls; ++i) {
            for (int at = 0; at < memory_bytes; at += line_bytes) {
                ++memory[at];
            }
            const double begin = now_ns();
            call();
            ns[round] += (now_ns() - begin) / cold_calls;
        }
    }
    qsort(ns, rounds, sizeof *ns, compare);
    printf("%s 1 %.2f %.2f %.2f\n", name, ns[rounds / 2], ns[0], ns[rounds - 1]);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    measure("MPI_Comm_rank", ask_rank, 1);
    measure("MPI_Iprobe", probe, 1);
    measure("MPI_Allreduce_self", allreduce, 1);
    measure("MPI_Sendrecv_self", sendrecv, 1);
    measure("MPI_Isend_Irecv_Waitall_self", isend_irecv_waitall, 3);
    measure_cold("MPI_Comm_rank_cold", ask_rank);
    measure_cold("MPI_Allreduce_self_cold", allreduce);
    MPI_Finalize();
    return 0;
}
