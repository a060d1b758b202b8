// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Formulae against counts made by hand, the comparison with a ledger, the spread, and what people type.
#include <gtest/gtest.h>

#include "costs.hpp"
#include "halocline/core/error.hpp"
#include "measure.hpp"
#include "options.hpp"

namespace halocline::halo_bench {
namespace {

/// The middle one of three domains of a line 0 1 | 2 3 4 | 5 6: it owns three vertices, has one halo
/// vertex on each side, sends vertex 2 to the left and 4 to the right.
SetPart middle_of_a_line() {
    SetPart set;
    set.global_size = 7;
    set.owned = 3;
    set.total = 5;
    set.halo.neighbours = {0, 2};
    set.halo.send_offsets = {0, 1, 2};
    set.halo.send_indices = {0, 2};
    set.halo.recv_offsets = {0, 1, 2};
    set.halo.recv_indices = {3, 4};
    return set;
}

TEST(HaloCosts, AreThoseCountedByHand) {
    const HaloSize size = size_of(middle_of_a_line());
    EXPECT_EQ(size.whole_bytes, 5 * 8);
    EXPECT_EQ(size.sent_bytes + size.received_bytes, 4 * 8);
    // Three fields: six copies of 40 bytes; one value for each field, neighbour and direction is
    // twelve copies of 8 bytes; the same 96 bytes in two copies.
    EXPECT_EQ(cost_by_formula("whole", 3, size), (Cost{6, 240, 2, 48}));
    EXPECT_EQ(cost_by_formula("neighbour", 3, size), (Cost{12, 96, 2, 48}));
    EXPECT_EQ(cost_by_formula("packed", 3, size), (Cost{2, 96, 2, 48}));
    for (const char* scheme : {"direct", "peer", "host"}) {
        EXPECT_EQ(cost_by_formula(scheme, 3, size), (Cost{0, 0, 2, 48})) << scheme;
    }
}

TEST(HaloCosts, CountNeighboursThatGetNothingNotAtAll) {
    SetPart set = middle_of_a_line();
    set.halo.recv_offsets = {0, 2, 2};  // both halo vertices come from the left
    const HaloSize size = size_of(set);
    EXPECT_EQ(size.sent_to, 2);
    EXPECT_EQ(size.received_from, 1);
    EXPECT_EQ(cost_by_formula("neighbour", 2, size).link_copies, 2 * 3);
}

TEST(HaloCosts, NameWhatALedgerHasOtherwise) {
    HaloLedger ledger;
    ledger.link_copies = 3;
    ledger.link_bytes = 96;
    ledger.messages = 2;
    ledger.bytes = 40;
    EXPECT_EQ(difference(cost_of(ledger), {2, 96, 2, 48}),
              "3 copies over the link instead of 2, 40 bytes in messages instead of 48");
    EXPECT_EQ(difference({2, 96, 2, 48}, {2, 96, 2, 48}), "");
}

TEST(HaloSpread, IsOfSortedSamples) {
    const Spread spread = spread_of({5.0, 1.0, 3.0, 2.0, 4.0});
    EXPECT_EQ(spread.min_s, 1.0);
    EXPECT_EQ(spread.lower_s, 2.0);
    EXPECT_EQ(spread.median_s, 3.0);
    EXPECT_EQ(spread.upper_s, 4.0);
    EXPECT_EQ(spread.max_s, 5.0);
}

TEST(HaloOptions, ReadCountsAsPeopleTypeThem) {
    EXPECT_EQ(parse_count("500000"), 500000);
    EXPECT_EQ(parse_count("0.5M"), 500000);
    EXPECT_EQ(parse_count("20K"), 20000);
    for (const char* wrong : {"", "x", "5", "1G", "-1", "1e12", "2 M"}) {
        EXPECT_THROW(static_cast<void>(parse_count(wrong)), UsageError) << wrong;
    }
}

}  // namespace
}  // namespace halocline::halo_bench
