// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Work is done in order; behind a failure it is dropped, with all that it holds.
#include "halocline/output/writer_thread.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <vector>

namespace halocline::output {
namespace {

TEST(WriterThread, Work_IsDoneInOrder) {
    for (const bool concurrent : {true, false}) {
        WriterThread thread(concurrent);
        std::vector<int> done;
        for (int i = 0; i < 5; ++i) {
            thread.push([&done, i] { done.push_back(i); });
        }
        thread.drain();
        EXPECT_EQ(done, (std::vector<int>{0, 1, 2, 3, 4}));
    }
}

/// A loop that waits for what dropped work holds would wait forever.
TEST(WriterThread, WorkBehindAFailure_IsDroppedWithWhatItHolds) {
    WriterThread thread(true);
    std::promise<void> go;
    auto held = std::make_shared<int>(0);
    const std::weak_ptr<int> watch = held;
    bool ran = false;
    thread.push([&go] {
        go.get_future().wait();
        throw std::runtime_error("disk");
    });
    thread.push([copy = std::move(held), &ran] { ran = true; });
    EXPECT_FALSE(watch.expired());
    go.set_value();
    thread.drain();
    EXPECT_TRUE(watch.expired());
    EXPECT_FALSE(ran);
    EXPECT_TRUE(thread.has_failed());
    EXPECT_THROW(thread.rethrow(), std::runtime_error);
}

TEST(WriterThread, WorkThatIsDone_HoldsNothingWhenDrainReturns) {
    for (int round = 0; round < 200; ++round) {
        WriterThread thread(true);
        auto held = std::make_shared<int>(0);
        const std::weak_ptr<int> watch = held;
        thread.push([copy = std::move(held)] {});
        thread.drain();
        EXPECT_TRUE(watch.expired());
    }
}

}  // namespace
}  // namespace halocline::output
