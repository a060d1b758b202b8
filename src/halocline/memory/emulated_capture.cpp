// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A clock for each stream shows which work of the others it has waited for.
#include "halocline/memory/emulated_capture.hpp"

#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline::detail {

void EmulatedCapture::add(const void* stream, StreamWork work) {
    work_.push_back(std::move(work));
    ++clocks_.at(stream)[stream];
}

void EmulatedCapture::wait(const void* stream, const CaptureClock& point) {
    CaptureClock& own = clocks_[stream];
    ++own[stream];  // coming in is work of its own: the origin must know that it ended
    for (const auto& [other, count] : point) {
        std::int64_t& seen = own[other];
        seen = std::max(seen, count);
    }
}

std::vector<StreamWork> EmulatedCapture::end() {
    has_ended_ = true;
    const CaptureClock& known = clocks_.at(origin_);
    for (const auto& [stream, clock] : clocks_) {
        const auto own = clock.find(stream);
        const auto seen = known.find(stream);
        validate<ContractError>(
            own == clock.end() || (seen != known.end() && seen->second >= own->second),
            "a recording ends while a stream that came into it is not waited for. Let the stream "
            "that began the recording wait for an event of it.");
    }
    return std::move(work_);
}

}  // namespace halocline::detail
