// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Latency and bandwidth of messages between ranks, and the time they foretell for an exchange.
#pragma once

#include <span>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/partition/partition_quality.hpp"

namespace halocline::dist {

/// A message of b bytes takes latency_s + b / bytes_per_s.
struct LinkSpeed {
    double latency_s = 0.0;
    double bytes_per_s = 0.0;
};

/// Ping-pong between rank 0 and the last rank while others wait: half the least round trip of 8
/// bytes, and of 1 MiB less the latency. Needs two ranks. Takes some ten milliseconds. Collective.
[[nodiscard]] LinkSpeed measure_link(const Communicator& comm);

/// Seconds of one exchange: the part with most to do sends and receives its messages one after
/// another, both directions at once: max over parts of max over directions of
/// messages * latency + bytes / bandwidth. Nothing else is modelled: no packing, no contention.
[[nodiscard]] double predict_exchange_s(std::span<const PartLink> links, int parts,
                                        std::int64_t bytes_per_element, const LinkSpeed& link);

}  // namespace halocline::dist
