// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// All schemes on a small box over real ranks: values, costs, and the same bytes in their messages.
#include <gtest/gtest.h>
#include <mpi.h>

#include <map>

#include "box.hpp"
#include "fields.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/memory/peer_memory.hpp"
#include "measure.hpp"

namespace halocline::halo_bench {
namespace {

class HaloSchemes : public ::testing::Test {
protected:
    HaloSchemes()
        : comm_(MPI_COMM_WORLD),
          device_({{}, true, 0}),
          compute_(device_.make_stream()),
          box_(divide_box(comm_, 1000, "inertial")),
          bench_{comm_, &device_, compute_.get(), {true, ""}, find_peer_access(comm_, &device_),
                 3} {}

    [[nodiscard]] const SetPart& vertices() const { return box_.part.sets.front(); }

    Communicator comm_;
    EmulatedDevice device_;
    std::unique_ptr<Stream> compute_;
    Distribution box_;
    Bench bench_;
};

TEST_F(HaloSchemes, DivideAllVerticesOfTheBox) {
    EXPECT_EQ(vertices().global_size, 1000);
    EXPECT_EQ(comm_.sum(std::int64_t{vertices().owned}), 1000);
    // 10 planes of 100 vertices: a cut is a plane, and each of its two sides is sent once.
    if (comm_.size() == 2) {
        EXPECT_EQ(size_of(vertices()).sent_bytes, 100 * 8);
        EXPECT_EQ(size_of(vertices()).received_bytes, 100 * 8);
        EXPECT_EQ(size_of(vertices()).whole_bytes, 600 * 8);
    }
}

TEST_F(HaloSchemes, BringTheSameBytesAndCostWhatTheFormulaeSay) {
    for (const int fields : {1, 3, 9}) {
        const std::vector<Row> rows = measure(bench_, vertices(), fields, scheme_names());
        ASSERT_EQ(rows.size(), 6U);
        for (const Row& row : rows) {
            EXPECT_EQ(row.cost.message_bytes, rows.front().cost.message_bytes) << row.scheme;
            EXPECT_EQ(row.cost.messages, rows.front().cost.messages) << row.scheme;
            EXPECT_EQ(row.checked_values, comm_.sum(std::int64_t{2} * fields * vertices().total));
            EXPECT_GT(row.time.min_s, 0.0);
            EXPECT_LE(row.time.min_s, row.time.median_s);
            EXPECT_LE(row.time.median_s, row.time.max_s);
        }
    }
}

TEST_F(HaloSchemes, AreNeededForTheHaloAndForNothingElse) {
    Fields fields(&device_, vertices(), 2);
    fields.fill(1);
    const std::int64_t halo = 2 * std::int64_t{vertices().total - vertices().owned};
    EXPECT_EQ(fields.count_wrong(1), halo);
    EXPECT_EQ(fields.count_wrong(2), 2 * std::int64_t{vertices().total});
}

}  // namespace
}  // namespace halocline::halo_bench
