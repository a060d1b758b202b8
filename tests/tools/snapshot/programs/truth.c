/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Programs whose verdict is known: argument 1 names what holds them back, argument 2 a file to write.
 * Work is processor time, so that a busy machine gives nobody more of it; loops of messages end when
 * rank 0 says so after SECONDS, so that a slow machine makes them no longer. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 0.8
enum { LARGE = 4 << 20, STEPS = 10, THREADS = 3 };

static int rank, size;
static char *large_out, *large_in;
static double begin_s;

static void work(double milliseconds) {
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1e3 + (now.tv_nsec - begin.tv_nsec) / 1e6 <
             milliseconds);
}

/* Said by rank 0 with every message; looked at seldom, or the clock would be what is measured. */
static double more(int step, int every) {
    static double answer = 1;
    if (rank == 0 && step % every == 0) {
        answer = MPI_Wtime() - begin_s < SECONDS;
    }
    return answer;
}

static double allreduce(double value) {
    double least;
    MPI_Allreduce(&value, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

static void computing(void) { work(800); }

static void imbalance(void) {
    for (int step = 0; step < STEPS; ++step) {
        work(rank == size - 1 ? 100 : 20);
        allreduce(1);
    }
}

static void turns(void) {
    for (int step = 0; step < 2 * STEPS; ++step) {
        work(rank == step % size ? 50 : 5);
        allreduce(1);
    }
}

/* Rank 0 does all the work, the others get what comes of it. */
static void serial(void) {
    double result = 1;
    for (int step = 0; step < STEPS; ++step) {
        if (rank == 0) {
            work(80);
            for (int to = 1; to < size; ++to) {
                MPI_Send(&result, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
            }
        } else {
            MPI_Recv(&result, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

static void pingpong(void) {
    double go = 1;
    for (int step = 0; go; ++step) {
        if (rank == 0) {
            go = more(step, 64);
            MPI_Send(&go, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&go, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&go, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&go, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
    }
}

static void sendrecv(void) {
    double mine = 1, other = 1;
    for (int step = 0; mine && other; ++step) {
        mine = more(step, 64);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, 1 - rank, 0, &other, 1, MPI_DOUBLE, 1 - rank, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void nonblocking(void) {
    double mine = 1, other = 1;
    for (int step = 0; mine && other; ++step) {
        MPI_Request requests[2];
        mine = more(step, 64);
        MPI_Irecv(&other, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&mine, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void bandwidth(void) {
    large_in[0] = 1;
    for (int step = 0; large_out[0] && large_in[0]; ++step) {
        large_out[0] = (char)more(step, 1);
        MPI_Sendrecv(large_out, LARGE, MPI_CHAR, 1 - rank, 0, large_in, LARGE, MPI_CHAR, 1 - rank,
                     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void collectives(void) {
    for (int step = 0; allreduce(more(step, 64)); ++step) {
    }
}

static void transpose(void) {
    for (int step = 0; allreduce(more(step, 1)); ++step) {
        MPI_Alltoall(large_out, LARGE / size, MPI_CHAR, large_in, LARGE / size, MPI_CHAR,
                     MPI_COMM_WORLD);
    }
}

static void files(const char* path) {
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", path, rank);
    const int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    for (double go = 1; go;) {
        for (int piece = 0; piece < 16; ++piece) {
            if (pwrite(file, large_out, LARGE, 0) != LARGE) {
                exit(3);
            }
        }
        go = allreduce(more(0, 1));
    }
    close(file);
}

static void mpi_files(const char* path) {
    MPI_File file;
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", path, rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (double go = 1; go;) {
        for (int piece = 0; piece < 16; ++piece) {
            MPI_File_write_at(file, 0, large_out, LARGE, MPI_CHAR, MPI_STATUS_IGNORE);
        }
        go = allreduce(more(0, 1));
    }
    MPI_File_close(&file);
}

static void* one_thread(void* unused) {
    work(300);
    return unused;
}

/* Threads that no OpenMP runtime knows of, all at once. */
static void threads(void) {
    pthread_t others[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        pthread_create(&others[i], NULL, one_thread, NULL);
    }
    work(300);
    work(300); /* the others live as long as somebody looks at them */
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(others[i], NULL);
    }
}

static void sleeping(void) {
    for (int step = 0; step < STEPS; ++step) {
        const struct timespec pause = {0, 60000000};
        nanosleep(&pause, NULL);
        work(5);
    }
}

/* Each waits for the other, which never sends. */
static void deadlock(void) {
    double never;
    work(100);
    MPI_Recv(&never, 1, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    const struct {
        const char* name;
        void (*run)(void);
    } programs[] = {
        {"computing", computing}, {"imbalance", imbalance},     {"turns", turns},
        {"serial", serial},       {"pingpong", pingpong},       {"sendrecv", sendrecv},
        {"bandwidth", bandwidth}, {"nonblocking", nonblocking}, {"transpose", transpose},
        {"threads", threads},     {"collectives", collectives}, {"sleeping", sleeping},
        {"deadlock", deadlock}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    large_out = malloc(LARGE);
    large_in = malloc(LARGE);
    memset(large_out, 1, LARGE);
    memset(large_in, 1, LARGE);
    MPI_Barrier(MPI_COMM_WORLD);
    begin_s = MPI_Wtime();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i) {
        if (strcmp(argv[1], programs[i].name) == 0) {
            programs[i].run();
        }
    }
    if (strcmp(argv[1], "files") == 0) {
        files(argv[2]);
    } else if (strcmp(argv[1], "mpi_files") == 0) {
        mpi_files(argv[2]);
    }
    MPI_Finalize();
    return 0;
}
