/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A fixed tour through the families of MPI calls; ../tour_expected.py knows its counts and bytes. The
 * programs tour_*.f, .f90 make the same calls. Also compiled as C++ (tour.cpp). Checks its data.
 * Argument: a file to write. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, next, prev;

static void check(int condition, const char* what) {
    if (!condition) {
        fprintf(stderr, "rank %d: wrong data after %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
}

static void point_to_point(void) {
    double out[3] = {1.0 * rank, 1, 2}, in[3] = {0, 0, 0};
    MPI_Sendrecv(out, 3, MPI_DOUBLE, next, 1, in, 3, MPI_DOUBLE, prev, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check(in[0] == prev, "Sendrecv");

    int sent[5] = {rank, 1, 2, 3, 4}, room[50];
    MPI_Request requests[2];
    MPI_Irecv(room, 50, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 5, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check(room[0] == prev, "Waitall");

    char text[7] = {'h', 'a', 'l', 'o', 'c', 'l', '\0'}, got[100];
    MPI_Request request;
    MPI_Isend(text, 7, MPI_CHAR, rank, 3, MPI_COMM_WORLD, &request);
    MPI_Recv(got, 100, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(got[3] == 'o', "Recv");

    MPI_Isend(text, 5, MPI_CHAR, rank, 4, MPI_COMM_WORLD, &request);
    MPI_Status status;
    MPI_Probe(rank, 4, MPI_COMM_WORLD, &status);
    MPI_Recv(got, 100, MPI_CHAR, rank, 4, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, &status);
}

static void persistent(void) {
    double out[4] = {1.0 * rank, 1, 2, 3}, in[8];
    MPI_Request requests[2];
    MPI_Send_init(out, 4, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 8, MPI_DOUBLE, prev, 5, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; ++i) {
        MPI_Start(&requests[1]);
        MPI_Start(&requests[0]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        check(in[0] == prev, "Start");
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void rooted_collectives(void) {
    int six[6] = {rank, 0, 0, 0, 0, 0};
    MPI_Bcast(six, 6, MPI_INT, 0, MPI_COMM_WORLD);
    check(six[0] == 0, "Bcast");

    double two[2] = {1.0 * rank, 1}, sum[2];
    if (rank == size - 1) {
        MPI_Reduce(MPI_IN_PLACE, two, 2, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
        check(two[1] == size, "Reduce");
    } else {
        MPI_Reduce(two, sum, 2, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
    }

    int three[3] = {rank, rank, rank};
    int* all = (int*)calloc((size_t)(3 * size), sizeof(int));
    if (rank == 0) {
        all[0] = all[1] = all[2] = 0;
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 3, MPI_INT, 0, MPI_COMM_WORLD);
        check(all[3 * (size - 1)] == size - 1, "Gather");
        MPI_Scatter(all, 3, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    } else {
        MPI_Gather(three, 3, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, three, 3, MPI_INT, 0, MPI_COMM_WORLD);
        check(three[0] == rank, "Scatter");
    }
    free(all);
}

static void all_to_all_collectives(void) {
    double two[2] = {1.0, 2.0};
    for (int i = 0; i < 3; ++i) {
        MPI_Allreduce(MPI_IN_PLACE, two, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    const size_t room = (size_t)(size * (size + 1) * 2);
    int* out = (int*)calloc(room, sizeof(int));
    int* in = (int*)calloc(room, sizeof(int));
    int* counts = (int*)calloc((size_t)size, sizeof(int));
    int* places = (int*)calloc((size_t)size, sizeof(int));
    int* received = (int*)calloc((size_t)size, sizeof(int));
    int* received_places = (int*)calloc((size_t)size, sizeof(int));
    in[2 * rank] = in[2 * rank + 1] = rank;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, MPI_COMM_WORLD);
    check(in[2 * (size - 1)] == size - 1, "Allgather");

    double* doubles = (double*)calloc((size_t)(4 * size), sizeof(double));
    MPI_Alltoall(doubles, 2, MPI_DOUBLE, doubles + 2 * size, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    free(doubles);

    /* rank r sends i + 1 numbers to rank i, so it gets r + 1 from each */
    for (int i = 0, at = 0; i < size; at += i + 1, ++i) {
        counts[i] = i + 1;
        places[i] = at;
        received[i] = rank + 1;
        received_places[i] = i * (rank + 1);
    }
    MPI_Alltoallv(out, counts, places, MPI_INT, in, received, received_places, MPI_INT,
                  MPI_COMM_WORLD);
    /* rank r contributes r + 1 numbers */
    MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);

    double one = 1, prefix = 0;
    MPI_Scan(&one, &prefix, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(prefix == rank + 1, "Scan");
    MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(out);
    free(in);
    free(counts);
    free(places);
    free(received);
    free(received_places);
}

static void nonblocking_collectives(void) {
    double four[4] = {1, 1, 1, 1}, sum[4];
    MPI_Request request;
    MPI_Iallreduce(four, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(sum[3] == size, "Iallreduce");
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void communicators(void) {
    MPI_Comm half, copy;
    int one = 1, sum = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
}

static void neighbours(void) {
    MPI_Comm ring;
    int sizes[1], periods[1] = {1};
    int out[4] = {rank, rank, rank, rank}, in[4];
    double one = rank, two[2];
    sizes[0] = size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &ring);
    MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring);
    MPI_Neighbor_allgather(&one, 1, MPI_DOUBLE, two, 1, MPI_DOUBLE, ring);
    check(two[0] == prev && two[1] == next, "Neighbor_allgather");
    MPI_Comm_free(&ring);
}

static void one_sided(void) {
    if (size == 1) {
        return; /* Open MPI 4.1 makes no windows on one process */
    }
    double window[10] = {0}, out[2] = {1.0 * rank, 1}, in[3];
    MPI_Win win;
    MPI_Win_create(window, sizeof window, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(out, 2, MPI_DOUBLE, next, 0, 2, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    check(window[0] == prev, "Put");
    MPI_Get(in, 3, MPI_DOUBLE, next, 0, 3, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    check(in[0] == rank, "Get");
    MPI_Accumulate(out, 1, MPI_DOUBLE, next, 5, 1, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void datatypes(void) {
    MPI_Datatype four;
    MPI_Request request;
    int out[8] = {0}, in[8];
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_commit(&four);
    MPI_Isend(out, 2, four, next, 6, MPI_COMM_WORLD, &request);
    MPI_Recv(in, 8, MPI_INT, prev, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&four);
}

static void files(const char* path) {
    MPI_File file;
    int out[8] = {0}, in[8];
    out[0] = rank;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, (MPI_Offset)rank * 32, out, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, (MPI_Offset)rank * 32, in, 8, MPI_INT, MPI_STATUS_IGNORE);
    check(in[0] == rank, "File_read_at_all");
    MPI_File_close(&file);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    point_to_point();
    persistent();
    rooted_collectives();
    all_to_all_collectives();
    nonblocking_collectives();
    communicators();
    neighbours();
    one_sided();
    datatypes();
    files(argc > 1 ? argv[1] : "tour.data");
    MPI_Finalize();
    return 0;
}
