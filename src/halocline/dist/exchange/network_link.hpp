// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One rank's port to a modelled network: when would a message arrive, and waiting until then.
#pragma once

#include "halocline/dist/exchange/halo_exchange.hpp"

namespace halocline::dist {

/// Times are those of `wall_seconds`, which all processes of a host share.
class NetworkLink {
public:
    explicit NetworkLink(const NetworkModel& model) : model_(model) {}

    /// Sends `bytes` now and returns when they arrive: after all messages sent before, at the
    /// network's rate, plus its latency.
    [[nodiscard]] double arrival_s(std::size_t bytes);

    /// Whether that time is over.
    [[nodiscard]] static bool has_come(double arrival_s);
    /// Returns when it is.
    static void wait_until(double arrival_s);

private:
    NetworkModel model_;
    double free_s_ = 0.0;  ///< when the last message has left
};

}  // namespace halocline::dist
