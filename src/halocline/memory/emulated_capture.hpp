// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Work of several streams recorded into one graph, by the rules of CUDA's stream capture: a stream
// comes in by waiting for an event of the recording and must be waited for before the recording ends.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace halocline::detail {

/// One piece of work of an emulated stream.
struct StreamWork {
    std::function<void()> body;
    double ends_at_s = 0.0;  ///< modelled; 0: when the body is done
};

/// How much of each stream's recorded work lies before a point.
using CaptureClock = std::map<const void*, std::int64_t>;

/// A recording under way. Work is kept in the order of submission, which keeps every dependency.
class EmulatedCapture {
public:
    explicit EmulatedCapture(const void* origin) : origin_(origin) { clocks_[origin]; }

    [[nodiscard]] bool includes(const void* stream) const { return clocks_.contains(stream); }
    void add(const void* stream, StreamWork work);
    /// What an event placed on `stream` now stands for.
    [[nodiscard]] CaptureClock point(const void* stream) const { return clocks_.at(stream); }
    /// `stream` waits for a point; it belongs to the recording from here on.
    void wait(const void* stream, const CaptureClock& point);

    /// Throws ContractError when a stream has work that the origin has not waited for.
    [[nodiscard]] std::vector<StreamWork> end();
    [[nodiscard]] bool has_ended() const { return has_ended_; }

private:
    const void* origin_;
    std::map<const void*, CaptureClock> clocks_;
    std::vector<StreamWork> work_;
    bool has_ended_ = false;
};

}  // namespace halocline::detail
