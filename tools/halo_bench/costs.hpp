// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What an exchange costs by the published formulae, and what its ledger says: two ways, one result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/mesh/halo.hpp"

namespace halocline::halo_bench {

/// The schemes of devices as published and ours, the one that all are measured against first; then
/// `host`: fields in host memory, exchanged by ranks on cores.
[[nodiscard]] std::vector<std::string> scheme_names();

/// What a rank's part of one field of one value a vertex is made of.
struct HaloSize {
    std::int64_t whole_bytes = 0;  ///< S1: all its values
    std::int64_t sent_bytes = 0;   ///< S2 is what is sent and received, together
    std::int64_t received_bytes = 0;
    std::int64_t sent_to = 0;  ///< neighbours; N - 1 where all are
    std::int64_t received_from = 0;
};
[[nodiscard]] HaloSize size_of(const SetPart& set);

/// Of one exchange of one rank.
struct Cost {
    std::int64_t link_copies = 0;  ///< between device and host, both directions
    std::int64_t link_bytes = 0;
    std::int64_t messages = 0;  ///< sent
    std::int64_t message_bytes = 0;
    bool operator==(const Cost&) const = default;
};

/// With M fields, whole: 2 M copies of S1 bytes each. neighbour: M copies for each neighbour and
/// direction, M S2 bytes. packed: one copy each way, M S2 bytes. direct, peer, host: no copies. In all
/// of them a message to each neighbour. (docs/halo.md; the first three: SigmaFlow.)
[[nodiscard]] Cost cost_by_formula(const std::string& scheme, int fields, const HaloSize& size);

[[nodiscard]] Cost cost_of(const HaloLedger& exchange);

/// What differs, as a sentence; empty when nothing does.
[[nodiscard]] std::string difference(const Cost& counted, const Cost& by_formula);

}  // namespace halocline::halo_bench
