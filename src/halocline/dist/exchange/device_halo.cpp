// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Schemes by name, and the formulae of their costs.
#include "halocline/dist/exchange/device_halo.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/dist/exchange/device_halo/device_plan.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"

namespace halocline {

namespace {

using dist::DeviceLink;

constexpr std::array<std::string_view, 5> scheme_names{"packed", "neighbour", "whole", "direct",
                                                       "peer"};

dist::HaloPlanMaker maker_of(const std::string& scheme, const std::shared_ptr<DeviceLink>& link,
                             TransferBlocks blocks) {
    using dist::WireMemory;
    if (scheme == "whole") {
        return [link](MPI_Comm comm, std::span<const HaloItem> items) {
            return dist::make_whole_array_plan(link, comm, items);
        };
    }
    if (scheme == "peer") {
        return [link](MPI_Comm comm, std::span<const HaloItem> items) {
            return dist::make_peer_plan(link, comm, items);
        };
    }
    dist::StageFunction stage = dist::stage_by_neighbour;
    if (scheme == "packed") {
        stage = [blocks = std::move(blocks)](const dist::Direction& direction) {
            return dist::stage_packed(direction, blocks);
        };
    } else if (scheme == "direct") {
        stage = dist::stage_direct;
    }
    const WireMemory wire = scheme == "direct" ? WireMemory::device : WireMemory::pinned;
    return [link, stage, wire](MPI_Comm comm, std::span<const HaloItem> items) {
        return dist::make_packing_plan(link, stage, wire, comm, items);
    };
}

/// Items of an exchange that lie on the host go the way of ranks without a device, in the same
/// messages: what a program sets up there is exchanged by the same object.
dist::HaloPlanMaker or_on_host(dist::HaloPlanMaker on_device) {
    return [on_device = std::move(on_device)](
               MPI_Comm comm, std::span<const HaloItem> items) -> std::unique_ptr<dist::HaloPlan> {
        const auto lies_on_device = [](const HaloItem& item) {
            return item.memory == MemoryKind::device;
        };
        if (std::none_of(items.begin(), items.end(), lies_on_device)) {
            return dist::make_host_plan(dist::halo_schemes().front(), comm, items);
        }
        validate<ContractError>(std::all_of(items.begin(), items.end(), lies_on_device),
                                "an exchange has dats on the host and on the device (its messages "
                                "are packed on one side). Bring them to one side first.");
        return on_device(comm, items);
    };
}

dist::QueueClock clock_of(const std::shared_ptr<DeviceLink>& link) {
    return [link] {
        link->compute.synchronize();
        return link->rows->exchange_seconds();
    };
}

void require_direct(Device& device, const Capability& mpi) {
    const Capability capability = device.can_pass_to_mpi();
    const bool possible = capability.possible && mpi.possible;
    validate<EnvironmentError>(
        possible, "halo scheme 'direct' cannot be used (" +
                      (capability.possible ? mpi.evidence : capability.evidence) +
                      "). Choose packed, or an MPI library that takes device pointers.");
}

/// Lengths of the messages of one direction [values].
std::vector<std::size_t> message_lengths(const dist::Direction& direction) {
    std::vector<std::size_t> lengths;
    for (const dist::WireMessage& message : direction.messages) {
        lengths.push_back(message.count);
    }
    return lengths;
}

struct Pieces {
    std::int64_t count = 0;
    bool any_cut = false;
};

Pieces count_pieces(const std::vector<std::size_t>& lengths, const TransferBlocks& blocks) {
    Pieces pieces;
    for (const std::size_t length : lengths) {
        const std::size_t bytes = length * sizeof(double);
        const std::size_t block = blocks.block_for(bytes) / sizeof(double);
        const std::size_t cut = block == 0 ? 1 : (length + block - 1) / block;
        pieces.count += static_cast<std::int64_t>(cut);
        pieces.any_cut = pieces.any_cut || cut > 1;
    }
    return pieces;
}

}  // namespace

TransferBlocks whole_messages() { return TransferBlocks(std::vector<TransferBlocks::Entry>{}); }

std::vector<std::string> device_halo_scheme_names() {
    return {scheme_names.begin(), scheme_names.end()};
}

void check_device_halo_scheme_name(std::string_view name) {
    std::vector<std::string_view> known{"auto"};
    known.insert(known.end(), scheme_names.begin(), scheme_names.end());
    validate<UsageError>(std::find(known.begin(), known.end(), name) != known.end(),
                         "unknown halo scheme '" + std::string(name) + "' for dats on a device. " +
                             suggest_name(name, known));
}

std::unique_ptr<HaloExchange> make_device_halo_exchange(const Communicator& comm, Device& device,
                                                        Stream& compute,
                                                        const DeviceHaloOptions& options) {
    check_device_halo_scheme_name(options.scheme);
    validate<UsageError>(options.scheme != "auto",
                         "halo scheme 'auto' is a choice among measured schemes, not a scheme. "
                         "Choose one first.");
    if (options.scheme == "direct") {
        require_direct(device, options.mpi_takes_device_pointers);
    }
    const bool is_peer = options.scheme == "peer";
    validate<EnvironmentError>(
        !is_peer || options.peer_access.possible,
        "halo scheme 'peer' cannot be used (" + options.peer_access.evidence + "). Choose packed.");
    auto link = std::make_shared<DeviceLink>(DeviceLink{
        device, compute, dist::make_row_mover(device), device.make_stream(), device.make_stream()});
    return dist::make_planned_exchange(
        comm, options.scheme,
        or_on_host(maker_of(options.scheme, link,
                            options.blocks ? *options.blocks : TransferBlocks::of_root(comm))),
        is_peer ? clock_of(link) : nullptr);
}

std::vector<HaloCandidate> device_candidates(const Communicator& comm, Device* device,
                                             Stream* compute, const DeviceHaloOptions& options) {
    const bool unable = device != nullptr && !(device->can_pass_to_mpi().possible &&
                                               options.mpi_takes_device_pointers.possible);
    const bool direct = comm.max(std::int64_t{unable ? 1 : 0}) == 0;
    const TransferBlocks blocks = options.blocks ? *options.blocks : TransferBlocks::of_root(comm);
    std::vector<HaloCandidate> candidates;
    for (const std::string_view scheme : scheme_names) {
        if ((scheme == "direct" && !direct) ||
            (scheme == "peer" && !options.peer_access.possible)) {
            continue;
        }
        HaloCandidate candidate = host_candidates(comm).front();
        candidate.name = scheme;
        if (device != nullptr) {
            DeviceHaloOptions named = options;
            named.scheme = scheme;
            named.blocks = blocks;
            candidate.make = [&comm, device, compute, named] {
                return make_device_halo_exchange(comm, *device, *compute, named);
            };
            candidate.predict = [scheme, blocks](std::span<const HaloItem> items) {
                return predict_device_exchange(items, scheme, blocks);
            };
            candidate.device = device;
            candidate.compute = compute;
        }
        candidates.push_back(std::move(candidate));
    }
    return candidates;
}

HaloLedger predict_device_exchange(std::span<const HaloItem> items, std::string_view scheme,
                                   const TransferBlocks& blocks) {
    const dist::Direction sends = dist::lay_out_sends(items);
    const dist::Direction receives = dist::lay_out_receives(items);
    HaloLedger ledger;
    ledger.exchanges = sends.size + receives.size > 0 ? 1 : 0;
    ledger.messages = static_cast<std::int64_t>(sends.messages.size());
    ledger.bytes = static_cast<std::int64_t>(sends.size * sizeof(double));
    const auto packed_bytes =
        static_cast<std::int64_t>((sends.size + receives.size) * sizeof(double));
    if (ledger.exchanges == 0 || scheme == "direct" || scheme == "peer") {
        return ledger;
    }
    if (scheme == "whole") {
        for (const HaloItem& item : items) {
            ledger.link_copies += item.set->total > 0 ? 2 : 0;
            ledger.link_bytes +=
                2 * std::int64_t{8} * item.dat.layout.size(item.set->rows(), item.dat.dim);
        }
        return ledger;
    }
    ledger.link_bytes = packed_bytes;
    if (scheme == "neighbour") {
        for (const dist::Direction* direction : {&sends, &receives}) {
            for (const auto& segments : direction->segments) {
                ledger.link_copies += static_cast<std::int64_t>(segments.size());
            }
        }
        return ledger;
    }
    const Pieces sent = count_pieces(message_lengths(sends), blocks);
    const Pieces received = count_pieces(message_lengths(receives), blocks);
    ledger.messages = sent.count;
    for (const Pieces& pieces : {sent, received}) {
        ledger.link_copies +=
            pieces.any_cut ? pieces.count : std::min<std::int64_t>(pieces.count, 1);
    }
    return ledger;
}

}  // namespace halocline
