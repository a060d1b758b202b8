// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What is in the messages of an exchange: one a neighbour for all dats, the same on every kind of rank.
#pragma once

#include <span>
#include <vector>

#include "halocline/dist/exchange/halo_transport.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline::dist {

/// The part of one item in the message of one neighbour: component after component, element after
/// element, in the order of the item's pattern. Values lie as they are stored; what is left of the last
/// word means nothing.
struct Segment {
    std::size_t item = 0;
    std::size_t neighbour = 0;  ///< position in the pattern of the item's set
    std::size_t offset = 0;     ///< in the direction's buffer [words of eight bytes]
    std::size_t count = 0;      ///< [words]
};

/// One direction of an exchange: its messages and what is in each.
struct Direction {
    std::vector<WireMessage> messages;
    std::vector<std::vector<Segment>> segments;  ///< by message
    std::vector<std::size_t> bytes;              ///< of values, by message
    std::size_t size = 0;                        ///< words in all messages
};

/// Local numbers of the owned elements that neighbour `k` of the pattern gets, in the order of the message.
[[nodiscard]] std::span<const LocalIndex> sent_elements(const HaloPattern& halo, std::size_t k);
/// Local numbers of the halo elements that neighbour `k` of the pattern sends, in the order of the message.
[[nodiscard]] std::span<const LocalIndex> received_elements(const HaloPattern& halo, std::size_t k);

/// Messages by ascending rank, each followed by `stamp` words. Throws ContractError when one is too
/// long for MPI's counts.
[[nodiscard]] Direction lay_out_sends(std::span<const HaloItem> items, std::size_t stamp = 0);
[[nodiscard]] Direction lay_out_receives(std::span<const HaloItem> items, std::size_t stamp = 0);

}  // namespace halocline::dist
