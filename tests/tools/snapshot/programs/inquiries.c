// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Inquiries by the thousand from known places, most of which the recorder does not time.
//   inquiries THREADS
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS = 3000, SIZES = 4000, FEW = 50, PAUSED = 500, PLACES = 7 };

/// For HALOCLINE_SNAPSHOT_CLOCK: a call that is timed takes 100 ns.
unsigned long long counting_clock(void) {
    static _Thread_local unsigned long long now;
    return now += 100;
}

// The constant keeps the compiler from making one place of several.
#define ASK_SIZE(place)                        \
    case place:                                \
        MPI_Comm_size(MPI_COMM_WORLD, &value); \
        __asm__ volatile("" ::"i"(place));     \
        break

static void* ask(void* unused) {
    int value = 0;
    for (int i = 0; i < ROUNDS; ++i) {
        MPI_Comm_rank(MPI_COMM_WORLD, &value);
        if (i % 3 == 0) {
            MPI_Comm_rank(MPI_COMM_SELF, &value);
        }
    }
    for (int i = 0; i < SIZES; ++i) {
        switch (i % PLACES) {
            ASK_SIZE(0);
            ASK_SIZE(1);
            ASK_SIZE(2);
            ASK_SIZE(3);
            ASK_SIZE(4);
            ASK_SIZE(5);
            ASK_SIZE(6);
        }
    }
    for (int i = 0; i < FEW; ++i) {
        MPI_Type_size(MPI_INT, &value);
    }
    return unused;
}

int main(int argc, char** argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 1;
    int provided = 0, value = 0;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    pthread_t others[16];
    for (int i = 1; i < threads; ++i) {
        pthread_create(&others[i], NULL, ask, NULL);
    }
    ask(NULL);
    for (int i = 1; i < threads; ++i) {
        pthread_join(others[i], NULL);
    }
    MPI_Pcontrol(0);
    for (int i = 0; i < PAUSED; ++i) {
        MPI_Comm_rank(MPI_COMM_WORLD, &value);
    }
    MPI_Pcontrol(1);
    MPI_Finalize();
    return 0;
}
