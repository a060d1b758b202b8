/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A library between the recorder and MPI, in which time passes by arithmetic: work takes what it is
 * told to take, and a call ends CALL_NS after the last of its partners has begun it. What a recorder
 * finds is then known to the nanosecond, however busy the machine is.
 *
 * Only calls on MPI_COMM_WORLD, and only the functions below, keep time. */
#define _GNU_SOURCE
#include "virtual_time.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>

static _Atomic unsigned long long now = 1000000000;

unsigned long long virtual_now(void) { return atomic_load(&now); }

void virtual_work(unsigned long long ns) { atomic_fetch_add(&now, ns); }

typedef int allreduce_t(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
typedef int barrier_t(MPI_Comm);
typedef int send_t(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int recv_t(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
typedef int finalize_t(void);

#define REAL(type, name) \
    static type* real;   \
    if (!real)           \
    *(void**)&real = dlsym(RTLD_NEXT, name)

enum { TIME_TAG = 31000 };

static void wait_for_all(void) {
    REAL(allreduce_t, "PMPI_Allreduce");
    unsigned long long own = now, last;
    real(&own, &last, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    now = last + CALL_NS;
}

int PMPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    REAL(allreduce_t, "PMPI_Allreduce");
    const int code = real(send, receive, count, type, op, comm);
    if (comm == MPI_COMM_WORLD) {
        wait_for_all();
    }
    return code;
}

int PMPI_Barrier(MPI_Comm comm) {
    REAL(barrier_t, "PMPI_Barrier");
    const int code = real(comm);
    if (comm == MPI_COMM_WORLD) {
        wait_for_all();
    }
    return code;
}

/* A receive ends after its send began, a send when it has begun. */
int PMPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    REAL(send_t, "PMPI_Send");
    unsigned long long begun = now;
    const int code = real(data, count, type, to, tag, comm);
    real(&begun, 1, MPI_UNSIGNED_LONG_LONG, to, TIME_TAG, comm);
    now = begun + CALL_NS;
    return code;
}

int PMPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status* status) {
    REAL(recv_t, "PMPI_Recv");
    unsigned long long sent;
    const int code = real(data, count, type, from, tag, comm, status);
    real(&sent, 1, MPI_UNSIGNED_LONG_LONG, from, TIME_TAG, comm, MPI_STATUS_IGNORE);
    now = (sent > now ? sent : now) + CALL_NS;
    return code;
}

int PMPI_Finalize(void) {
    REAL(finalize_t, "PMPI_Finalize");
    wait_for_all();
    return real();
}
