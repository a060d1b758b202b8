// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The messages of one list of dats: one buffer a direction, packing, unpacking, a transport.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "halocline/dist/halo_transport.hpp"
#include "halocline/dist/network_link.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline::dist {

/// The part of one item in the message of one neighbour.
struct Segment {
    std::size_t item;
    std::size_t neighbour;  ///< position in the pattern of the item's set
    std::size_t offset;     ///< in the plan's buffer [values]
};

/// One direction of a plan: its messages and what is in each.
struct Direction {
    std::vector<WireMessage> messages;
    std::vector<std::vector<Segment>> segments;  ///< by message
    std::size_t size = 0;                        ///< values in all messages
};

/// Everything an exchange of one item list needs again and again. Remembers sizes, no addresses: items
/// may lie elsewhere from call to call.
class ExchangePlan {
public:
    /// `link` is null on the real network. Collective.
    ExchangePlan(const HaloScheme& scheme, MPI_Comm comm, std::span<const HaloItem> items,
                 NetworkLink* link);

    /// Nothing to send or to receive on this rank.
    [[nodiscard]] bool empty() const noexcept {
        return send_.messages.empty() && receive_.messages.empty();
    }

    /// Opens the receives, then packs and sends each message.
    void begin(std::span<const HaloItem> items, HaloLedger& ledger);
    /// Stores what has arrived; returns whether all is done on this rank.
    bool progress(std::span<const HaloItem> items, HaloLedger& ledger);
    /// Stores all as it comes and waits for the sends.
    void end(std::span<const HaloItem> items, HaloLedger& ledger);

private:
    [[nodiscard]] double arrival_of(std::size_t message) const;
    void store(std::size_t message, std::span<const HaloItem> items, HaloLedger& ledger);
    void store_landed(std::span<const HaloItem> items, HaloLedger& ledger, Wait wait);

    NetworkLink* link_;
    std::size_t stamp_;  ///< values behind each message: the time of its arrival, if modelled
    Direction send_;
    Direction receive_;
    Buffer<double> send_buffer_;
    std::unique_ptr<HaloTransport> transport_;
    std::vector<int> landed_;  ///< received, not stored yet
    std::size_t missing_ = 0;  ///< messages not stored yet
};

}  // namespace halocline::dist
