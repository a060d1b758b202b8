// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchange over any transport: what the schemes by name are made of.
#pragma once

#include <memory>
#include <optional>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/halo_exchange.hpp"
#include "halocline/dist/halo_transport.hpp"

namespace halocline::dist {

/// `scheme` must outlive the exchange. Collective.
[[nodiscard]] std::unique_ptr<HaloExchange> make_planned_exchange(
    const Communicator& comm, const HaloScheme& scheme,
    const std::optional<NetworkModel>& network = std::nullopt);

}  // namespace halocline::dist
