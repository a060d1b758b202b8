// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Allocates once; later calls only resolve addresses and queue copies.
#include "halocline/dist/exchange/device_halo/message_side.hpp"

#include <utility>

namespace halocline::dist {

namespace {

double* values_of(const SpaceBuffer& buffer) { return reinterpret_cast<double*>(buffer.data()); }

}  // namespace

MessageSide::MessageSide(Device& device, WireMemory memory, Way way, const Direction& direction,
                         Staging staging, std::span<const HaloItem> items)
    : way_(way), staging_(std::move(staging)), size_(direction.size), lists_(device, way, items) {
    if (size_ == 0) {
        return;
    }
    const std::size_t bytes = size_ * sizeof(double);
    on_device_ = SpaceBuffer(MemoryKind::device, bytes, &device);
    if (memory == WireMemory::pinned) {
        pinned_ = SpaceBuffer(MemoryKind::pinned, bytes, &device);
        for_mpi_ = values_of(pinned_);
    } else {
        for_mpi_ = static_cast<double*>(device.mpi_address(on_device_.data()));
    }
}

std::vector<RowSegment> MessageSide::rows(const StagingStep& step,
                                          std::span<const HaloItem> items) const {
    std::vector<RowSegment> made;
    for (const Segment& segment : step.rows) {
        made.push_back({items[segment.item].dat, lists_.of(segment, items),
                        lists_.count(segment, items), values_of(on_device_) + segment.offset});
    }
    return made;
}

void MessageSide::copy(Stream& stream, const BufferRange& range, HaloLedger& ledger) const {
    double* device = values_of(on_device_) + range.offset;
    double* host = for_mpi_ + range.offset;
    const std::size_t bytes = range.count * sizeof(double);
    if (way_ == Way::send) {
        stream.copy(host, device, bytes, CopyDirection::to_host);
    } else {
        stream.copy(device, host, bytes, CopyDirection::to_device);
    }
    ++ledger.link_copies;
    ledger.link_bytes += static_cast<std::int64_t>(bytes);
}

}  // namespace halocline::dist
