/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Loads what stands in for the CUDA driver (fake_driver.c, first argument) and sends from memory that
 * it calls device memory. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, size;
    void* driver = dlopen(argv[1], RTLD_NOW);
    void* (*make)(size_t) =
        driver == NULL ? NULL : (void* (*)(size_t))dlsym(driver, "fake_device_memory");
    if (make == NULL) {
        return 3;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char* device = make(4096);
    char host[4096] = "";
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Sendrecv(device, 100, MPI_CHAR, next, 0, host, 100, MPI_CHAR, prev, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(host, 50, MPI_CHAR, next, 0, device, 50, MPI_CHAR, prev, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Irecv(device + 512, 300, MPI_CHAR, prev, 1, MPI_COMM_WORLD, &request);
    MPI_Send(host, 200, MPI_CHAR, next, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, device, 64, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
