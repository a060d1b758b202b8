// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The wrapped collectives: MPI's arguments, and the address that the call came from.
#pragma once

#include "collectives/advice.hpp"
#include "collectives/call_count.hpp"
#include "collectives/collective.hpp"
#include "collectives/plain.hpp"

namespace halocline::endpoints {

int allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
              MPI_Comm communicator, const void* caller);
int reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm communicator, const void* caller);
int bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator,
          const void* caller);
int allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
              MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm communicator,
              const void* caller);
int alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
             MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm communicator,
             const void* caller);

/// One side of MPI_Alltoallv (ints) or MPI_Alltoallv_c: a block for each rank.
template <class Count, class Place>
struct Blocks {
    void* buffer = nullptr;
    const Count* counts = nullptr;
    const Place* places = nullptr;  ///< in elements
    MPI_Datatype type{};
};
template <class Count, class Place>
int alltoallv(const Blocks<Count, Place>& send, const Blocks<Count, Place>& receive,
              MPI_Comm communicator, const void* caller);

/// Whether a call may be looked at: the library is at work, this thread is not inside it, and the
/// handles are ones that can be asked (MPI itself complains of the others). Counts the call.
[[nodiscard]] inline bool may_split(MPI_Comm communicator, MPI_Datatype type) {
    if (Guard::held()) {
        return false;
    }
    CallCount::add();
    return Session::get().mode() != Mode::off && communicator != MPI_COMM_NULL &&
           type != MPI_DATATYPE_NULL;
}

/// Whether a call is left alone because this run only watches, and the call is short.
[[nodiscard]] inline bool too_short_to_watch(std::size_t bytes) {
    return bytes < watched_bytes && Session::get().mode() == Mode::watching;
}

/// Whether the program, and not MPI itself (its file input and output), made a call. MPI may hold
/// its own locks then, which the workers would wait for. Counts calls that it did not make.
[[nodiscard]] bool called_by_program(Function function, const void* caller);

}  // namespace halocline::endpoints
