/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * The rarer calls, in C, on two ranks or more; ../check_extras.py knows their counts and bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, next, prev;
static MPI_Comm world;
static int room[400], data[400];

static void matched_probes(void) {
    MPI_Request send, receive;
    MPI_Message message;
    int flag = 0;
    MPI_Isend(data, 6, MPI_INT, next, 1, world, &send);
    MPI_Mprobe(prev, 1, world, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(room, 20, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Isend(data, 3, MPI_INT, next, 2, world, &send);
    while (!flag) {
        MPI_Improbe(MPI_ANY_SOURCE, 2, world, &flag, &message, MPI_STATUS_IGNORE);
    }
    MPI_Imrecv(room, 20, MPI_INT, &message, &receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void started_together(void) {
    double out[2] = {1, 2}, in[4];
    MPI_Request requests[2];
    MPI_Send_init(out, 2, MPI_DOUBLE, next, 3, world, &requests[0]);
    MPI_Recv_init(in, 4, MPI_DOUBLE, prev, 3, world, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void modes_of_sending(void) {
    static char buffer[4096];
    char out[10] = "halocline", in[10];
    void* detached;
    int bytes;
    MPI_Request receives[6], sends[3];
    for (int i = 0; i < 6; ++i) {
        MPI_Irecv(in, 10, MPI_CHAR, prev, 10 + i, world, &receives[i]);
    }
    MPI_Barrier(world);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(out, 10, MPI_CHAR, next, 10, world);
    MPI_Ssend(out, 9, MPI_CHAR, next, 11, world);
    MPI_Rsend(out, 8, MPI_CHAR, next, 12, world);
    MPI_Ibsend(out, 7, MPI_CHAR, next, 13, world, &sends[0]);
    MPI_Issend(out, 6, MPI_CHAR, next, 14, world, &sends[1]);
    MPI_Irsend(out, 5, MPI_CHAR, next, 15, world, &sends[2]);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(6, receives, MPI_STATUSES_IGNORE);
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Sendrecv_replace(data, 3, MPI_INT, next, 16, prev, 16, world, MPI_STATUS_IGNORE);
    MPI_Send(out, 10, MPI_CHAR, MPI_PROC_NULL, 1, world);
    MPI_Recv(in, 10, MPI_CHAR, MPI_PROC_NULL, 1, world, MPI_STATUS_IGNORE);
}

static void post_pair(MPI_Request* requests, int tag) {
    MPI_Irecv(room, 10, MPI_INT, prev, tag, world, &requests[0]);
    MPI_Irecv(room + 50, 10, MPI_INT, prev, tag + 1, world, &requests[1]);
    MPI_Send(data, 1, MPI_INT, next, tag, world);
    MPI_Send(data, 2, MPI_INT, next, tag + 1, world);
}

static void ways_of_completing(void) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int index, flag, count, indices[2], done;
    post_pair(requests, 20);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    post_pair(requests, 22);
    for (done = 0; done < 2; done += count) {
        MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    }
    post_pair(requests, 24);
    for (flag = 0; !flag;) {
        MPI_Testall(2, requests, &flag, statuses);
    }
    post_pair(requests, 26);
    for (done = 0; done < 2;) {
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        done += flag && index != MPI_UNDEFINED;
    }
    post_pair(requests, 28);
    for (done = 0; done < 2; done += count) {
        MPI_Testsome(2, requests, &count, indices, statuses);
    }
    post_pair(requests, 30);
    for (int i = 0; i < 2; ++i) {
        for (flag = 0; !flag;) {
            MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        }
    }
    MPI_Irecv(room, 10, MPI_INT, prev, 999, world, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &statuses[0]);
    MPI_Test_cancelled(&statuses[0], &flag);
}

static int counts[64], places[64], more_counts[64], more_places[64];
static MPI_Datatype types[64];

static void varied_collectives(void) {
    for (int i = 0; i < size; ++i) {
        counts[i] = i + 1;
        places[i] = i * size;
    }
    if (rank == 0) {
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, room, counts, places, MPI_INT, 0, world);
        MPI_Scatterv(room, counts, places, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, world);
    } else {
        MPI_Gatherv(data, rank + 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, world);
        MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, data, rank + 1, MPI_INT, 0, world);
    }
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, room, 2, MPI_INT, world);
    for (int i = 0; i < size; ++i) {
        more_counts[i] = rank + i + 1;
        more_places[i] = 2 * size * i;
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, room, more_counts, more_places,
                  MPI_INT, world);
    for (int i = 0; i < size; ++i) {
        types[i] = i == rank ? MPI_INT : MPI_DOUBLE; /* one of these for each */
        more_counts[i] = 1;
        more_places[i] = 8 * i;
    }
    MPI_Alltoallw(data, more_counts, more_places, types, room, more_counts, more_places, types,
                  world);
    MPI_Reduce_scatter(data, room, counts, MPI_INT, MPI_SUM, world);
    MPI_Exscan(data, room, 2, MPI_INT, MPI_SUM, world);
}

static void nonblocking_collectives(void) {
    MPI_Request requests[8];
    static int parts[8][200];
    MPI_Ibcast(parts[0], 3, MPI_INT, 0, world, &requests[0]);
    MPI_Ireduce(data, parts[1], 4, MPI_INT, MPI_SUM, 0, world, &requests[1]);
    MPI_Igather(data, 2, MPI_INT, parts[2], 2, MPI_INT, 0, world, &requests[2]);
    MPI_Iscatter(data, 5, MPI_INT, parts[3], 5, MPI_INT, 0, world, &requests[3]);
    MPI_Iallgather(data, 6, MPI_INT, parts[4], 6, MPI_INT, world, &requests[4]);
    MPI_Ialltoall(data, 7, MPI_INT, parts[5], 7, MPI_INT, world, &requests[5]);
    MPI_Iscan(data, parts[6], 8, MPI_INT, MPI_SUM, world, &requests[6]);
    MPI_Ireduce_scatter_block(data, parts[7], 9, MPI_INT, MPI_SUM, world, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

static void topologies(void) {
    MPI_Comm ring, chain;
    MPI_Aint offsets[2] = {0, 8};
    int two[2] = {2, 2}, at[2] = {0, 4}, no[1] = {0};
    int dims[1];
    dims[0] = size;
    MPI_Datatype pair[2] = {MPI_INT, MPI_INT};
    MPI_Dist_graph_create_adjacent(world, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_alltoallv(data, two, at, MPI_INT, room, two, at, MPI_INT, ring);
    MPI_Neighbor_alltoallw(data, two, offsets, pair, room, two, offsets, pair, ring);
    MPI_Neighbor_allgatherv(data, 3, MPI_INT, room, (int[]){3}, at, MPI_INT, ring);
    MPI_Comm_free(&ring);
    /* open ends: two neighbours inside, one at the ends */
    MPI_Cart_create(world, 1, dims, no, 0, &chain);
    MPI_Neighbor_alltoall(data, 2, MPI_INT, room, 2, MPI_INT, chain);
    MPI_Comm_free(&chain);
}

/* Even ranks on one side, odd ranks on the other. */
static void inter_communicators(void) {
    MPI_Comm half, inter, merged;
    const int odd = rank % 2;
    int one = 1, sum = 0;
    MPI_Comm_split(world, odd, rank, &half);
    MPI_Intercomm_create(half, 0, world, odd ? 0 : 1, 40, &inter);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
    MPI_Bcast(room, 5, MPI_INT, odd ? 0 : (rank == 0 ? MPI_ROOT : MPI_PROC_NULL), inter);
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 0, 41, inter); /* world rank 1 */
    } else if (rank == 1) {
        MPI_Recv(room, 9, MPI_INT, 0, 41, inter, MPI_STATUS_IGNORE);
    }
    MPI_Intercomm_merge(inter, odd, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void freed_and_made_again(void) {
    for (int i = 0; i < 50; ++i) {
        MPI_Comm copy, part;
        int one = 1, sum;
        MPI_Comm_dup(world, &copy);
        MPI_Comm_split(copy, i % 2 == rank % 2, rank, &part);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part);
        MPI_Comm_free(&part);
        MPI_Comm_free(&copy);
    }
}

static void one_sided(void) {
    MPI_Win win;
    long* memory;
    long one = 1, zero = 0, got, several[3] = {1, 2, 3}, back[3];
    MPI_Request request;
    MPI_Win_allocate(80, 8, MPI_INFO_NULL, world, &memory, &win);
    memset(memory, 0, 80);
    MPI_Barrier(world);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    MPI_Put(several, 3, MPI_LONG, next, 0, 3, MPI_LONG, win);
    MPI_Win_flush(next, win);
    MPI_Win_unlock(next, win);
    MPI_Win_lock_all(0, win);
    MPI_Rput(several, 2, MPI_LONG, next, 3, 2, MPI_LONG, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_accumulate(several, 3, MPI_LONG, back, 3, MPI_LONG, next, 5, 3, MPI_LONG, MPI_SUM, win);
    MPI_Fetch_and_op(&one, &got, MPI_LONG, next, 8, MPI_SUM, win);
    MPI_Compare_and_swap(&one, &zero, &got, MPI_LONG, next, 9, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void derived_types(void) {
    MPI_Datatype columns, resized;
    MPI_Request request;
    int position = 0;
    char packed[100];
    MPI_Type_vector(3, 2, 4, MPI_INT, &columns); /* 24 bytes of data in 40 */
    MPI_Type_create_resized(columns, 0, 64, &resized);
    MPI_Type_commit(&resized);
    MPI_Isend(data, 2, resized, next, 50, world, &request);
    MPI_Recv(room, 4, resized, prev, 50, world, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Pack(data, 5, MPI_INT, packed, 100, &position, world);
    MPI_Type_free(&resized);
    MPI_Type_free(&columns);
}

static void files(const char* path) {
    MPI_File file;
    MPI_Request request;
    MPI_Offset bytes;
    MPI_File_open(world, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank * 16, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, rank * 16, data, 4, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(world);
    MPI_File_get_size(file, &bytes);
    /* the room is 8 numbers, the file ends after 4 for the last rank */
    MPI_File_read_at(file, (size - 1) * 16, room, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void switched_off(void) {
    MPI_Pcontrol(0);
    for (int i = 0; i < 3; ++i) {
        MPI_Barrier(world);
    }
    MPI_Pcontrol(1);
}

#if MPI_VERSION >= 4
static void fourth_version(void) {
    MPI_Request request, other;
    MPI_Status status;
    double one = 1, sum;
    MPI_Allreduce_c(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
    MPI_Bcast_c(room, 3, MPI_INT, 0, world);
    MPI_Allreduce_init(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; ++i) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Isendrecv(data, 3, MPI_INT, next, 60, room, 9, MPI_INT, prev, 60, world, &other);
    MPI_Wait(&other, &status);
}
#endif

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_set_name(world, "of the test");
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    matched_probes();
    started_together();
    modes_of_sending();
    ways_of_completing();
    varied_collectives();
    nonblocking_collectives();
    topologies();
    inter_communicators();
    freed_and_made_again();
    one_sided();
    derived_types();
    files(argc > 1 ? argv[1] : "extras.data");
    switched_off();
#if MPI_VERSION >= 4
    fourth_version();
#endif
    MPI_Finalize();
    return 0;
}
