// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The exported functions. Both MPI_X and PMPI_X: Fortran bindings call one or the other, depending on
// the MPI library and the kind of binding, and all of them end in one of these two.
#include "collectives/calls.hpp"
#include "preload/export.hpp"

using namespace halocline::endpoints;

#define HALOCLINE_EXPORT extern "C" __attribute__((visibility("default"))) int
#define HALOCLINE_CALLER __builtin_return_address(0)

namespace {

int initialise(int* argc, char*** argv) {
    const Guard guard;
    return Session::get().initialise(argc, argv, MPI_THREAD_SINGLE, nullptr);
}

int initialise_thread(int* argc, char*** argv, int level, int* provided) {
    const Guard guard;
    return Session::get().initialise(argc, argv, level, provided);
}

int finalise() {
    const Guard guard;
    return Session::get().finalise();
}

}  // namespace

#define HALOCLINE_WRAP(prefix)                                                                \
    HALOCLINE_EXPORT prefix##Init(int* argc, char*** argv) { return initialise(argc, argv); } \
    HALOCLINE_EXPORT prefix##Init_thread(int* argc, char*** argv, int level, int* provided) { \
        return initialise_thread(argc, argv, level, provided);                                \
    }                                                                                         \
    HALOCLINE_EXPORT prefix##Finalize() { return finalise(); }                                \
    HALOCLINE_EXPORT prefix##Query_thread(int* level) { return Session::get().query_thread(level); }

// The forms with ints and those with MPI 4's large counts, whose names end in _c, differ in the types
// of counts and places alone.
#define HALOCLINE_WRAP_COLLECTIVES(prefix, suffix, Count, Place)                                   \
    HALOCLINE_EXPORT prefix##Allreduce##suffix(const void* send, void* receive, Count count,       \
                                               MPI_Datatype type, MPI_Op op, MPI_Comm comm) {      \
        if (Session::passes(Function::allreduce, count)) {                                         \
            return plain::allreduce(send, receive, count, type, op, comm);                         \
        }                                                                                          \
        return allreduce(send, receive, count, type, op, comm, HALOCLINE_CALLER);                  \
    }                                                                                              \
    HALOCLINE_EXPORT prefix##Reduce##suffix(const void* send, void* receive, Count count,          \
                                            MPI_Datatype type, MPI_Op op, int root,                \
                                            MPI_Comm comm) {                                       \
        if (Session::passes(Function::reduce, count)) {                                            \
            return plain::reduce(send, receive, count, type, op, root, comm);                      \
        }                                                                                          \
        return reduce(send, receive, count, type, op, root, comm, HALOCLINE_CALLER);               \
    }                                                                                              \
    HALOCLINE_EXPORT prefix##Bcast##suffix(void* buffer, Count count, MPI_Datatype type, int root, \
                                           MPI_Comm comm) {                                        \
        return bcast(buffer, count, type, root, comm, HALOCLINE_CALLER);                           \
    }                                                                                              \
    HALOCLINE_EXPORT prefix##Allgather##suffix(                                                    \
        const void* send, Count send_count, MPI_Datatype send_type, void* receive,                 \
        Count receive_count, MPI_Datatype receive_type, MPI_Comm comm) {                           \
        return allgather(send, send_count, send_type, receive, receive_count, receive_type, comm,  \
                         HALOCLINE_CALLER);                                                        \
    }                                                                                              \
    HALOCLINE_EXPORT prefix##Alltoall##suffix(                                                     \
        const void* send, Count send_count, MPI_Datatype send_type, void* receive,                 \
        Count receive_count, MPI_Datatype receive_type, MPI_Comm comm) {                           \
        return alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm,   \
                        HALOCLINE_CALLER);                                                         \
    }                                                                                              \
    HALOCLINE_EXPORT prefix##Alltoallv##suffix(                                                    \
        const void* send, const Count* send_counts, const Place* send_places,                      \
        MPI_Datatype send_type, void* receive, const Count* receive_counts,                        \
        const Place* receive_places, MPI_Datatype receive_type, MPI_Comm comm) {                   \
        return alltoallv<Count, Place>(                                                            \
            {const_cast<void*>(send), send_counts, send_places, send_type},                        \
            {receive, receive_counts, receive_places, receive_type}, comm, HALOCLINE_CALLER);      \
    }

HALOCLINE_WRAP(MPI_)
HALOCLINE_WRAP(PMPI_)
HALOCLINE_WRAP_COLLECTIVES(MPI_, , int, int)
HALOCLINE_WRAP_COLLECTIVES(PMPI_, , int, int)
#if MPI_VERSION >= 4
HALOCLINE_WRAP_COLLECTIVES(MPI_, _c, MPI_Count, MPI_Aint)
HALOCLINE_WRAP_COLLECTIVES(PMPI_, _c, MPI_Count, MPI_Aint)
#endif

HALOCLINE_HIDE_FROM_DLSYM(MPI_Init);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Init_thread);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Finalize);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Query_thread);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Allreduce);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Reduce);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Bcast);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Allgather);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Alltoall);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Alltoallv);
#if MPI_VERSION >= 4
HALOCLINE_HIDE_FROM_DLSYM(MPI_Allreduce_c);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Reduce_c);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Bcast_c);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Allgather_c);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Alltoall_c);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Alltoallv_c);
#endif
