/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Levels of MPI_Pcontrol in virtual time, on two ranks. Level 1, from MPI_Init on: 1 s of work and a
 * barrier. Level 0: 6 s of which nothing may be seen. Level 2, twice: rank 0 works 1 s and rank 1 waits
 * for it. Level 5: 0.5 s of work. */
#include "virtual_time.h"

#include <mpi.h>

enum { SECOND = 1000000000 };

int main(int argc, char** argv) {
    int rank;
    double one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    virtual_work(SECOND);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    virtual_work(6ull * SECOND);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) {
        MPI_Pcontrol(2);
        virtual_work(rank == 0 ? SECOND : 0);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Pcontrol(5);
    virtual_work(SECOND / 2);
    MPI_Finalize();
    return 0;
}
