/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Every wrapped collective with results known in advance: types, places, roots and ways to fall back.
 * Values are small whole numbers, so that sums are exact in any order. */
#include "check.h"

enum { SHORT = 999, LONG = 4003 };

static void count_split(int function, int count) {
    if (count >= 1000 && ranks > 1) {
        ++expected_splits[function];
    }
}

static double value(int of_rank, int i) { return (double)(of_rank + 1) * (i % 17 - 8); }
static double sum_of_values(int i) { return 0.5 * ranks * (ranks + 1) * (i % 17 - 8); }

static void allreduce_doubles(int count, int in_place) {
    double* send = malloc(sizeof(double) * (size_t)count);
    double* receive = malloc(sizeof(double) * (size_t)(count + 1));
    for (int i = 0; i < count; ++i) {
        send[i] = value(rank, i);
        receive[i] = in_place ? send[i] : -1.0;
    }
    receive[count] = 12345.0;
    MPI_Allreduce(in_place ? MPI_IN_PLACE : send, receive, count, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    count_split(ALLREDUCE, count);
    for (int i = 0; i < count; ++i) {
        CHECK(receive[i] == sum_of_values(i));
    }
    CHECK(receive[count] == 12345.0);
    free(send);
    free(receive);
}

static void allreduce_maxloc(void) {
    struct {
        double value;
        int place;
    } send[LONG], receive[LONG];
    memset(send, 0, sizeof send);
    for (int i = 0; i < LONG; ++i) {
        send[i].value = (i + rank) % ranks;
        send[i].place = rank;
    }
    MPI_Allreduce(send, receive, LONG, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    count_split(ALLREDUCE, LONG);
    for (int i = 0; i < LONG; ++i) {
        CHECK(receive[i].value == ranks - 1);
        CHECK(receive[i].place == ((ranks - 1 - i) % ranks + ranks) % ranks);
    }
}

static void allreduce_integers(void) {
    static int send[LONG], receive[LONG];
    const MPI_Op ops[] = {MPI_MIN, MPI_MAX, MPI_BOR, MPI_BAND, MPI_BXOR, MPI_PROD, MPI_LAND};
    for (size_t op = 0; op < sizeof ops / sizeof ops[0]; ++op) {
        int ored = 0, anded = -1, xored = 0, product = 1, all = 1;
        for (int r = 0; r < ranks; ++r) {
            ored |= r + 1;
            anded &= r + 1;
            xored ^= r + 1;
            product *= r + 1;
            all = all && (r + 1);
        }
        const int results[] = {1, ranks, ored, anded, xored, product, all};
        for (int i = 0; i < LONG; ++i) {
            send[i] = rank + 1;
            receive[i] = -7;
        }
        MPI_Allreduce(send, receive, LONG, MPI_INT, ops[op], MPI_COMM_WORLD);
        count_split(ALLREDUCE, LONG);
        for (int i = 0; i < LONG; ++i) {
            CHECK(receive[i] == results[op]);
        }
    }
}

static void add_up(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; ++i) {
        ((double*)inout)[i] += ((double*)in)[i];
    }
}

/* Right to left composition of (a, b) -> (b - a): the order of ranks shows. */
static void take_last(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)in;
    (void)inout;
    (void)length;
    (void)type;
}

static void user_operations(void) {
    static double send[LONG], receive[LONG];
    MPI_Op sum, last;
    MPI_Op_create(add_up, 1, &sum);
    MPI_Op_create(take_last, 0, &last);
    for (int i = 0; i < LONG; ++i) {
        send[i] = value(rank, i);
    }
    MPI_Allreduce(send, receive, LONG, MPI_DOUBLE, sum, MPI_COMM_WORLD);
    for (int i = 0; i < LONG; ++i) {
        CHECK(receive[i] == sum_of_values(i));
    }
    MPI_Allreduce(send, receive, LONG, MPI_DOUBLE, last, MPI_COMM_WORLD);
    for (int i = 0; i < LONG; ++i) {
        CHECK(receive[i] == value(ranks - 1, i));
    }
    MPI_Op_free(&sum);
    MPI_Op_free(&last);
}

static void reduce_to_each_root(int count) {
    double* buffer = malloc(sizeof(double) * (size_t)count);
    double* receive = malloc(sizeof(double) * (size_t)count);
    for (int root = 0; root < ranks; ++root) {
        for (int in_place = 0; in_place < 2; ++in_place) {
            const int is_root = rank == root;
#ifdef MPICH_VERSION /* 4.0.2 reads from MPI_IN_PLACE at other roots than 0, without any tool too */
            if (in_place && root != 0) {
                continue;
            }
#endif
            for (int i = 0; i < count; ++i) {
                buffer[i] = value(rank, i);
                receive[i] = in_place && is_root ? buffer[i] : -1.0;
            }
            MPI_Reduce(in_place && is_root ? MPI_IN_PLACE : buffer, is_root ? receive : NULL, count,
                       MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
            count_split(REDUCE, count);
            for (int i = 0; i < count; ++i) {
                CHECK(receive[i] == (is_root ? sum_of_values(i) : -1.0));
            }
        }
    }
    free(buffer);
    free(receive);
}

static void bcast_from_each_root(int count) {
    double* buffer = malloc(sizeof(double) * (size_t)count);
    for (int root = 0; root < ranks; ++root) {
        for (int i = 0; i < count; ++i) {
            buffer[i] = rank == root ? value(root, i) : -1.0;
        }
        MPI_Bcast(buffer, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
        count_split(BCAST, count);
        for (int i = 0; i < count; ++i) {
            CHECK(buffer[i] == value(root, i));
        }
    }
    free(buffer);
}

/* The root sends a column of a matrix, the others receive whole numbers in a row or one long type:
 * signatures agree, counts, types and layouts do not. */
static void bcast_with_mixed_types(void) {
    static double matrix[LONG][3];
    static double row[LONG];
    MPI_Datatype column, whole;
    MPI_Type_vector(LONG, 1, 3, MPI_DOUBLE, &column);
    MPI_Type_contiguous(LONG, MPI_DOUBLE, &whole);
    MPI_Type_commit(&column);
    MPI_Type_commit(&whole);
    for (int root = 0; root < ranks; ++root) {
        for (int i = 0; i < LONG; ++i) {
            row[i] = rank == root ? value(root, i) : -1.0;
            for (int j = 0; j < 3; ++j) {
                matrix[i][j] = j == 1 ? row[i] : 99.0;
            }
        }
        if ((rank + root) % 3 == 0) {
            MPI_Bcast(&matrix[0][1], 1, column, root, MPI_COMM_WORLD);
        } else if ((rank + root) % 3 == 1) {
            MPI_Bcast(row, LONG, MPI_DOUBLE, root, MPI_COMM_WORLD);
        } else {
            MPI_Bcast(row, 1, whole, root, MPI_COMM_WORLD);
        }
        count_split(BCAST, LONG);
        for (int i = 0; i < LONG; ++i) {
            CHECK(((rank + root) % 3 == 0 ? matrix[i][1] : row[i]) == value(root, i));
            CHECK(matrix[i][0] == 99.0 && matrix[i][2] == 99.0);
        }
    }
    MPI_Type_free(&column);
    MPI_Type_free(&whole);
}

static void allgather(int count, int in_place) {
    double* send = malloc(sizeof(double) * (size_t)count);
    double* receive = malloc(sizeof(double) * (size_t)(count * ranks));
    for (int i = 0; i < count * ranks; ++i) {
        receive[i] = -1.0;
    }
    for (int i = 0; i < count; ++i) {
        send[i] = value(rank, i);
        receive[rank * count + i] = in_place ? send[i] : -1.0;
    }
    if (in_place) {
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, count, MPI_DOUBLE,
                      MPI_COMM_WORLD);
    } else {
        MPI_Allgather(send, count, MPI_DOUBLE, receive, count, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    count_split(ALLGATHER, count);
    for (int i = 0; i < count * ranks; ++i) {
        CHECK(receive[i] == value(i / count, i % count));
    }
    free(send);
    free(receive);
}

/* Every second number of the receive buffer stays as it was. */
static void allgather_with_gaps(void) {
    double* send = malloc(sizeof(double) * LONG);
    double* receive = malloc(sizeof(double) * (size_t)(2 * LONG * ranks));
    MPI_Datatype spaced;
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &spaced);
    MPI_Type_commit(&spaced);
    for (int i = 0; i < 2 * LONG * ranks; ++i) {
        receive[i] = 55.0;
    }
    for (int i = 0; i < LONG; ++i) {
        send[i] = value(rank, i);
    }
    MPI_Allgather(send, LONG, MPI_DOUBLE, receive, LONG, spaced, MPI_COMM_WORLD);
    count_split(ALLGATHER, LONG);
    for (int i = 0; i < LONG * ranks; ++i) {
        CHECK(receive[2 * i] == value(i / LONG, i % LONG));
        CHECK(receive[2 * i + 1] == 55.0);
    }
    MPI_Type_free(&spaced);
    free(send);
    free(receive);
}

static double to_from(int from, int to, int i) { return 1000.0 * from + 10.0 * to + i % 7; }

static void alltoall(int count, int in_place) {
    double* send = malloc(sizeof(double) * (size_t)(count * ranks));
    double* receive = malloc(sizeof(double) * (size_t)(count * ranks));
    for (int i = 0; i < count * ranks; ++i) {
        send[i] = to_from(rank, i / count, i % count);
        receive[i] = in_place ? send[i] : -1.0;
    }
    if (in_place) {
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, count, MPI_DOUBLE,
                     MPI_COMM_WORLD);
    } else {
        MPI_Alltoall(send, count, MPI_DOUBLE, receive, count, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    count_split(ALLTOALL, count);
    for (int i = 0; i < count * ranks; ++i) {
        CHECK(receive[i] == to_from(i / count, rank, i % count));
    }
    free(send);
    free(receive);
}

/* Lengths from nothing to thousands; receive blocks lie in reverse order with gaps between. */
static int length_between(int from, int to) {
    return (from * 7 + to * 3) % 5 * 700 + (from + to) % 2;
}

static void alltoallv(int count_of_type, int in_place) {
    int *counts[2], *places[2], totals[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
        counts[side] = malloc(sizeof(int) * (size_t)ranks);
        places[side] = malloc(sizeof(int) * (size_t)ranks);
        for (int k = 0; k < ranks; ++k) {
            const int peer = side == 1 ? ranks - 1 - k : k;
            int length = side == 0 ? length_between(rank, peer) : length_between(peer, rank);
            if (in_place) {
                length = 800 + rank + peer;
            }
            counts[side][peer] = length;
            places[side][peer] = totals[side];
            totals[side] += length + side;
        }
    }
    const size_t width = (size_t)count_of_type;
    double* send = malloc(sizeof(double) * width * (size_t)(totals[0] + 1));
    double* receive = malloc(sizeof(double) * width * (size_t)(totals[1] + 1));
    MPI_Datatype type;
    MPI_Type_contiguous(count_of_type, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (size_t i = 0; i < width * (size_t)totals[1]; ++i) {
        receive[i] = 77.0;
    }
    for (int peer = 0; peer < ranks; ++peer) {
        for (size_t i = 0; i < width * (size_t)counts[0][peer]; ++i) {
            send[width * (size_t)places[0][peer] + i] = to_from(rank, peer, (int)i);
        }
        for (size_t i = 0; in_place && i < width * (size_t)counts[1][peer]; ++i) {
            receive[width * (size_t)places[1][peer] + i] = to_from(rank, peer, (int)i);
        }
    }
    if (in_place) {
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, receive, counts[1], places[1],
                      type, MPI_COMM_WORLD);
    } else {
        MPI_Alltoallv(send, counts[0], places[0], type, receive, counts[1], places[1], type,
                      MPI_COMM_WORLD);
    }
    count_split(ALLTOALLV, LONG);
    for (int peer = 0; peer < ranks; ++peer) {
        const size_t start = width * (size_t)places[1][peer];
        const size_t length = width * (size_t)counts[1][peer];
        for (size_t i = 0; i < length; ++i) {
            CHECK(receive[start + i] == to_from(peer, rank, (int)i));
        }
        for (size_t i = 0; i < width; ++i) {
            CHECK(receive[start + length + i] == 77.0);
        }
    }
    MPI_Type_free(&type);
    for (int side = 0; side < 2; ++side) {
        free(counts[side]);
        free(places[side]);
    }
    free(send);
    free(receive);
}

/* Two groups of one job, joined: reductions cross over, and are never split. */
static void intercommunicator(void) {
    if (ranks < 2) {
        return;
    }
    static double send[LONG], receive[LONG];
    MPI_Comm half, inter;
    const int upper = rank >= ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : ranks / 2, 3, &inter);
    double expected = 0.0;
    for (int r = 0; r < ranks; ++r) {
        expected += (r >= ranks / 2) != upper ? r + 1 : 0;
    }
    for (int i = 0; i < LONG; ++i) {
        send[i] = rank + 1;
        receive[i] = -1.0;
    }
    MPI_Allreduce(send, receive, LONG, MPI_DOUBLE, MPI_SUM, inter);
    for (int i = 0; i < LONG; ++i) {
        CHECK(receive[i] == expected);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* A communicator of one, and one with the ranks in reverse. */
static void other_communicators(void) {
    static double send[LONG], receive[LONG];
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    for (int i = 0; i < LONG; ++i) {
        send[i] = value(rank, i);
    }
    MPI_Allreduce(send, receive, LONG, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    for (int i = 0; i < LONG; ++i) {
        CHECK(receive[i] == value(rank, i));
    }
    for (int i = 0; i < LONG; ++i) {
        send[i] = value(rank, i);
    }
    MPI_Bcast(send, LONG, MPI_DOUBLE, 0, reversed); /* from the highest rank of the world */
    count_split(BCAST, LONG);
    for (int i = 0; i < LONG; ++i) {
        CHECK(send[i] == value(ranks - 1, i));
    }
    MPI_Comm_free(&reversed);
}

/* A request of the same communicator is under way while a collective on it is split. */
static void overlapping_requests(void) {
    static double send[LONG], first[LONG], second[LONG];
    MPI_Request request;
    for (int i = 0; i < LONG; ++i) {
        send[i] = value(rank, i);
    }
    MPI_Iallreduce(send, first, LONG, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Allreduce(send, second, LONG, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    count_split(ALLREDUCE, LONG);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(memcmp(first, second, sizeof first) == 0);
}

static void thread_level(int provided, int asked) {
    int level = -1;
    MPI_Query_thread(&level);
    CHECK(level == asked);
    CHECK(provided == asked);
}

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    const int asked = argc > 1 ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE;
    if (argc > 1) {
        MPI_Init_thread(&argc, &argv, asked, &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    thread_level(provided, asked);
    const int counts[] = {0, 1, SHORT, 1000, 1001, LONG, 70001};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
        for (int in_place = 0; in_place < 2; ++in_place) {
            allreduce_doubles(counts[k], in_place);
            allgather(counts[k], in_place);
            alltoall(counts[k], in_place);
        }
        reduce_to_each_root(counts[k]);
        bcast_from_each_root(counts[k]);
    }
    allreduce_maxloc();
    allreduce_integers();
    user_operations();
    bcast_with_mixed_types();
    allgather_with_gaps();
    alltoallv(1, 0);
    alltoallv(3, 0);
    alltoallv(1, 1);
    intercommunicator();
    other_communicators();
    overlapping_requests();
    const int code = conclude();
    MPI_Finalize();
    return code;
}
