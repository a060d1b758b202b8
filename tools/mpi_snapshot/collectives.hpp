// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What collective calls add to sizes, to the matrix and to the sample.
#pragma once

#include "call.hpp"
#include "communicators.hpp"
#include "family.hpp"
#include "samples.hpp"
#include "sizes.hpp"

namespace halocline::snapshot {

/// Counts one collective call of a communicator; keeps its duration if it is one of the sample.
inline Communicator& note_collective(Call& call, MPI_Comm comm) {
    Communicator& communicator = find_communicator(call.record(), comm);
    if (call.planning()) {
        return communicator;
    }
    const std::uint64_t sequence = communicator.sequence.get();
    communicator.sequence.add(1);
    if (!communicator.inter) {
        call.set_members(communicator.local->size);
    }
    if (call.kind() != Kind::start && communicator.waits) {
        note_sample(communicator, sequence, call.function(), call.elapsed_ticks());
    }
    return communicator;
}

inline void add_to_one(Call& call, int world_rank, std::uint64_t bytes) {
    Peer* peer = call.planning() ? nullptr : call.record().peer(world_rank);
    if (peer != nullptr) {
        peer->collective_messages.add(1);
        peer->collective_bytes.add(bytes);
    }
}

inline void add_to_all(Call& call, Communicator& communicator, std::uint64_t bytes) {
    if (call.planning()) {
        return;
    }
    if (communicator.listed) [[likely]] {
        communicator.messages_to_all.add(1);
        communicator.bytes_to_all.add(bytes);
        return;
    }
    // Beyond the list nobody would find the two sums again.
    for (int rank = 0; rank < communicator.peers->size; ++rank) {
        if (communicator.inter || rank != communicator.rank) {
            add_to_one(call, communicator.peers->world_rank(rank), bytes);
        }
    }
}

/// A piece for each member but the caller; returns the sum with the caller's own piece.
template <class Sizes>
std::uint64_t add_pieces(Call& call, Communicator& communicator, const Sizes& sizes) {
    if constexpr (std::is_same_v<Sizes, SameSize>) {
        add_to_all(call, communicator, sizes.bytes);
        return sizes.bytes * static_cast<std::uint64_t>(communicator.peer_count);
    } else {
        const Group& peers = *communicator.peers;
        std::uint64_t sum = 0;
        for (int rank = 0; rank < peers.size; ++rank) {
            const std::uint64_t bytes = sizes(rank);
            sum += bytes;
            if (communicator.inter || rank != communicator.rank) {
                add_to_one(call, peers.world_rank(rank), bytes);
            }
        }
        return sum;
    }
}

template <class Sizes>
std::uint64_t sum_of(const Communicator& communicator, const Sizes& sizes) {
    std::uint64_t sum = 0;
    for (int rank = 0; rank < communicator.peers->size; ++rank) {
        sum += sizes(rank);
    }
    return sum;
}

/// The caller's data goes to every other member.
inline void note_to_all(Call& call, MPI_Comm comm, std::uint64_t bytes, const void* buffer) {
    Communicator& communicator = note_collective(call, comm);
    call.set_size(bytes, buffer);
    add_to_all(call, communicator, bytes);
}

template <class Size>
void note_broadcast(Call& call, MPI_Comm comm, int root, const void* buffer, Size size) {
    Communicator& communicator = note_collective(call, comm);
    if (root == MPI_PROC_NULL) {
        return;
    }
    const std::uint64_t bytes = size();
    call.set_size(bytes, buffer);
    if (communicator.inter ? root == MPI_ROOT : root == communicator.rank) {
        add_to_all(call, communicator, bytes);
    }
}

/// `own` gives the size of the caller's send arguments, `places` a functor of the root's pieces.
template <class Own, class Places>
void note_gather(Call& call, MPI_Comm comm, int root, const void* sendbuf, const void* recvbuf,
                 Own own, Places places) {
    Communicator& communicator = note_collective(call, comm);
    if (root == MPI_PROC_NULL) {
        return;
    }
    if (communicator.inter && root == MPI_ROOT) {
        call.set_size(sum_of(communicator, places()), recvbuf);
        return;
    }
    const bool at_root = !communicator.inter && root == communicator.rank;
    const std::uint64_t bytes = is_in_place(sendbuf) ? places()(communicator.rank) : own();
    call.set_size(bytes, buffer_of(sendbuf, recvbuf));
    if (!at_root) {
        add_to_one(call, communicator.peers->world_rank(root), bytes);
    }
}

template <class Own, class Pieces>
void note_scatter(Call& call, MPI_Comm comm, int root, const void* sendbuf, const void* recvbuf,
                  Own own, Pieces pieces) {
    Communicator& communicator = note_collective(call, comm);
    if (root == MPI_PROC_NULL) {
        return;
    }
    if (communicator.inter && root == MPI_ROOT) {
        call.set_size(add_pieces(call, communicator, pieces()), sendbuf);
        return;
    }
    if (communicator.inter || root != communicator.rank) {
        call.set_size(own(), recvbuf);
        return;
    }
    const auto sizes = pieces();
    add_pieces(call, communicator, sizes);
    call.set_size(sizes(communicator.rank), sendbuf);
}

template <class Own, class Places>
void note_allgather(Call& call, MPI_Comm comm, const void* sendbuf, const void* recvbuf, Own own,
                    Places places) {
    Communicator& communicator = note_collective(call, comm);
    const std::uint64_t bytes = is_in_place(sendbuf) ? places()(communicator.rank) : own();
    call.set_size(bytes, buffer_of(sendbuf, recvbuf));
    add_to_all(call, communicator, bytes);
}

template <class Sends, class Receives>
void note_alltoall(Call& call, MPI_Comm comm, const void* sendbuf, const void* recvbuf, Sends sends,
                   Receives receives) {
    Communicator& communicator = note_collective(call, comm);
    const std::uint64_t bytes = is_in_place(sendbuf) ? add_pieces(call, communicator, receives())
                                                     : add_pieces(call, communicator, sends());
    call.set_size(bytes, buffer_of(sendbuf, recvbuf));
}

template <class Size>
void note_reduce(Call& call, MPI_Comm comm, int root, const void* sendbuf, const void* recvbuf,
                 Size size) {
    Communicator& communicator = note_collective(call, comm);
    if (root == MPI_PROC_NULL) {
        return;
    }
    const std::uint64_t bytes = size();
    const bool at_root = communicator.inter ? root == MPI_ROOT : root == communicator.rank;
    call.set_size(bytes, at_root && communicator.inter ? recvbuf : buffer_of(sendbuf, recvbuf));
    if (!at_root) {
        add_to_one(call, communicator.peers->world_rank(root), bytes);
    }
}

template <class Pieces>
void note_reduce_scatter(Call& call, MPI_Comm comm, const void* buffer, Pieces pieces) {
    Communicator& communicator = note_collective(call, comm);
    const auto sizes = pieces();
    if (!communicator.inter) {
        call.set_size(add_pieces(call, communicator, sizes), buffer);
        return;
    }
    // Counts are those of the local group there: what each remote rank gets is not in the arguments.
    std::uint64_t sum = 0;
    for (int rank = 0; rank < communicator.local->size; ++rank) {
        sum += sizes(rank);
    }
    call.set_size(sum, buffer);
}

/// Prefix operations: the caller's data goes to all higher ranks.
inline void note_scan(Call& call, MPI_Comm comm, std::uint64_t bytes, const void* buffer) {
    Communicator& communicator = note_collective(call, comm);
    call.set_size(bytes, buffer);
    for (int rank = communicator.rank + 1; rank < communicator.local->size; ++rank) {
        add_to_one(call, communicator.local->world_rank(rank), bytes);
    }
}

/// Neighbours only wait for each other: these calls are no sample of a common wait.
template <class Sizes>
std::uint64_t add_to_neighbours(Call& call, MPI_Comm comm, Sizes sizes) {
    Communicator& communicator = find_communicator(call.record(), comm);
    if (!call.planning()) {
        communicator.sequence.add(1);
    }
    const Neighbours& neighbours = neighbours_of(communicator, comm);
    std::uint64_t sum = 0;
    for (int i = 0; i < neighbours.count; ++i) {
        if (neighbours.world_ranks[i] >= 0) {
            sum += sizes(i);
            add_to_one(call, neighbours.world_ranks[i], sizes(i));
        }
    }
    return sum;
}

inline void note_neighbor_allgather(Call& call, MPI_Comm comm, const void* buffer,
                                    std::uint64_t bytes) {
    add_to_neighbours(call, comm, SameSize{bytes});
    call.set_size(bytes, buffer);
}

template <class Sizes>
void note_neighbor_alltoall(Call& call, MPI_Comm comm, const void* buffer, Sizes sizes) {
    call.set_size(add_to_neighbours(call, comm, sizes()), buffer);
}

}  // namespace halocline::snapshot
