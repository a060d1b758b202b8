// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchange over any transport: what the schemes by name are made of.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"
#include "halocline/dist/exchange/halo_transport.hpp"

namespace halocline::dist {

/// Who ends an exchange: the host, which waits for messages, or a stream, like any kernel.
enum class EndedBy { host, stream };

/// Remembers a plan of `maker` for each list of items. Collective.
[[nodiscard]] std::unique_ptr<HaloExchange> make_planned_exchange(const Communicator& comm,
                                                                  std::string scheme_name,
                                                                  HaloPlanMaker maker,
                                                                  EndedBy ended_by = EndedBy::host);

/// Values in host memory over a transport. `scheme` must outlive the exchange. Collective.
[[nodiscard]] std::unique_ptr<HaloExchange> make_planned_exchange(
    const Communicator& comm, const HaloScheme& scheme,
    const std::optional<NetworkModel>& network = std::nullopt);

}  // namespace halocline::dist
