// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How long kernels take, by the device's own clock: of all calls, of a few, of none.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "halocline/backend/device/launch/launch.hpp"
#include "halocline/backend/device/launch/options.hpp"
#include "halocline/loop/loop_table.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::device {

/// Seconds are the device's. `device` outlives it.
class KernelTimes {
public:
    KernelTimes(Device& device, LoopTimes which) : device_(device), which_(which) {}

    /// Submits a kernel; timers stand around it where this launch is measured.
    void submit(const Launch& launch, Stream& stream, const std::function<void(Stream&)>& submit);

    /// Whether repetition `turn` of recorded work is to be launched kernel by kernel, to be measured.
    [[nodiscard]] bool samples_repetition(int turn) const {
        return which_ == LoopTimes::sample && turn % sample_interval == 1;
    }
    /// Between the two, loops belong to work that repeats, which is measured as a whole or not at all.
    void begin_repetition(bool measured) {
        repetition_ = measured ? Repetition::measured : Repetition::plain;
    }
    void end_repetition() { repetition_ = Repetition::none; }

    /// Waits for the measured kernels, and turns what was measured since the last time into the rows'
    /// seconds: of a row on the device, the mean of its measured calls times all its calls.
    void collect(LoopTable& table);

private:
    enum class Repetition { none, plain, measured };
    struct TimedCall {
        LoopName name;
        LaunchPart part;
        std::unique_ptr<StreamTimer> timer;
    };
    /// What timers that were read have shown of one loop.
    struct TimedSum {
        LoopName name;
        double seconds = 0.0;
        std::int64_t calls = 0;
    };
    static constexpr int sample_interval = 16;
    /// Timers that wait to be read: a few cycles' worth, however long the run.
    static constexpr std::size_t most_timers = 512;

    [[nodiscard]] bool is_measured(const Launch& launch);
    /// Reads the oldest timers and lets them go.
    void read(std::size_t count);

    Device& device_;
    LoopTimes which_;
    Repetition repetition_ = Repetition::none;
    /// Launches of each loop outside of work that repeats, by name and level.
    std::map<std::pair<std::string, int>, int> launches_;
    std::vector<TimedCall> waiting_;
    std::vector<TimedSum> sums_;
};

}  // namespace halocline::device
