// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flips the last byte of large messages on their way: a broken transport, for tests.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const int damaged_from = 4096;

/// A copy of the message with one byte changed; never freed, tests are short.
static const void* damaged(const void* data, int bytes) {
    char* copy = malloc((size_t)bytes);
    memcpy(copy, data, (size_t)bytes);
    copy[bytes - 1] ^= 1;
    return copy;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    if (type == MPI_BYTE && count >= damaged_from) {
        data = damaged(data, count);
    }
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    if (type == MPI_BYTE && count >= damaged_from) {
        data = damaged(data, count);
    }
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}
