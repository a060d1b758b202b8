// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/launch_memory.hpp"

#include "halocline/backend/device/views/views.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::device {

namespace {

constexpr std::size_t ticket_bytes = ticket_words * sizeof(unsigned);

}  // namespace

unsigned* LaunchMemory::ticket() {
    if (ticket_.data() == nullptr) {
        const Buffer<std::uint64_t> zeros(ticket_bytes / sizeof(std::uint64_t), 0);
        ticket_ = SpaceBuffer(MemoryKind::device, ticket_bytes, &device_);
        copy_now(device_, ticket_.data(), zeros.data(), ticket_bytes, CopyDirection::to_device);
    }
    return reinterpret_cast<unsigned*>(ticket_.data());
}

double* LaunchMemory::contributions(std::int64_t values) {
    const std::size_t bytes = static_cast<std::size_t>(values) * sizeof(double);
    if (contributions_.empty() || contributions_.back().size_bytes() < bytes) {
        contributions_.emplace_back(MemoryKind::device, bytes, &device_);
    }
    return reinterpret_cast<double*>(contributions_.back().data());
}

}  // namespace halocline::device
