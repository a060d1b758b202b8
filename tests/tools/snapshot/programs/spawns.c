/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * One rank starts another process by MPI_Comm_spawn and sends it 12 bytes; 8 come back. */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Comm parent, child;
    int data[3] = {1, 2, 3};
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child,
                       MPI_ERRCODES_IGNORE);
        MPI_Send(data, 3, MPI_INT, 0, 0, child);
        MPI_Recv(data, 2, MPI_INT, 0, 0, child, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&child);
    } else {
        MPI_Recv(data, 3, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE);
        MPI_Send(data, 2, MPI_INT, 0, 0, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
