// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Changes a bit of every message when its persistent request is made anew: a broken transport, for
// tests. Halo messages are sent from the same memory each time, packed before MPI_Start.
#include <mpi.h>

enum { most_requests = 64 };
static struct {
    MPI_Request request;
    double* data;
} sends[most_requests];
static int count = 0;

int MPI_Send_init(const void* data, int size, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    const int status = PMPI_Send_init(data, size, type, to, tag, comm, request);
    if (count < most_requests && size > 0) {
        sends[count].request = *request;
        sends[count++].data = (double*)data;
    }
    return status;
}

/// Handles are used again: a request that is gone must not damage the memory of the next one.
int MPI_Request_free(MPI_Request* request) {
    for (int k = 0; k < count; ++k) {
        if (sends[k].request == *request) {
            sends[k--] = sends[--count];
        }
    }
    return PMPI_Request_free(request);
}

int MPI_Start(MPI_Request* request) {
    for (int k = 0; k < count; ++k) {
        if (sends[k].request == *request) {
            sends[k].data[0] += 0.5;
        }
    }
    return PMPI_Start(request);
}
