// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Worker threads: every share is done once, tasks do not mix, idle workers take no processor time.
#include "collectives/workers.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace halocline::endpoints {
namespace {

std::vector<cpu_set_t> anywhere(std::size_t workers) {
    std::vector<cpu_set_t> places(workers);
    for (cpu_set_t& place : places) {
        CPU_ZERO(&place);
    }
    return places;
}

TEST(Workers, DoEveryShareOnce) {
    std::atomic<int> entered{0};
    Workers workers(anywhere(3), [&] { ++entered; });
    std::array<int, 4> done{};
    for (int round = 0; round < 2000; ++round) {
        EXPECT_TRUE(workers.run([&](int index) { ++done.at(static_cast<std::size_t>(index)); }));
    }
    EXPECT_EQ(done, (std::array<int, 4>{2000, 2000, 2000, 2000}));
    EXPECT_EQ(entered, 3);
}

TEST(Workers, RefuseASecondTaskMeanwhile) {
    Workers workers(anywhere(1), [] {});
    bool second = true;
    EXPECT_TRUE(workers.run([&](int index) {
        if (index == 0) {
            std::thread([&] { second = workers.run([](int) {}); }).join();
        }
    }));
    EXPECT_FALSE(second);
}

double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return double(t.tv_sec) + 1e-6 * double(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Three spinning threads would use up to 0.9 s here, sleeping ones next to nothing.
TEST(Workers, SleepWhenIdle) {
    Workers workers(anywhere(3), [] {});
    EXPECT_TRUE(workers.run([](int) {}));
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_LT(processor_seconds() - before, 0.05);
}

}  // namespace
}  // namespace halocline::endpoints
