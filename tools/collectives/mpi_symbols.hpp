// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// mpi.h without a link to the MPI library: functions and constants are looked up in the process.
//
// A preloaded library is loaded into everything a rank starts, shells too, so no symbol of MPI may
// be needed before MPI is there. Functions come from `real()`; Open MPI's constants are addresses
// of global data, which the macro below looks up at first use (MPICH's are numbers).
#pragma once

#include "preload/mpi_library.hpp"

#include <mpi.h>

#include <atomic>

namespace halocline::endpoints {

// clang-format off
#define HALOCLINE_MPI_FUNCTIONS(X) \
    X(Init) X(Init_thread) X(Finalize) X(Query_thread) X(Get_library_version) X(Abort) \
    X(Allreduce) X(Reduce) X(Bcast) X(Allgather) X(Alltoall) X(Alltoallv) X(Gather) X(Gatherv) \
    X(Barrier) X(Comm_rank) X(Comm_size) X(Comm_test_inter) X(Comm_split) X(Comm_split_type) \
    X(Comm_free) X(Comm_dup) X(Comm_group) X(Comm_get_name) X(Comm_create_keyval) \
    X(Comm_free_keyval) X(Comm_get_attr) X(Comm_set_attr) X(Comm_delete_attr) \
    X(Comm_get_errhandler) X(Comm_set_errhandler) X(Comm_call_errhandler) X(Errhandler_free) \
    X(Group_intersection) X(Group_size) X(Group_free) X(Pack) X(Unpack) X(Type_size_x) \
    X(Type_get_extent) X(Type_get_envelope) X(Type_get_contents) X(Type_free) X(Type_commit) \
    X(Type_contiguous) X(Type_create_struct) X(Type_create_resized)
// clang-format on

/// The functions that the wrapped ones lead to, by their names without prefix.
struct RealMpi {
// A declared name takes no parentheses.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define HALOCLINE_DECLARE(name) decltype(&::PMPI_##name) name;
    HALOCLINE_MPI_FUNCTIONS(HALOCLINE_DECLARE)
#undef HALOCLINE_DECLARE
};

/// Null until the functions are resolved.
extern constinit std::atomic<const RealMpi*> resolved_functions;
[[nodiscard]] const RealMpi& resolve_functions();

/// Resolved at first use; a process that calls MPI without having it is ended with a sentence.
[[nodiscard]] inline const RealMpi& real() {
    const RealMpi* const found = resolved_functions.load(std::memory_order_acquire);
    return found != nullptr ? *found : resolve_functions();
}

}  // namespace halocline::endpoints

#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global)                                       \
    (static_cast<type>([] {                                                        \
        static void* const address = ::halocline::preload::find_mpi_data(#global); \
        return address;                                                            \
    }()))
#endif
