/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Parallel regions of two threads in which thread 0 computes three times as long as thread 1: busy
 * maximum 3, mean 2, so a third of the maximum is imbalance. One form after the other: plain, with a
 * barrier inside, a dynamic loop, a nested region (of one thread, and a region of its own), a reduction
 * that tasks take part in. Repeats: 30 of each. Ends with 1 when the reduction is wrong.
 * The processor clocks of the two threads are the program's own: they count what was burnt and what
 * waiting burns, so that what the recorder sees is the same on a machine that is busy. */
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct thread_clock {
    atomic_long burnt_ns;
    atomic_long looks; /* how often it was read */
};
static struct thread_clock clocks[2];
static __thread struct thread_clock* own;
static int waits_spin = 1;

static long monotonic_ns(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Found before the C library's by whoever is loaded with this program. */
int clock_gettime(clockid_t clock, struct timespec* now) {
    if (clock != CLOCK_THREAD_CPUTIME_ID) {
        return (int)syscall(SYS_clock_gettime, clock, now);
    }
    const long burnt = own == NULL ? 0 : own->burnt_ns;
    now->tv_sec = burnt / 1000000000;
    now->tv_nsec = burnt % 1000000000;
    if (own != NULL) {
        ++own->looks;
    }
    return 0;
}

/* Thread 1 waits for thread 0 in every region, and some runtimes spin: once its clock was looked at
 * after its share, it runs on. A recorder that never looks is waited for once, and gets it wrong. */
static void let_the_other_spin(long looks) {
    static long patience_ns = 10000000000L;
    const long give_up_ns = monotonic_ns() + patience_ns;
    while (clocks[1].looks == looks) {
        sched_yield();
        if (monotonic_ns() > give_up_ns) {
            patience_ns = 0;
            break;
        }
    }
    clocks[1].burnt_ns += 2000000;
}

/* Real time passes too, or a region's elapsed time would be shorter than the busy time in it. */
static void burn(long part) {
    static atomic_long looks_of_the_other;
    static atomic_int burnt_by_the_other;
    const int thread = omp_get_thread_num();
    const long ns = (thread == 0 ? 3000000 : 1000000) / part;
    const struct timespec pause = {0, ns};
    nanosleep(&pause, NULL);
    own = &clocks[thread];
    own->burnt_ns += ns;
    if (thread == 1) {
        looks_of_the_other = own->looks;
        burnt_by_the_other = 1;
    } else {
        while (!burnt_by_the_other) {
            sched_yield();
        }
        burnt_by_the_other = 0;
        if (waits_spin) {
            let_the_other_spin(looks_of_the_other);
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2)
        burn(1);
    }
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2)
        {
            burn(2);
#pragma omp barrier
            burn(2);
        }
    }
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
        for (int k = 0; k < 2; ++k) {
            burn(1);
        }
    }
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2)
        {
#pragma omp parallel num_threads(2)
            sched_yield(); /* GCC leaves out a region that does nothing */
            burn(1);
        }
    }
    int tasks = 0;
    /* Some runtimes wait for the tasks first and for the other thread then: between the two a thread
     * is busy, and what it burnt there would count. */
    waits_spin = 0;
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2) reduction(task, + : tasks)
        {
#pragma omp task in_reduction(+ : tasks)
            ++tasks;
            burn(1);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return tasks == 60 ? 0 : 1;
}
