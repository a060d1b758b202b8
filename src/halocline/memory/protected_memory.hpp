// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory mapped twice: an address that nobody may touch, and a hidden one for who may.
#pragma once

#include <cstddef>

namespace halocline {

/// Memory of the emulated device. `front` is what the program holds: reading or writing it is a
/// segmentation fault, at any time and in any thread. `alias` shows the same bytes to the device.
class ProtectedMemory {
public:
    /// `bytes` of new memory, rounded up to pages.
    explicit ProtectedMemory(std::size_t bytes);
    /// Maps the memory of another process of this host once more.
    ProtectedMemory(int process, int descriptor, std::size_t bytes);
    ProtectedMemory(ProtectedMemory&& other) noexcept;
    ProtectedMemory(const ProtectedMemory&) = delete;
    ProtectedMemory& operator=(const ProtectedMemory&) = delete;
    ~ProtectedMemory();

    /// What the program holds.
    [[nodiscard]] std::byte* front() const noexcept { return front_; }
    /// What the device uses.
    [[nodiscard]] std::byte* alias() const noexcept { return alias_; }
    /// Size in whole pages.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_; }
    /// The file that the memory is, for other processes.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

private:
    void map();

    std::size_t bytes_ = 0;  // whole pages
    int descriptor_ = -1;
    std::byte* front_ = nullptr;
    std::byte* alias_ = nullptr;
};

/// From now on a fault on memory of an emulated device says so in one sentence before the process
/// ends by its signal.
void explain_device_faults();

}  // namespace halocline
