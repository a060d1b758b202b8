// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory of the host, pinned for copies, or of a device.
#pragma once

#include <cstddef>
#include <string_view>

#include "halocline/core/lifetime.hpp"

namespace halocline {

class Device;

/// Where memory lies: ordinary host memory, host memory pinned for copies, memory of the device.
enum class MemoryKind { host, pinned, device };

/// "host", "pinned" or "device".
[[nodiscard]] std::string_view memory_kind_name(MemoryKind kind) noexcept;

/// Bytes in one kind of memory, owned. Host memory needs no device.
class SpaceBuffer {
public:
    SpaceBuffer() = default;
    /// `bytes` of memory of `kind`, uninitialised. `device` may be null for host memory alone. Where the
    /// device is gone before the buffer, its memory went along. Throws ContractError without a device,
    /// EnvironmentError when memory is short.
    SpaceBuffer(MemoryKind kind, std::size_t bytes, Device* device);
    SpaceBuffer(SpaceBuffer&& other) noexcept;
    SpaceBuffer& operator=(SpaceBuffer&& other) noexcept;
    SpaceBuffer(const SpaceBuffer&) = delete;
    SpaceBuffer& operator=(const SpaceBuffer&) = delete;
    ~SpaceBuffer();

    /// Where the bytes lie.
    [[nodiscard]] MemoryKind kind() const noexcept { return kind_; }
    /// Number of bytes.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_; }
    /// First byte; null where there is none. Host code must not follow it where `kind` is `device`.
    [[nodiscard]] std::byte* data() const noexcept { return data_; }

private:
    MemoryKind kind_ = MemoryKind::host;
    std::size_t bytes_ = 0;
    Device* device_ = nullptr;
    Lifetime::Watch device_alive_;
    std::byte* data_ = nullptr;
};

}  // namespace halocline
