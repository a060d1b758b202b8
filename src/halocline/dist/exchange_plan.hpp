// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The messages of one list of dats: buffers, persistent requests, packing and unpacking.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline::dist {

/// The part of one item in the message of one neighbour.
struct Segment {
    std::size_t item;
    std::size_t message_offset;  ///< in the plan's buffer
    std::span<const LocalIndex> elements;
};

/// One message to or from one neighbour.
struct Message {
    int rank;
    std::size_t offset;  ///< in the plan's buffer
    std::size_t count;   ///< values
    std::vector<Segment> segments;
};

/// One direction of a plan: its messages, buffer and persistent requests.
struct Direction {
    std::vector<Message> messages;
    Buffer<double> buffer;
    std::vector<MPI_Request> requests;
    std::size_t count = 0;  ///< values in all messages
};

/// Everything an exchange of one item list needs again and again.
class ExchangePlan {
public:
    ExchangePlan(MPI_Comm comm, std::span<const HaloItem> items);
    ~ExchangePlan();
    ExchangePlan(const ExchangePlan&) = delete;
    ExchangePlan& operator=(const ExchangePlan&) = delete;

    [[nodiscard]] bool empty() const noexcept {
        return send_.messages.empty() && receive_.messages.empty();
    }
    [[nodiscard]] std::int64_t messages() const noexcept {
        return static_cast<std::int64_t>(send_.messages.size());
    }
    [[nodiscard]] std::int64_t bytes() const noexcept {
        return static_cast<std::int64_t>(send_.count * sizeof(double));
    }

    /// Starts the receives, then packs and starts each send.
    void begin(std::span<const HaloItem> items);
    /// Stores each message as it comes and waits for the sends.
    void end(std::span<const HaloItem> items);

private:
    void make_requests(MPI_Comm comm);

    Direction send_;
    Direction receive_;
};

}  // namespace halocline::dist
