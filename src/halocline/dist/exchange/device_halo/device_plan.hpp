// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the plans of all device schemes share, and the two ways in which they work.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "halocline/dist/exchange/device_halo/message_side.hpp"
#include "halocline/dist/exchange/device_halo/row_mover.hpp"
#include "halocline/dist/exchange/device_halo/staging.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::dist {

/// The device of an exchange and its streams: copies out and copies in overlap.
struct DeviceLink {
    Device& device;
    Stream& compute;  ///< where the caller's kernels run
    std::unique_ptr<RowMover> rows;
    std::unique_ptr<Stream> outward;
    std::unique_ptr<Stream> inward;
};

/// What a scheme that packs on the device does with the messages of a direction.
using StageFunction = std::function<Staging(const Direction&)>;

/// Rows packed on the device, staged as `stage` says. Collective.
[[nodiscard]] std::unique_ptr<HaloPlan> make_packing_plan(std::shared_ptr<DeviceLink> link,
                                                          const StageFunction& stage,
                                                          WireMemory wire, MPI_Comm comm,
                                                          std::span<const HaloItem> items);

/// Whole arrays copied to pinned memory and back, packed by the host. Collective.
[[nodiscard]] std::unique_ptr<HaloPlan> make_whole_array_plan(std::shared_ptr<DeviceLink> link,
                                                              MPI_Comm comm,
                                                              std::span<const HaloItem> items);

/// Rows written to the memory of other ranks' devices by kernels of the compute stream, which wait for
/// each other: the host and MPI take no part. Collective.
[[nodiscard]] std::unique_ptr<HaloPlan> make_peer_plan(std::shared_ptr<DeviceLink> link,
                                                       MPI_Comm comm,
                                                       std::span<const HaloItem> items);

}  // namespace halocline::dist
