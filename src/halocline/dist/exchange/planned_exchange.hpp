// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchange over any transport: what the schemes by name are made of.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"
#include "halocline/dist/exchange/halo_transport.hpp"

namespace halocline::dist {

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
