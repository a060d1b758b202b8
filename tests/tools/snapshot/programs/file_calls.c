/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Reads and writes of known sizes by the C library's functions; pipes and what MPI reads do not count. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char** argv) {
    char data[1000] = "", line[100];
    int ends[2];
    MPI_Init(&argc, &argv);
    int file = open("descriptor.data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (write(file, data, 1000) != 1000 || pwrite(file, data, 500, 100) != 500 ||
        pread(file, data, 700, 0) != 700 || read(file, data, 10) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    struct iovec parts[2] = {{data, 30}, {data, 40}};
    if (writev(file, parts, 2) != 70) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    fsync(file);
    close(file);
    FILE* stream = fopen("stream.data", "w+");
    fwrite(data, 10, 20, stream);
    fprintf(stream, "%s\n", "twelve chars");
    fputs("five\n", stream);
    fflush(stream);
    rewind(stream);
    if (fread(data, 1, 200, stream) != 200 || fgets(line, sizeof line, stream) == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    fclose(stream);
    /* the same descriptor number, now a pipe */
    if (pipe(ends) != 0 || write(ends[1], data, 999) != 999 || read(ends[0], data, 999) != 999) {
        MPI_Abort(MPI_COMM_WORLD, 4);
    }
    MPI_Finalize();
    return 0;
}
