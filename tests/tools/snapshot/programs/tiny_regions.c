/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Very many short parallel regions of two threads, in virtual time. Even calls: thread 0 computes 6 us and
 * thread 1 2 us; odd calls: both 2 us. On average the busiest computes 4 us, the mean is 3 us. The argument
 * is their number. Says how often the processor clock was asked for, which is a system call. */
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic unsigned long long now = 1000000000ull;
static atomic_long looks;
static __thread long burnt_ns;

unsigned long long virtual_now(void) { return now; }

/* Found before the C library's by whoever is loaded with this program. */
int clock_gettime(clockid_t clock, struct timespec* time) {
    if (clock != CLOCK_THREAD_CPUTIME_ID) {
        return (int)syscall(SYS_clock_gettime, clock, time);
    }
    ++looks;
    time->tv_sec = burnt_ns / 1000000000;
    time->tv_nsec = burnt_ns % 1000000000;
    return 0;
}

int main(int argc, char** argv) {
    const int regions = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < regions; ++i) {
#pragma omp parallel num_threads(2)
        {
            const int first = omp_get_thread_num() == 0;
            const long ns = first && i % 2 == 0 ? 6000 : 2000;
            burnt_ns += ns;
            if (first) {
                now += ns;
            }
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    printf("looks %ld\n", looks);
    return 0;
}
