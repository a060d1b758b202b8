// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Everything the rules of rules.toml may call.
#pragma once

#include "call.hpp"
#include "collectives.hpp"
#include "communicators.hpp"
#include "point_to_point.hpp"
#include "requests.hpp"
#include "sizes.hpp"

#include "text.hpp"

namespace halocline::snapshot {

inline Communicator& find_communicator(Call& call, MPI_Comm comm) {
    return find_communicator(call.record(), comm);
}

/// A collective call on `parent` that made a communicator for some of its members.
inline void note_new_communicator(Call& call, MPI_Comm parent, MPI_Comm made) {
    note_collective(call, parent);
    if (made != predefined.no_comm) {
        find_communicator(call, made);
    }
}

inline void name_communicator(Call& call, MPI_Comm comm, const char* name) {
    Communicator& communicator = find_communicator(call, comm);
    if (communicator.listed && name != nullptr) {
        copy_text(communicator.name, name);
    }
}

inline void note_new_window(Call& call, MPI_Comm comm, MPI_Win window) {
    add_window(window, note_collective(call, comm));
}

inline void Call::make_persistent(MPI_Request request) {
    TrackedRequest entry{};
    entry.bytes = size_;
    entry.peer = -1;
    entry.function = function_;
    entry.persistent = true;
    entry.device = device_;
    track_request(request, entry);
    size_ = 0;
    device_ = false;
}

}  // namespace halocline::snapshot
