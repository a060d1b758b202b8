/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A program without MPI that loads a plugin with MPI out of sight (RTLD_LOCAL), as Python does. The same
 * source makes both: -DPLUGIN the plugin. First argument: the plugin. */
#ifdef PLUGIN
#include <mpi.h>
#include <stddef.h>

int run(void) {
    int rank, size, got = -1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return got == (rank + size - 1) % size ? 0 : 1;
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(void) = plugin == NULL ? NULL : (int (*)(void))dlsym(plugin, "run");
    if (run == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    return run();
}
#endif
