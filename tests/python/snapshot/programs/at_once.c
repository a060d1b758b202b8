/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Two threads inside MPI at the same time, in virtual time on one rank: the main thread from 0.0 to 0.8 s,
 * the other one from 0.2 to 1.0 s. Then 1.0 s of work. They wait in reduction operators and not for
 * messages, because threads that poll may keep each other out of MPI for ever. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic unsigned long long now = 1000000000ull;
static _Atomic int looks[3], go; /* how often a thread looked at the clock */
static _Thread_local int self = 2;

unsigned long long virtual_now(void) {
    ++looks[self];
    return now;
}

static void wait_for_look(int thread, int before) {
    while (looks[thread] == before) {
        usleep(1000);
    }
}

/* The clock is looked at before the call of MPI and after it. */
static void first(void* in, void* out, int* count, MPI_Datatype* type) {
    const int before = looks[1];
    now += 200000000ull;
    go = 1;
    wait_for_look(1, before);
    now += 600000000ull;
}

static int looks_inside_first;

static void second(void* in, void* out, int* count, MPI_Datatype* type) {
    wait_for_look(0, looks_inside_first);
    now += 200000000ull;
}

static void reduce(MPI_Op op) {
    int in = 1, out = 1;
    MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
}

static void* other(void* op) {
    self = 1;
    while (!go) {
        usleep(1000);
    }
    looks_inside_first = looks[0];
    reduce(*(MPI_Op*)op);
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Op operators[2];
    pthread_t thread;
    self = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Op_create(first, 1, &operators[0]);
    MPI_Op_create(second, 1, &operators[1]);
    pthread_create(&thread, NULL, other, &operators[1]);
    reduce(operators[0]);
    pthread_join(thread, NULL);
    now += 1000000000ull;
    MPI_Finalize();
    return 0;
}
