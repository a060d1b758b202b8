// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Communicates a little, then rank 1 ends as it is told: abort, exit, crash, kill or fine.
//   ending HOW [EXIT CODE]
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Returns when the recorder has replaced this rank's file twice: the second file was begun after the
// first was ready, so it holds all that was done before. Who is killed without warning leaves that.
static void wait_for_file(int rank) {
    const char* folder = getenv("HALOCLINE_SNAPSHOT_DIR");
    char path[2000];
    struct stat before = {0}, now = {0};
    if (folder == NULL)
        return;
    snprintf(path, sizeof path, "%s/rank-%d.json", folder, rank);
    stat(path, &before);
    for (int changes = 0; changes < 2;) {
        usleep(10000);
        if (stat(path, &now) == 0 && now.st_ino != before.st_ino) {
            before = now;
            ++changes;
        }
    }
}

static void end(const char* how) {
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(how, "exit") == 0)
        _exit(9);
    if (strcmp(how, "crash") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double sum = rank;
    for (int step = 0; step < 60; ++step) {
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    const int code = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 1 && strcmp(argv[1], "fine") != 0) {
        if (rank == 1) {
            wait_for_file(rank);
            end(argv[1]);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return code;
}
