// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The modelled network: a rate, a latency, one message at a time; and its text form.
#include "halocline/dist/exchange/network_link.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// The whole text as a number in any locale; NaN when it is none.
double number_of(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = failure == std::errc{} && end == text.data() + text.size();
    return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

NetworkModel network_model_from_text(std::string_view text) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const double latency_us = number_of(text.substr(0, comma));
    const double gb_per_s = number_of(text.substr(std::min(comma + 1, text.size())));
    validate<UsageError>(
        std::isfinite(latency_us) && latency_us >= 0.0 && std::isfinite(gb_per_s) && gb_per_s > 0.0,
        "network model '" + std::string(text) +
            "' is not LATENCY,RATE (microseconds from 0, GB/s above 0). Give for "
            "example 50,0.125 for Gigabit Ethernet.");
    return {latency_us * 1e-6, gb_per_s * 1e9};
}

namespace dist {

double NetworkLink::arrival_s(std::size_t bytes) {
    free_s_ = std::max(free_s_, wall_seconds()) + static_cast<double>(bytes) / model_.bytes_per_s;
    return free_s_ + model_.latency_s;
}

bool NetworkLink::has_come(double arrival_s) { return wall_seconds() >= arrival_s; }

void NetworkLink::wait_until(double arrival_s) {
    while (!has_come(arrival_s)) {
        sched_yield();  // ranks may share a core
    }
}

}  // namespace dist

}  // namespace halocline
