/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Ways in which a program can end, and things it does that a recorder must not disturb. The first
 * argument says which; ../check_ends.py knows what the rank files must say. */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank;
static volatile sig_atomic_t terminated, interrupted, user;

static void on_terminate(int number) { terminated += number == SIGTERM; }
static void on_user(int number, siginfo_t* info, void* context) {
    user += number == SIGUSR1 && info && context;
}
static void on_interrupt(int number) { interrupted += number == SIGINT; }

static void require(int condition, const char* what) {
    if (!condition) {
        fprintf(stderr, "rank %d: %s\n", rank, what);
        _Exit(77);
    }
}

static void work(void) {
    double one = 1, sum;
    for (int i = 0; i < 10; ++i) {
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Returns when the file of rank 0, which the recorder replaces from time to time, holds a word. */
static void wait_for_rank_0(const char* word) {
    static char text[1 << 18];
    char path[2000];
    size_t length = 0;
    snprintf(path, sizeof path, "%s/rank-0.json", getenv("HALOCLINE_SNAPSHOT_DIR"));
    do {
        usleep(10000);
        FILE* file = fopen(path, "r");
        length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
        text[length] = '\0';
        if (file != NULL) {
            fclose(file);
        }
    } while (strstr(text, word) == NULL);
}

/* Handlers installed before and after MPI_Init run, and sigaction tells the program of its own ones. */
static void handle_signals(void) {
    struct sigaction wanted, before;
    memset(&wanted, 0, sizeof wanted);
    raise(SIGINT);
    require(interrupted == 1, "the handler from before MPI_Init did not run");
    require(signal(SIGTERM, on_terminate) == SIG_DFL, "signal did not return SIG_DFL");
    raise(SIGTERM);
    require(terminated == 1, "the handler of SIGTERM did not run");
    require(signal(SIGTERM, SIG_IGN) == on_terminate,
            "signal did not return the program's handler");
    raise(SIGTERM);
    wanted.sa_sigaction = on_user;
    wanted.sa_flags = SA_SIGINFO;
    require(sigaction(SIGUSR1, &wanted, NULL) == 0, "sigaction failed");
    require(sigaction(SIGUSR1, NULL, &before) == 0, "sigaction failed to ask");
    require(before.sa_sigaction == on_user, "sigaction did not return the program's handler");
    raise(SIGUSR1);
    require(user == 1, "the handler of SIGUSR1 did not run");
}

static void start_children(void) {
    const pid_t child = fork();
    if (child == 0) {
        FILE* file = fopen("child.txt", "w");
        fprintf(file, "child\n");
        exit(0); /* runs destructors: must not write the file of a rank */
    }
    int status;
    require(waitpid(child, &status, 0) == child && status == 0, "the child failed");
    require(system("true") == 0, "system failed");
    FILE* pipe = popen("echo hello", "r");
    char text[20] = "";
    require(pipe != NULL && fgets(text, sizeof text, pipe) != NULL, "popen failed");
    require(pclose(pipe) == 0 && strcmp(text, "hello\n") == 0, "the pipe brought something else");
    const pid_t light = vfork();
    if (light == 0) {
        _exit(5);
    }
    require(waitpid(light, &status, 0) == light && WEXITSTATUS(status) == 5, "vfork failed");
}

static void trap_floating_point(void) {
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    for (int i = 0; i < 60; ++i) { /* long enough for files to be written meanwhile */
        work();
        usleep(10000);
    }
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "finalize";
    signal(SIGINT, on_interrupt);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work();
    if (strcmp(way, "exit") == 0) {
        exit(0);
    } else if (strcmp(way, "quick") == 0) {
        _exit(0);
    } else if (strcmp(way, "abort") == 0 && rank == 1) {
        MPI_Abort(MPI_COMM_WORLD, 7);
    } else if (strcmp(way, "terminate") == 0) {
        raise(SIGTERM);
    } else if (strcmp(way, "crash") == 0 && rank == 1) {
        wait_for_rank_0("\"MPI_Barrier\"");
        *(volatile int*)16 = 1;
    } else if (strcmp(way, "kill") == 0 && rank == 1) {
        wait_for_rank_0("\"MPI_Barrier\"");
        raise(SIGKILL);
    } else if (strcmp(way, "last") == 0 && rank == 1) {
        wait_for_rank_0("\"finalize\"");
        raise(SIGKILL);
    } else if (strcmp(way, "last") == 0) {
        MPI_Finalize(); /* where rank 1 never comes */
        return 0;
    } else if (strcmp(way, "handlers") == 0) {
        handle_signals();
    } else if (strcmp(way, "children") == 0) {
        start_children();
    } else if (strcmp(way, "traps") == 0) {
        trap_floating_point();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
