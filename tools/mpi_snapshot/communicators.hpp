// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators and windows as the matrix needs them: which world rank is behind each local one.
#pragma once

#include "counter.hpp"

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace halocline::snapshot {

struct ThreadRecord;

/// Members of a communicator in world ranks; shared by all communicators with the same members.
struct Group {
    std::uint64_t hash;
    int size;
    const int* world_ranks;  // null: the world itself, in its order
    Group* next;

    int world_rank(int rank) const {
        if (rank < 0 || rank >= size) {
            return -1;
        }
        return world_ranks == nullptr ? rank : world_ranks[rank];
    }
};

/// Outgoing neighbours of a topology, in world ranks.
struct Neighbours {
    int count;
    const int* world_ranks;
};

inline constexpr std::uint32_t listed_communicators = 4096;

/// What a collective call needs lies in the first cache line.
struct Communicator {
    std::uint64_t id;  // the same on all members
    Group* local;
    Group* peers;  // remote group of an inter-communicator, else local
    int rank;
    std::uint16_t index;
    bool inter;
    bool listed;     // false: beyond the list, merged into "other"
    int peer_count;  // members of `peers`
    bool waits;      // it has members that may wait for each other
    Counter sequence;
    Counter messages_to_all;  // to each other member
    Counter bytes_to_all;
    std::atomic<Neighbours*> neighbours;
    char name[64];
};
static_assert(offsetof(Communicator, neighbours) == 64);

/// The world and the process itself; before any other function here.
bool start_communicators(bool has_world);

/// Known or looked at now; never null (an unknown one stands for all that memory had no room for).
Communicator& find_communicator(ThreadRecord& record, MPI_Comm handle);
void forget_communicator(MPI_Comm handle);

/// The communicator of a window.
Communicator* find_window(MPI_Win window);
void add_window(MPI_Win window, Communicator& communicator);
void forget_window(MPI_Win window);

/// Where neighbourhood collectives of the caller go; asked once per communicator.
const Neighbours& neighbours_of(Communicator& communicator, MPI_Comm handle);

/// All listed communicators by index.
std::uint32_t communicator_count();
Communicator* communicator_at(std::uint32_t index);

}  // namespace halocline::snapshot
