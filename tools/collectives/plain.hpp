// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The program's calls as MPI does them: one function for ints and for MPI 4's large counts.
#pragma once

#include "collectives/mpi_symbols.hpp"

#include <utility>

namespace halocline::endpoints {

#if MPI_VERSION >= 4
// clang-format off
#define HALOCLINE_LARGE_FUNCTIONS(X) \
    X(Allreduce_c) X(Reduce_c) X(Bcast_c) X(Allgather_c) X(Alltoall_c) X(Alltoallv_c)
// clang-format on

/// The forms with large counts, apart from `RealMpi`: a library of MPI 3.1 serves programs without them.
struct LargeMpi {
// A declared name takes no parentheses.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define HALOCLINE_DECLARE(name) decltype(&::PMPI_##name) name;
    HALOCLINE_LARGE_FUNCTIONS(HALOCLINE_DECLARE)
#undef HALOCLINE_DECLARE
};

/// Resolved at first use.
[[nodiscard]] const LargeMpi& large();

#define HALOCLINE_LARGE(call) large().call
#else
/// Only ints come from programs of this mpi.h.
#define HALOCLINE_LARGE(call) MPI_ERR_COUNT
#endif

/// Whether MPI's functions with ints take these counts: all libraries have them.
template <class... Count>
[[nodiscard]] constexpr bool fit_int(Count... counts) {
    return (std::in_range<int>(counts) && ...);
}

namespace plain {

inline int allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm on) {
    return fit_int(count) ? real().Allreduce(send, receive, static_cast<int>(count), type, op, on)
                          : HALOCLINE_LARGE(Allreduce_c(send, receive, count, type, op, on));
}

inline int reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                  int root, MPI_Comm on) {
    return fit_int(count)
               ? real().Reduce(send, receive, static_cast<int>(count), type, op, root, on)
               : HALOCLINE_LARGE(Reduce_c(send, receive, count, type, op, root, on));
}

inline int bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm on) {
    return fit_int(count) ? real().Bcast(buffer, static_cast<int>(count), type, root, on)
                          : HALOCLINE_LARGE(Bcast_c(buffer, count, type, root, on));
}

inline int allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm on) {
    return fit_int(send_count, receive_count)
               ? real().Allgather(send, static_cast<int>(send_count), send_type, receive,
                                  static_cast<int>(receive_count), receive_type, on)
               : HALOCLINE_LARGE(Allgather_c(send, send_count, send_type, receive, receive_count,
                                             receive_type, on));
}

inline int alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                    MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm on) {
    return fit_int(send_count, receive_count)
               ? real().Alltoall(send, static_cast<int>(send_count), send_type, receive,
                                 static_cast<int>(receive_count), receive_type, on)
               : HALOCLINE_LARGE(Alltoall_c(send, send_count, send_type, receive, receive_count,
                                            receive_type, on));
}

inline int alltoallv(const void* send, const int* send_counts, const int* send_places,
                     MPI_Datatype send_type, void* receive, const int* receive_counts,
                     const int* receive_places, MPI_Datatype receive_type, MPI_Comm on) {
    return real().Alltoallv(send, send_counts, send_places, send_type, receive, receive_counts,
                            receive_places, receive_type, on);
}

#if MPI_VERSION >= 4
inline int alltoallv(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                     MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                     const MPI_Aint* receive_places, MPI_Datatype receive_type, MPI_Comm on) {
    return large().Alltoallv_c(send, send_counts, send_places, send_type, receive, receive_counts,
                               receive_places, receive_type, on);
}
#endif

}  // namespace plain

}  // namespace halocline::endpoints
