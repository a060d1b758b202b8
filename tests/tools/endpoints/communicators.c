/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Makes, uses and frees many communicators, and holds many at once: duplicates must not pile up.
 *
 *   communicators CYCLES HELD */
#include "check.h"

enum { COUNT = 1200 };

static double buffer[COUNT];

static void use(MPI_Comm communicator) {
    for (int i = 0; i < COUNT; ++i) {
        buffer[i] = i + 1.0;
    }
    MPI_Allreduce(MPI_IN_PLACE, buffer, COUNT, MPI_DOUBLE, MPI_SUM, communicator);
    CHECK(buffer[0] == ranks && buffer[COUNT - 1] == (double)COUNT * ranks);
}

static int copies_refused; /* attribute copying must never run for the tool's communicators */

static int count_copies(MPI_Comm c, int key, void* extra, void* in, void* out, int* flag) {
    (void)c;
    (void)key;
    (void)extra;
    (void)in;
    (void)out;
    ++copies_refused;
    *flag = 0;
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int cycles = argc > 1 ? atoi(argv[1]) : 100;
    const int held = argc > 2 ? atoi(argv[2]) : 10;
    int key;
    MPI_Comm_create_keyval(count_copies, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    for (int cycle = 0; cycle < cycles; ++cycle) {
        MPI_Comm made;
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made);
        MPI_Comm_set_attr(made, key, NULL);
        use(made);
        MPI_Comm_free(&made);
    }
    CHECK(copies_refused == 0);
    MPI_Comm* many = malloc(sizeof(MPI_Comm) * (size_t)(held + 1));
    for (int k = 0; k < held; ++k) {
        MPI_Comm_dup(MPI_COMM_WORLD, &many[k]);
        use(many[k]);
    }
    for (int k = 0; k < held; k += 2) { /* the others are left to MPI_Finalize */
        MPI_Comm_free(&many[k]);
    }
    free(many);
    MPI_Comm_free_keyval(&key);
    const int code = conclude();
    MPI_Finalize();
    return code;
}
