// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo exchanges over ranks by the name of their scheme, on the network as it is or on a modelled one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline {

/// A network that is slower than the real one, for measurements on one host: a message is held back
/// at the receiver until it would have arrived. Messages of one rank leave one after the other.
struct NetworkModel {
    double latency_s = 0.0;    ///< seconds that any message takes
    double bytes_per_s = 0.0;  ///< bytes a second that one rank sends
};

/// From "MICROSECONDS,GB_PER_S", e.g. "50,0.125" for Gigabit Ethernet. Throws UsageError.
[[nodiscard]] NetworkModel network_model_from_text(std::string_view text);

/// Names `make_halo_exchange` accepts, the default first.
[[nodiscard]] std::vector<std::string> halo_scheme_names();

/// Throws UsageError with the nearest name unless `name` is a scheme or "auto".
void check_halo_scheme_name(std::string_view name);

/// How halos between cores travel.
struct HaloOptions {
    std::string scheme = "p2p";             ///< one of `halo_scheme_names()`
    std::optional<NetworkModel> network{};  ///< a slower network to model; none: the real one
};

/// p2p: persistent point-to-point requests. rma: MPI_Put between post, start, complete and wait. Both
/// bring the same bits. Throws UsageError for an unknown scheme and for a modelled network over several
/// hosts. Collective.
[[nodiscard]] std::unique_ptr<HaloExchange> make_halo_exchange(const Communicator& comm,
                                                               const HaloOptions& options = {});

}  // namespace halocline
