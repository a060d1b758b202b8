// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pinned memory beside the messages of a plan, and the two streams that fill and empty it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "halocline/memory/device.hpp"
#include "transfer.hpp"

namespace halocline::p2p {

/// Staging area of one direction: each message of a phase has its place, one after the other.
class StagingArea {
public:
    void fit(Device& device, std::size_t bytes) {
        if (area_.size_bytes() < bytes) {
            area_ = SpaceBuffer(MemoryKind::pinned, bytes, &device);
        }
    }
    [[nodiscard]] std::byte* data() const { return area_.data(); }

private:
    SpaceBuffer area_;
};

/// Both directions. Copies out of the device and into it have a stream each, as hardware has.
struct Staging {
    explicit Staging(Device& of)
        : device(of), to_host(of.make_stream()), to_device(of.make_stream()) {}

    void fit(const Plan& plan) {
        std::size_t send_bytes = 0;
        std::size_t receive_bytes = 0;
        for (const Phase& phase : plan.phases) {
            send_bytes = std::max(send_bytes, total_bytes(phase.sends));
            receive_bytes = std::max(receive_bytes, total_bytes(phase.receives));
        }
        outgoing.fit(device, send_bytes);
        incoming.fit(device, receive_bytes);
    }

    static std::size_t total_bytes(std::span<const Transfer> transfers) {
        std::size_t bytes = 0;
        for (const Transfer& transfer : transfers) {
            bytes += transfer.bytes;
        }
        return bytes;
    }

    Device& device;
    std::unique_ptr<Stream> to_host;
    std::unique_ptr<Stream> to_device;
    StagingArea outgoing;
    StagingArea incoming;
};

}  // namespace halocline::p2p
