/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Random collectives, each made twice: through the preloaded library and straight to MPI.
 *
 *   differential CALLS SEED
 *
 * All ranks draw the same calls; data are whole numbers, so both results must agree to the bit. What
 * differs between ranks on purpose: datatypes that describe the same message, layouts, and timing.
 * Messages and a non-blocking collective of the same communicator are under way during many calls. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <stdint.h>
#include <unistd.h>

enum { MOST = 6000, COMMUNICATORS = 4 };

static struct {
    int (*allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*reduce)(const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
    int (*bcast)(void*, int, MPI_Datatype, int, MPI_Comm);
    int (*allgather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
    int (*alltoall)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
    int (*alltoallv)(const void*, const int*, const int*, MPI_Datatype, void*, const int*,
                     const int*, MPI_Datatype, MPI_Comm);
} straight;

static void* handle;
static MPI_Comm communicators[COMMUNICATORS];
static char *input, *output[2], *packed;
static size_t room;

static void* find(const char* name) {
    void* found = dlsym(handle, name);
    if (found == NULL) {
        fprintf(stderr, "no %s in the MPI library\n", name);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return found;
}

static void find_mpi(void) {
#ifdef OPEN_MPI
    handle = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
#else
    handle = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
#endif
    if (handle == NULL) {
        fprintf(stderr, "the MPI library is not loaded under its usual name\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    *(void**)&straight.allreduce = find("PMPI_Allreduce");
    *(void**)&straight.reduce = find("PMPI_Reduce");
    *(void**)&straight.bcast = find("PMPI_Bcast");
    *(void**)&straight.allgather = find("PMPI_Allgather");
    *(void**)&straight.alltoall = find("PMPI_Alltoall");
    *(void**)&straight.alltoallv = find("PMPI_Alltoallv");
}

/* splitmix64: two streams, one that all ranks share and one of each rank. */
static uint64_t common, own;
static uint64_t draw(uint64_t* state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static int below(uint64_t* state, int n) { return (int)(draw(state) % (uint64_t)n); }

/* Mostly short messages, some long ones, now and then none. */
static int draw_count(void) {
    const int scale = 1 << below(&common, 13);
    const int count = below(&common, scale + 1);
    return count < MOST ? count : MOST;
}

static const MPI_Datatype* number_types(int* count) {
    static MPI_Datatype types[5];
    types[0] = MPI_DOUBLE;
    types[1] = MPI_INT;
    types[2] = MPI_FLOAT;
    types[3] = MPI_LONG;
    types[4] = MPI_SHORT;
    *count = 5;
    return types;
}

static void fill(MPI_Datatype type, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const int value = below(&own, 201) - 100;
        if (type == MPI_DOUBLE) {
            ((double*)input)[i] = value;
        } else if (type == MPI_FLOAT) {
            ((float*)input)[i] = (float)value;
        } else if (type == MPI_LONG) {
            ((long*)input)[i] = value;
        } else if (type == MPI_SHORT) {
            ((short*)input)[i] = (short)value;
        } else {
            ((int*)input)[i] = value;
        }
    }
}

static int size_of(MPI_Datatype type) {
    int size = 0;
    MPI_Type_size(type, &size);
    return size;
}

static void reset(size_t bytes) {
    for (int way = 0; way < 2; ++way) {
        memset(output[way], 0x5a, bytes);
    }
}

static void compare(int function, int count, size_t bytes) {
    ++checks;
    if (memcmp(output[0], output[1], bytes) != 0) {
        ++failures;
        if (failures < 10) {
            fprintf(stderr, "rank %d: %s with %d elements differs\n", rank,
                    function_names[function], count);
        }
    }
}

static MPI_Op draw_op(MPI_Datatype type) {
    const MPI_Op of_all[] = {MPI_SUM, MPI_MAX, MPI_MIN};
    const MPI_Op of_integers[] = {MPI_BXOR, MPI_LOR, MPI_BAND};
    const int whole = type != MPI_DOUBLE && type != MPI_FLOAT;
    const int pick = below(&common, whole ? 6 : 3);
    return pick < 3 ? of_all[pick] : of_integers[pick - 3];
}

static void try_reduction(int function, MPI_Comm on, int size) {
    int types = 0;
    const MPI_Datatype* all = number_types(&types);
    const MPI_Datatype type = all[below(&common, types)];
    const MPI_Op op = draw_op(type);
    const int count = draw_count();
    const int root = below(&common, size);
    const int in_place = below(&common, 2) == 1 && function == ALLREDUCE;
    const size_t bytes = (size_t)count * (size_t)size_of(type);
    fill(type, (size_t)count);
    reset(bytes + 8);
    for (int way = 0; way < 2; ++way) {
        if (in_place) {
            memcpy(output[way], input, bytes);
        }
        const void* send = in_place ? MPI_IN_PLACE : input;
        if (function == ALLREDUCE) {
            (way == 0 ? MPI_Allreduce : straight.allreduce)(send, output[way], count, type, op, on);
        } else {
            (way == 0 ? MPI_Reduce : straight.reduce)(send, output[way], count, type, op, root, on);
        }
    }
    compare(function, count, bytes + 8);
}

/* One message of `count` doubles, described in a way that each rank chooses for itself. */
static MPI_Datatype describe(int way, int count, int* elements, size_t* span) {
    MPI_Datatype type = MPI_DOUBLE;
    *elements = count;
    *span = (size_t)count * sizeof(double);
    if (way == 1) {
        MPI_Type_contiguous(count, MPI_DOUBLE, &type);
        *elements = 1;
    } else if (way == 2) {
        MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &type);
        *elements = 1;
        *span = 2 * (size_t)count * sizeof(double);
    } else if (way == 3) {
        MPI_Type_create_resized(MPI_DOUBLE, 0, 3 * sizeof(double), &type);
        *span = 3 * (size_t)count * sizeof(double);
    }
    if (way > 0) {
        MPI_Type_commit(&type);
    }
    return type;
}

static void release(int way, MPI_Datatype* type) {
    if (way > 0) {
        MPI_Type_free(type);
    }
}

static void try_bcast(MPI_Comm on, int size) {
    const int count = draw_count();
    const int root = below(&common, size);
    /* Nothing in one element is more than no element to Open MPI 4.1, which then waits for it. */
    const int mixed = below(&common, 3) == 0 && count > 0;
    const int shape = mixed ? below(&own, 4) : 0;
    int elements = 0;
    size_t span = 0;
    MPI_Datatype type = describe(shape, count, &elements, &span);
    fill(MPI_DOUBLE, span / sizeof(double));
    memcpy(output[0], input, span);
    memcpy(output[1], input, span);
    MPI_Bcast(output[0], elements, type, root, on);
    /* The reference describes the message alike everywhere: Open MPI 4.1 hangs otherwise. */
    int position = 0;
    const int bytes = count * (int)sizeof(double);
    MPI_Pack(output[1], elements, type, packed, bytes, &position, on);
    straight.bcast(packed, count, MPI_DOUBLE, root, on);
    position = 0;
    MPI_Unpack(packed, bytes, &position, output[1], elements, type, on);
    compare(BCAST, count, span);
    release(shape, &type);
}

static void try_blocks(int function, MPI_Comm on, int size) {
    const int count = draw_count() / 2;
    const int mixed = below(&common, 3) == 0;
    const int in_place = below(&common, 3) == 0;
    const int shape = mixed ? (below(&own, 2) == 0 ? 0 : 3) : 0;
    int elements = 0;
    size_t span = 0;
    MPI_Datatype type = describe(shape, count, &elements, &span);
    const int blocks = function == ALLGATHER ? 1 : size;
    fill(MPI_DOUBLE, (size_t)count * (size_t)size);
    reset(span * (size_t)size);
    for (int way = 0; way < 2; ++way) {
        if (in_place) {
            for (size_t i = 0; i < span * (size_t)size / sizeof(double); ++i) {
                ((double*)output[way])[i] = (double)((i * 31 + (size_t)rank) % 1000);
            }
        }
        const void* send = in_place ? MPI_IN_PLACE : input;
        if (function == ALLGATHER) {
            (way == 0 ? MPI_Allgather : straight.allgather)(send, count * blocks, MPI_DOUBLE,
                                                            output[way], elements, type, on);
        } else {
            (way == 0 ? MPI_Alltoall : straight.alltoall)(send, count, MPI_DOUBLE, output[way],
                                                          elements, type, on);
        }
    }
    compare(function, count, span * (size_t)size);
    release(shape, &type);
}

static void try_alltoallv(MPI_Comm on, int size) {
    int counts[2][64], places[2][64], totals[2] = {0, 0}, self = 0;
    MPI_Comm_rank(on, &self);
    const int longest = draw_count() / 4 + 1;
    const uint64_t seed = draw(&common);
    for (int side = 0; side < 2; ++side) {
        for (int peer = 0; peer < size; ++peer) {
            const int from = side == 0 ? self : peer;
            const int to = side == 0 ? peer : self;
            uint64_t pair = seed + (uint64_t)(from * 64 + to);
            counts[side][peer] = below(&pair, longest);
            places[side][peer] = totals[side];
            totals[side] += counts[side][peer] + below(&own, 3);
        }
    }
    fill(MPI_DOUBLE, (size_t)totals[0]);
    const size_t bytes = (size_t)totals[1] * sizeof(double);
    reset(bytes);
    for (int way = 0; way < 2; ++way) {
        (way == 0 ? MPI_Alltoallv : straight.alltoallv)(input, counts[0], places[0], MPI_DOUBLE,
                                                        output[way], counts[1], places[1],
                                                        MPI_DOUBLE, on);
    }
    compare(ALLTOALLV, longest, bytes);
}

static void try_one(void) {
    const MPI_Comm on = communicators[below(&common, COMMUNICATORS)];
    const int function = below(&common, FUNCTIONS);
    int size = 1, self = 0;
    MPI_Comm_size(on, &size);
    MPI_Comm_rank(on, &self);
    const int busy = below(&common, 4) == 0;
    int token = rank, other = -1;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    if (busy) {
        MPI_Irecv(&other, 1, MPI_INT, (self + size - 1) % size, 5, on, &requests[0]);
        MPI_Isend(&token, 1, MPI_INT, (self + 1) % size, 5, on, &requests[1]);
        MPI_Ibarrier(on, &requests[2]);
    }
    if (below(&own, 64) == 0) {
        usleep((unsigned)below(&own, 300)); /* ranks arrive at different times */
    }
    if (function <= REDUCE) {
        try_reduction(function, on, size);
    } else if (function == BCAST) {
        try_bcast(on, size);
    } else if (function == ALLTOALLV) {
        try_alltoallv(on, size);
    } else {
        try_blocks(function, on, size);
    }
    if (busy) {
        MPI_Waitall(3, requests, statuses);
        CHECK(other >= 0);
    }
}

static void renew_communicator(void) {
    MPI_Comm_free(&communicators[3]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, below(&own, 100), &communicators[3]);
}

int main(int argc, char** argv) {
    const long calls = argc > 1 ? atol(argv[1]) : 1000;
    const uint64_t seed = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    find_mpi();
    common = seed;
    own = seed * 7919 + (uint64_t)rank + 1;
    communicators[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicators[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &communicators[2]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &communicators[3]);
    room = (size_t)MOST * 8 * 3 * (size_t)(ranks + 1);
    input = malloc(room);
    output[0] = malloc(room);
    output[1] = malloc(room);
    packed = malloc(room);
    for (long call = 0; call < calls; ++call) {
        try_one();
        if (call % 500 == 499) {
            renew_communicator();
        }
    }
    for (int k = 1; k < COMMUNICATORS; ++k) {
        MPI_Comm_free(&communicators[k]);
    }
    const int code = conclude();
    free(input);
    free(output[0]);
    free(output[1]);
    free(packed);
    MPI_Finalize();
    return code;
}
