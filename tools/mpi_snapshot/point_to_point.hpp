// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What point-to-point and one-sided calls add to sizes and to the communication matrix.
#pragma once

#include "call.hpp"
#include "requests.hpp"
#include "sizes.hpp"

namespace halocline::snapshot {

inline void add_sent(Call& call, int world_rank, std::uint64_t bytes) {
    if (Peer* peer = call.record().peer(world_rank)) {
        peer->sent_messages.add(1);
        peer->sent_bytes.add(bytes);
    } else {
        call.record().unknown_peer_bytes.add(bytes);
    }
}

inline void add_received(Call& call, const Group* group, const MPI_Status& status) {
    const std::uint64_t bytes = bytes_in(status);
    FunctionStats* stats = call.record().stats(call.function());
    if (stats != nullptr) {
        stats->received_bytes.add(bytes);
    }
    if (status.MPI_SOURCE == MPI_PROC_NULL) {
        return;
    }
    const int source = group == nullptr ? -1 : group->world_rank(status.MPI_SOURCE);
    if (Peer* peer = call.record().peer(source)) {
        peer->received_messages.add(1);
        peer->received_bytes.add(bytes);
    } else {
        call.record().unknown_peer_bytes.add(bytes);
        call.record().unknown_peer_received_bytes.add(bytes);
    }
}

inline void note_send(Call& call, MPI_Comm comm, int dest, const void* buffer,
                      std::uint64_t bytes) {
    if (dest == MPI_PROC_NULL) {
        return;
    }
    call.set_size(bytes, buffer);
    add_sent(call, find_communicator(call.record(), comm).peers->world_rank(dest), bytes);
}

inline void note_receive(Call& call, const Group* group, const void* buffer,
                         const MPI_Status& status) {
    call.set_size(bytes_in(status), buffer);
    add_received(call, group, status);
}
inline void note_receive(Call& call, MPI_Comm comm, const void* buffer, const MPI_Status& status) {
    note_receive(call, find_communicator(call.record(), comm).peers, buffer, status);
}

/// The second half of Sendrecv.
inline void note_also_received(Call& call, MPI_Comm comm, const MPI_Status& status) {
    add_received(call, find_communicator(call.record(), comm).peers, status);
}

inline TrackedRequest tracked_receive(Call& call, Group* group, const void* buffer) {
    TrackedRequest entry{};
    entry.group = group;
    entry.peer = -1;
    entry.function = call.function();
    entry.receives = true;
    entry.device = is_device_memory(buffer);
    return entry;
}

inline void track_receive(Call& call, MPI_Request request, Group* group, const void* buffer) {
    call.defer_size();
    track_request(request, tracked_receive(call, group, buffer));
}
inline void track_receive(Call& call, MPI_Request request, MPI_Comm comm, const void* buffer) {
    track_receive(call, request, find_communicator(call.record(), comm).peers, buffer);
}

inline void track_persistent_send(Call& call, MPI_Request request, MPI_Comm comm, int dest,
                                  const void* buffer, std::uint64_t bytes) {
    TrackedRequest entry{};
    const Group* group = find_communicator(call.record(), comm).peers;
    entry.peer = dest == MPI_PROC_NULL ? -1 : group->world_rank(dest);
    entry.bytes = dest == MPI_PROC_NULL ? 0 : bytes;
    entry.function = call.function();
    entry.persistent = true;
    entry.device = is_device_memory(buffer);
    track_request(request, entry);
}

inline void track_persistent_receive(Call& call, MPI_Request request, MPI_Comm comm,
                                     const void* buffer) {
    TrackedRequest entry =
        tracked_receive(call, find_communicator(call.record(), comm).peers, buffer);
    entry.persistent = true;
    track_request(request, entry);
}

inline void track_message(Call& call, MPI_Message message, MPI_Comm comm) {
    if (message != predefined.no_message) {
        track_message(message, find_communicator(call.record(), comm).peers);
    }
}

/// What a start of one persistent request sends; receives are counted when they complete.
std::uint64_t start_request(Call& call, MPI_Request request, bool& receives);
void note_start(Call& call, MPI_Request request);

void note_starts(Call& call, int count, const MPI_Request* requests);

inline void note_put(Call& call, MPI_Win window, int target, const void* buffer,
                     std::uint64_t bytes) {
    if (target == MPI_PROC_NULL) {
        return;
    }
    call.set_size(bytes, buffer);
    const Communicator* communicator = find_window(window);
    const int rank = communicator == nullptr ? -1 : communicator->local->world_rank(target);
    if (Peer* peer = call.record().peer(rank)) {
        peer->put_messages.add(1);
        peer->put_bytes.add(bytes);
    }
}

inline void note_get(Call& call, MPI_Win window, int target, const void* buffer,
                     std::uint64_t bytes) {
    if (target == MPI_PROC_NULL) {
        return;
    }
    call.set_size(bytes, buffer);
    const Communicator* communicator = find_window(window);
    const int rank = communicator == nullptr ? -1 : communicator->local->world_rank(target);
    if (Peer* peer = call.record().peer(rank)) {
        peer->get_messages.add(1);
        peer->get_bytes.add(bytes);
    }
}

}  // namespace halocline::snapshot
