// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchanges of dats that live on a device, by the name of their scheme.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/halo_choice.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/memory/transfer_blocks.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline {

/// Names `make_device_halo_exchange` accepts: packed (the default), neighbour, whole, direct, peer.
[[nodiscard]] std::vector<std::string> device_halo_scheme_names();

/// Throws UsageError with the nearest name unless `name` is one of them or "auto".
void check_device_halo_scheme_name(std::string_view name);

/// Messages of any size in one piece, as ranks without a device send and expect them.
[[nodiscard]] TransferBlocks whole_messages();

struct DeviceHaloOptions {
    std::string scheme = "packed";
    /// Blocks in which `packed` stages long messages, the same on all ranks. None: what
    /// `halocline p2p --sweep` measured, `TransferBlocks::of_root`. Jobs in which some ranks have no
    /// device need `whole_messages`.
    std::optional<TransferBlocks> blocks{};
    /// Whether MPI takes pointers to this device's memory, and how that is known: `direct` needs it.
    Capability mpi_takes_device_pointers{};
    /// Whether the devices of all ranks reach each other's memory, the same on all ranks
    /// (`find_peer_access`): `peer` needs it.
    Capability peer_access{};
};

/// Items whose `memory` is `device` hold device pointers; items on the host are exchanged as by `p2p`,
/// and one exchange has items of one side only. `begin` comes after all work queued on `compute` so
/// far, and work queued there after `end` sees the new halo values; the host waits for messages only. With M fields, S1 bytes in a whole field, S2 bytes in what a field sends and receives
/// together, and N ranks that are all neighbours, one exchange moves between device and host:
///
/// whole: 2 M copies, 2 M S1 bytes; packed on the host.
/// neighbour: 2 M (N - 1) copies, M S2 bytes; a copy for each field and neighbour.
/// packed: 2 copies, M S2 bytes; long messages in blocks, then a copy and a message for each block.
/// direct: none; MPI is given device memory.
/// peer: none; kernels write to the memory of the other devices and wait for each other. The host waits
/// for nothing (`HaloExchange::is_queued`).
///
/// Messages have the same contents in all of them, and the same as those of host ranks, except that
/// `packed` may cut them. (The first three and their counts: the halo exchange of SigmaFlow, see
/// docs/device-halos.md.)
/// Throws UsageError for an unknown scheme, EnvironmentError when the machine cannot do it.
/// Device, stream and communicator must outlive the exchange. Collective.
[[nodiscard]] std::unique_ptr<HaloExchange> make_device_halo_exchange(
    const Communicator& comm, Device& device, Stream& compute, const DeviceHaloOptions& options);

/// What one exchange of `items` costs this rank, from the patterns alone. Times are zero.
[[nodiscard]] HaloLedger predict_device_exchange(std::span<const HaloItem> items,
                                                 std::string_view scheme,
                                                 const TransferBlocks& blocks);

/// The schemes of devices as this rank takes part in them, `packed` first: with values on `device`, or
/// on the host when it is null (ranks on cores beside ranks on devices; they send and receive the same
/// messages, and `options.blocks` must be `whole_messages` on all ranks then). `direct` is among them
/// when all ranks with a device can do it, `peer` when the options say that devices reach each other.
/// Compute, device and communicator must outlive what the candidates make. Collective.
[[nodiscard]] std::vector<HaloCandidate> device_candidates(const Communicator& comm, Device* device,
                                                           Stream* compute,
                                                           const DeviceHaloOptions& options);

}  // namespace halocline
