// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Message sizes from counts and datatypes.
#pragma once

#include "functions.hpp"

#include <mpi.h>

#include <cstdint>

namespace halocline::snapshot {

inline std::uint64_t type_bytes(MPI_Datatype datatype) {
    int size = 0;
    if (real.MPI_Type_size(datatype, &size) == MPI_SUCCESS && size != MPI_UNDEFINED) {
        return static_cast<std::uint64_t>(size);
    }
    MPI_Count large = 0;  // above 2 GB
    real.MPI_Type_size_x(datatype, &large);
    return large > 0 ? static_cast<std::uint64_t>(large) : 0;
}

template <class Count>
std::uint64_t bytes_of(Count count, MPI_Datatype datatype) {
    return count <= 0 ? 0 : static_cast<std::uint64_t>(count) * type_bytes(datatype);
}

/// The same size for every rank.
struct SameSize {
    std::uint64_t bytes;
    std::uint64_t operator()(int) const { return bytes; }
};

/// One count a rank, one datatype.
template <class Count>
struct CountedSizes {
    const Count* counts;
    std::uint64_t element_bytes;
    std::uint64_t operator()(int rank) const {
        return static_cast<std::uint64_t>(counts[rank]) * element_bytes;
    }
};

/// One count and one datatype a rank.
template <class Count>
struct TypedSizes {
    const Count* counts;
    const MPI_Datatype* types;
    std::uint64_t operator()(int rank) const { return bytes_of(counts[rank], types[rank]); }
};

template <class Count>
SameSize sizes_of(Count count, MPI_Datatype datatype) {
    return {bytes_of(count, datatype)};
}
template <class Count>
CountedSizes<Count> sizes_of(const Count* counts, MPI_Datatype datatype) {
    return {counts, type_bytes(datatype)};
}
template <class Count>
TypedSizes<Count> sizes_of(const Count* counts, const MPI_Datatype* types) {
    return {counts, types};
}

inline bool is_in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }
inline const void* buffer_of(const void* sendbuf, const void* recvbuf) {
    return is_in_place(sendbuf) ? recvbuf : sendbuf;
}

}  // namespace halocline::snapshot
