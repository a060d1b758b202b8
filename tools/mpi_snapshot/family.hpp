// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What differs between Open MPI and MPICH: predefined handles and the private part of a status.
//
// Open MPI's predefined handles are addresses of data in its library. Naming them (MPI_COMM_WORLD)
// would make this library need libmpi, and then /bin/true would not start under LD_PRELOAD; they are
// looked up by name instead.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>

namespace halocline::snapshot {

struct Predefined {
    MPI_Comm world;
    MPI_Comm self;
    MPI_Comm no_comm;
    MPI_Request no_request;
    MPI_Group no_group;
    MPI_Message no_message;
};
extern Predefined predefined;

/// Fills `predefined`; the MPI library of the process is of this family (preload/mpi_library.hpp).
void find_predefined(void* (*find)(const char* name));

/// A handle as a key of tables: pointers and ints alike. `kind` keeps types of handles apart.
template <class Handle>
std::uint64_t key_of(Handle handle, std::uint64_t kind) {
    // The size of a pointer is meant.  NOLINTBEGIN(bugprone-sizeof-expression)
    static_assert(sizeof(Handle) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &handle, sizeof(Handle));
    // NOLINTEND(bugprone-sizeof-expression)
    return bits ^ (kind << 56);
}

inline bool is_cancelled(const MPI_Status& status) {
#if defined(OPEN_MPI)
    return status._cancelled != 0;
#else
    return (status.count_hi_and_cancelled & 1) != 0;
#endif
}

/// Bytes that arrived (or were read or written), whatever the datatype. Not for cancelled requests; and
/// Open MPI leaves the flag of cancellation as it was in the statuses of files.
inline std::uint64_t bytes_in(const MPI_Status& status) {
#if defined(OPEN_MPI)
    return status._ucount;
#else
    const auto high = static_cast<unsigned>(status.count_hi_and_cancelled) >> 1;
    return (static_cast<std::uint64_t>(high) << 32) | static_cast<unsigned>(status.count_lo);
#endif
}

}  // namespace halocline::snapshot
