// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies between host and device, counted.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace halocline {

/// Between host and device, or within the device.
enum class CopyDirection { to_device, to_host, on_device };

/// Copies that a device was asked for, by direction; counted when they are submitted.
struct TransferCounts {
    std::int64_t to_device_copies = 0;  ///< copies from host to device
    std::int64_t to_device_bytes = 0;   ///< bytes in them
    std::int64_t to_host_copies = 0;    ///< copies from device to host
    std::int64_t to_host_bytes = 0;     ///< bytes in them
    std::int64_t on_device_copies = 0;  ///< copies within the device
    std::int64_t on_device_bytes = 0;   ///< bytes in them

    /// Copies over the link between host and device, both directions.
    [[nodiscard]] std::int64_t link_copies() const { return to_device_copies + to_host_copies; }
    /// Bytes over the link between host and device, both directions.
    [[nodiscard]] std::int64_t link_bytes() const { return to_device_bytes + to_host_bytes; }
};

/// Counts of a device that several streams add to.
class TransferCounter {
public:
    /// Counts one copy. Any thread.
    void add(CopyDirection direction, std::size_t bytes) noexcept;
    /// The counts so far. Any thread.
    [[nodiscard]] TransferCounts read() const noexcept;

private:
    struct Account {
        std::atomic<std::int64_t> copies{0};
        std::atomic<std::int64_t> bytes{0};
    };
    std::array<Account, 3> accounts_;
};

}  // namespace halocline
