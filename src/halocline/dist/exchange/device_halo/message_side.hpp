// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One direction of a packed exchange: element lists and message memory on the device and for MPI.
#pragma once

#include <span>
#include <vector>

#include "halocline/dist/exchange/device_halo/element_lists.hpp"
#include "halocline/dist/exchange/device_halo/row_mover.hpp"
#include "halocline/dist/exchange/device_halo/staging.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::dist {

/// Where messages lie while MPI has them.
enum class WireMemory { pinned, device };

/// `device` outlives it.
class MessageSide {
public:
    /// Allocates, copies the lists to the device and waits. Throws EnvironmentError when it is full.
    MessageSide(Device& device, WireMemory memory, Way way, const Direction& direction,
                Staging staging, std::span<const HaloItem> items);

    [[nodiscard]] const Staging& staging() const { return staging_; }
    /// Words in all messages.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// What MPI is given: (size) words.
    [[nodiscard]] double* for_mpi() const { return for_mpi_; }

    /// The rows of a step with the present addresses of their dats.
    [[nodiscard]] std::vector<RowSegment> rows(const StagingStep& step,
                                               std::span<const HaloItem> items) const;

    /// Queues the copy of `range` between MPI's memory and the device's, in this side's direction.
    void copy(Stream& stream, const BufferRange& range, HaloLedger& ledger) const;

private:
    Way way_;
    Staging staging_;
    std::size_t size_;
    ElementLists lists_;
    SpaceBuffer on_device_;
    SpaceBuffer pinned_;
    double* for_mpi_ = nullptr;
};

}  // namespace halocline::dist
