// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The usual two-parameter model of a network (R. W. Hockney, The communication challenge for MPP,
// Parallel Computing 20, 1994, doi:10.1016/S0167-8191(06)80021-9).
#include "halocline/dist/exchange/link_speed.hpp"

#include <algorithm>
#include <vector>

#include "halocline/core/clock.hpp"

namespace halocline::dist {

namespace {

constexpr int ping_tag = 7302;
constexpr int large_bytes = 1 << 20;

void pass(const Communicator& comm, std::vector<char>& message, int bytes) {
    const bool first = comm.rank() == 0;
    const int peer = first ? comm.size() - 1 : 0;
    const auto send = [&] {
        check_mpi(MPI_Send(message.data(), bytes, MPI_BYTE, peer, ping_tag, comm.get()),
                  "MPI_Send");
    };
    const auto receive = [&] {
        check_mpi(MPI_Recv(message.data(), bytes, MPI_BYTE, peer, ping_tag, comm.get(),
                           MPI_STATUS_IGNORE),
                  "MPI_Recv");
    };
    if (first) {
        send();
        receive();
    } else {
        receive();
        send();
    }
}

/// Least half round trip: what the network can do when nobody else has the core.
double half_round_trip(const Communicator& comm, int bytes, int repeats) {
    std::vector<char> message(static_cast<std::size_t>(bytes), 'x');
    double least_s = 1e30;
    pass(comm, message, bytes);  // connections and buffers are made at the first
    for (int i = 0; i < repeats; ++i) {
        const double start_s = wall_seconds();
        pass(comm, message, bytes);
        least_s = std::min(least_s, 0.5 * (wall_seconds() - start_s));
    }
    return least_s;
}

}  // namespace

LinkSpeed measure_link(const Communicator& comm) {
    LinkSpeed link;
    comm.barrier();
    if (comm.rank() == 0 || comm.rank() == comm.size() - 1) {
        link.latency_s = half_round_trip(comm, 8, 200);
        const double large_s = half_round_trip(comm, large_bytes, 20);
        link.bytes_per_s = large_bytes / std::max(large_s - link.latency_s, 1e-9);
    }
    check_mpi(MPI_Bcast(&link, 2, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
    return link;
}

double predict_exchange_s(std::span<const PartLink> links, int parts,
                          std::int64_t bytes_per_element, const LinkSpeed& link) {
    std::vector<double> sending_s(static_cast<std::size_t>(parts), 0.0);
    std::vector<double> receiving_s(static_cast<std::size_t>(parts), 0.0);
    for (const PartLink& pair : links) {
        const auto bytes = static_cast<double>(pair.elements * bytes_per_element);
        const double message_s = link.latency_s + bytes / link.bytes_per_s;
        sending_s[static_cast<std::size_t>(pair.from)] += message_s;
        receiving_s[static_cast<std::size_t>(pair.to)] += message_s;
    }
    double slowest_s = 0.0;
    for (std::size_t part = 0; part < sending_s.size(); ++part) {
        slowest_s = std::max({slowest_s, sending_s[part], receiving_s[part]});
    }
    return slowest_s;
}

}  // namespace halocline::dist
