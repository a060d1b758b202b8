// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The formulae take counts of the pattern only: nothing of the code that they judge.
#include "costs.hpp"

#include <fmt/core.h>

namespace halocline::halo_bench {

namespace {

constexpr std::int64_t value_bytes = sizeof(double);

std::int64_t count_filled(const std::vector<LocalIndex>& offsets) {
    std::int64_t filled = 0;
    for (std::size_t n = 1; n < offsets.size(); ++n) {
        filled += offsets[n] > offsets[n - 1] ? 1 : 0;
    }
    return filled;
}

}  // namespace

std::vector<std::string> scheme_names() {
    return {"whole", "neighbour", "packed", "direct", "peer", "host"};
}

HaloSize size_of(const SetPart& set) {
    const HaloPattern& halo = set.halo;
    return {value_bytes * set.rows(), value_bytes * halo.send_offsets.back(),
            value_bytes * halo.recv_offsets.back(), count_filled(halo.send_offsets),
            count_filled(halo.recv_offsets)};
}

Cost cost_by_formula(const std::string& scheme, int fields, const HaloSize& size) {
    Cost cost{0, 0, size.sent_to, fields * size.sent_bytes};
    const std::int64_t halo_bytes = size.sent_bytes + size.received_bytes;
    if (scheme == "whole") {
        cost.link_copies = std::int64_t{2} * fields;
        cost.link_bytes = 2 * fields * size.whole_bytes;
    } else if (scheme == "neighbour") {
        cost.link_copies = fields * (size.sent_to + size.received_from);
        cost.link_bytes = fields * halo_bytes;
    } else if (scheme == "packed") {
        cost.link_copies = (size.sent_to > 0 ? 1 : 0) + (size.received_from > 0 ? 1 : 0);
        cost.link_bytes = fields * halo_bytes;
    }
    return cost;
}

Cost cost_of(const HaloLedger& exchange) {
    return {exchange.link_copies, exchange.link_bytes, exchange.messages, exchange.bytes};
}

std::string difference(const Cost& counted, const Cost& by_formula) {
    std::string text;
    const auto compare = [&](const char* what, std::int64_t is, std::int64_t should_be) {
        if (is != should_be) {
            text +=
                fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", is, what, should_be);
        }
    };
    compare("copies over the link", counted.link_copies, by_formula.link_copies);
    compare("bytes over the link", counted.link_bytes, by_formula.link_bytes);
    compare("messages", counted.messages, by_formula.messages);
    compare("bytes in messages", counted.message_bytes, by_formula.message_bytes);
    return text;
}

}  // namespace halocline::halo_bench
