/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Two ranks work for a second, then each waits for a message that nobody sends. Time is virtual: six more
 * seconds pass while they wait. When the files of both ranks say so, rank 1 ends itself, by the signal
 * that the first argument names: KILL or TERM. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic unsigned long long now = 1000000000ull, looks;
static _Thread_local int is_main;
static int signal_number;

unsigned long long virtual_now(void) {
    looks += is_main;
    return now;
}

static int says_so(int rank) {
    static char text[1 << 18];
    char path[2000];
    snprintf(path, sizeof path, "%s/rank-%d.json", getenv("HALOCLINE_SNAPSHOT_DIR"), rank);
    FILE* file = fopen(path, "r");
    const size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return strstr(text, "\"since_ns\":6000000000") != NULL;
}

static void* let_time_pass(void* last_looks) {
    const unsigned long long before = *(unsigned long long*)last_looks;
    while (looks == before) { /* the main thread is not inside yet */
        usleep(1000);
    }
    now += 6000000000ull;
    while (signal_number != 0 && !(says_so(0) && says_so(1))) {
        usleep(10000);
    }
    if (signal_number != 0) {
        kill(getpid(), signal_number);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int rank, message;
    pthread_t other;
    is_main = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal_number = rank == 0 ? 0 : strcmp(argv[1], "TERM") == 0 ? SIGTERM : SIGKILL;
    MPI_Barrier(MPI_COMM_WORLD);
    now += 1000000000ull;
    unsigned long long before = looks;
    pthread_create(&other, NULL, let_time_pass, &before);
    MPI_Recv(&message, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
