// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/launch_memory.hpp"

#include <algorithm>

#include "halocline/backend/device/views/views.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::device {

namespace {

constexpr std::size_t ticket_bytes = ticket_words * sizeof(unsigned);

}  // namespace

unsigned* LaunchMemory::ticket(int stream) {
    while (tickets_.size() <= static_cast<std::size_t>(stream)) {
        const Buffer<std::uint64_t> zeros(ticket_bytes / sizeof(std::uint64_t), 0);
        tickets_.emplace_back(MemoryKind::device, ticket_bytes, &device_);
        copy_now(device_, tickets_.back().data(), zeros.data(), ticket_bytes,
                 CopyDirection::to_device);
    }
    return reinterpret_cast<unsigned*>(tickets_[static_cast<std::size_t>(stream)].data());
}

double* LaunchMemory::contributions(int stream, std::int64_t values) {
    const auto number = static_cast<std::size_t>(stream);
    contributions_.resize(std::max(contributions_.size(), number + 1));
    std::vector<SpaceBuffer>& buffers = contributions_[number];
    const std::size_t bytes = static_cast<std::size_t>(values) * sizeof(double);
    if (buffers.empty() || buffers.back().size_bytes() < bytes) {
        buffers.emplace_back(MemoryKind::device, bytes, &device_);
    }
    return reinterpret_cast<double*>(buffers.back().data());
}

}  // namespace halocline::device
