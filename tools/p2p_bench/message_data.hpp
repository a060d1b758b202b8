// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Known bytes for every message, and the check that exactly they arrived.
#pragma once

#include <cstdint>

#include "halocline/core/communicator.hpp"
#include "path.hpp"

namespace halocline::p2p {

/// Byte `index` of a message: a hash of sender, receiver, tag, round and place, so that a byte of
/// another message, another round or another place does not pass.
struct MessageId {
    int sender = 0;
    int receiver = 0;
    int tag = 0;
    std::uint64_t round = 0;
};
void fill_message(const MessageId& id, std::span<std::byte> bytes);
/// First byte that is not what `fill_message` wrote, or -1.
[[nodiscard]] std::int64_t first_wrong_byte(const MessageId& id, std::span<const std::byte> bytes);

/// Runs one iteration with fresh data and compares every byte received. Returns the seconds of the
/// iteration. Throws RunError on every rank, naming path, pattern, sizes and the first wrong byte.
/// Collective.
double prove(const Communicator& comm, Path& path, const Plan& plan, Device* device,
             std::uint64_t round);

}  // namespace halocline::p2p
