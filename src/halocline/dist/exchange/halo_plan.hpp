// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What an exchange of one list of items needs again and again, behind one interface; exchanges made of
// such plans.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/dist/exchange/halo_transport.hpp"
#include "halocline/dist/exchange/message_memory.hpp"
#include "halocline/dist/exchange/network_link.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline::dist {

/// Moves the values of one list of items, once a round: begin, progress as often as one likes, end.
/// Remembers sizes, no addresses: items may lie elsewhere from call to call.
class HaloPlan {
public:
    virtual ~HaloPlan() = default;

    /// Nothing to send or to receive on this rank.
    [[nodiscard]] virtual bool empty() const noexcept = 0;
    /// Opens the receives and starts packing and sending. `items`: as many, of the same sets, components and
    /// value sizes as those the plan was made for. Collective.
    virtual void begin(std::span<const HaloItem> items, HaloLedger& ledger) = 0;
    /// Moves on what can move; returns whether all is done on this rank.
    virtual bool progress(std::span<const HaloItem> items, HaloLedger& ledger) = 0;
    /// Waits for all of it; then halo values are stored, and what was sent may change. Throws RunError
    /// when MPI fails, as the others do. Collective.
    virtual void end(std::span<const HaloItem> items, HaloLedger& ledger) = 0;
    /// Adds what one round sends, as `begin` does, and does nothing else. Of plans that are queued.
    virtual void count(HaloLedger& /*ledger*/) const {}
};

/// Makes the plan of one list of items. Collective.
using HaloPlanMaker =
    std::function<std::unique_ptr<HaloPlan>(MPI_Comm comm, std::span<const HaloItem> items)>;

/// The plan of values in host memory: one message a neighbour for all items, packed by the calling threads,
/// moved by the transport of `scheme`. `link` is null on the real network; `memory` may be shared with
/// plans that are not in flight at the same time. Collective.
[[nodiscard]] std::unique_ptr<HaloPlan> make_host_plan(
    const HaloScheme& scheme, MPI_Comm comm, std::span<const HaloItem> items,
    NetworkLink* link = nullptr,
    std::shared_ptr<MessageMemory> memory = std::make_shared<MessageMemory>());

/// Of exchanges that are queued: what they took so far by the device's clock [s], when all is done.
using QueueClock = std::function<double()>;

/// Remembers a plan of `maker` for each list of items. With `queue_clock` exchanges of dats on a device
/// are queued (`HaloExchange::is_queued`). Collective.
[[nodiscard]] std::unique_ptr<HaloExchange> make_planned_exchange(const Communicator& comm,
                                                                  std::string scheme_name,
                                                                  HaloPlanMaker maker,
                                                                  QueueClock queue_clock = nullptr);

/// Values in host memory over a transport. `scheme` must outlive the exchange. Collective.
[[nodiscard]] std::unique_ptr<HaloExchange> make_planned_exchange(
    const Communicator& comm, const HaloScheme& scheme,
    const std::optional<NetworkModel>& network = std::nullopt);

}  // namespace halocline::dist
