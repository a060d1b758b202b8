// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums and differences of ledgers.
#include "halocline/mesh/halo.hpp"

namespace halocline {

HaloLedger& HaloLedger::operator+=(const HaloLedger& more) {
    exchanges += more.exchanges;
    messages += more.messages;
    bytes += more.bytes;
    total_s += more.total_s;
    exposed_s += more.exposed_s;
    packing_s += more.packing_s;
    link_copies += more.link_copies;
    link_bytes += more.link_bytes;
    overlapped += more.overlapped;
    return *this;
}

HaloLedger HaloLedger::since(const HaloLedger& earlier) const {
    return {exchanges - earlier.exchanges,
            messages - earlier.messages,
            bytes - earlier.bytes,
            total_s - earlier.total_s,
            exposed_s - earlier.exposed_s,
            packing_s - earlier.packing_s,
            link_copies - earlier.link_copies,
            link_bytes - earlier.link_bytes,
            overlapped - earlier.overlapped};
}

}  // namespace halocline
