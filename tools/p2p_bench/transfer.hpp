// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What one iteration of a pattern moves on this rank, independent of the way it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halocline::p2p {

/// One message, seen from one of its ends.
struct Transfer {
    int peer = 0;
    int tag = 0;
    std::byte* data = nullptr;  ///< in the memory kind of the path
    std::size_t bytes = 0;
};

/// Messages that travel at the same time.
struct Phase {
    std::vector<Transfer> sends;
    std::vector<Transfer> receives;
};

/// One iteration of a pattern on this rank; every rank has its own.
struct Plan {
    std::string pattern;
    std::vector<Phase> phases;
    int acknowledge_to = -1;    ///< after the phases an empty message goes there
    int acknowledge_from = -1;  ///< after the phases an empty message comes from there
    bool all_ranks = false;     ///< ranks start together, the slowest counts
    int ways = 1;               ///< the time of an iteration is divided by this (ping-pong: 2)
    int window = 1;             ///< messages in flight a direction
    int pairs = 1;
    bool distinct = true;       ///< messages have places of their own
    std::int64_t bytes = 0;     ///< payload of all ranks within (iteration time / ways)
    std::int64_t messages = 0;  ///< of all ranks
};

}  // namespace halocline::p2p
