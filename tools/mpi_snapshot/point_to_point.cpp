// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Starting persistent requests.
#include "point_to_point.hpp"

namespace halocline::snapshot {

std::uint64_t start_request(Call& call, MPI_Request request, bool& receives) {
    TrackedRequest entry;
    if (!find_request(request, entry)) {
        return 0;
    }
    activate_request(request, call.function());
    receives = receives || entry.receives;
    if (entry.receives) {
        return 0;
    }
    if (entry.peer >= 0) {
        add_sent(call, entry.peer, entry.bytes);
    }
    return entry.bytes;
}

void note_start(Call& call, MPI_Request request) {
    bool receives = false;
    const std::uint64_t bytes = start_request(call, request, receives);
    if (receives) {
        call.defer_size();
    } else {
        call.set_size(bytes, nullptr);
    }
}

void note_starts(Call& call, int count, const MPI_Request* requests) {
    std::uint64_t bytes = 0;
    bool receives = false;
    for (int i = 0; i < count; ++i) {
        bytes += start_request(call, requests[i], receives);
    }
    call.set_size(bytes, nullptr);
}

}  // namespace halocline::snapshot
