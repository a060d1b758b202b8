// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/run/schedule.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::run {

namespace {

template <class T>
bool parse(std::string_view text, T& value) {
    T parsed{};
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, parsed);
    const bool good = result.ec == std::errc{} && result.ptr == end && parsed > T{0};
    value = good ? parsed : value;
    return good;
}

}  // namespace

Schedule::Schedule(const std::string& text, const std::string& key) : last_s_(wall_seconds()) {
    const std::string_view words = text;
    bool good = text.empty() || parse(words, interval_);
    if (!good && words.ends_with('s')) {
        good = parse(words.substr(0, words.size() - 1), seconds_);
    } else if (!good) {
        good = true;
        for (std::size_t begin = 0; begin <= words.size() && good;) {
            const std::size_t end = std::min(words.find(',', begin), words.size());
            good = parse(words.substr(begin, end - begin), list_.emplace_back());
            begin = end + 1;
        }
    }
    validate<UsageError>(good,
                         key + " '" + text +
                             "' does not say when (it is not a number above 0). Give steps (10), "
                             "seconds (30s), or a list of steps (1,5,20).");
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
}

bool Schedule::is_due(const Communicator& comm, int step) {
    if (interval_ > 0) {
        return step % interval_ == 0;
    }
    if (seconds_ <= 0.0) {
        return std::binary_search(list_.begin(), list_.end(), step);
    }
    const bool over = comm.is_root() && wall_seconds() - last_s_ >= seconds_;
    const bool due = comm.max(std::int64_t{over}) != 0;
    if (due) {
        last_s_ = wall_seconds();
    }
    return due;
}

int Schedule::count(int first, int last) const {
    if (interval_ > 0) {
        return last / interval_ - (first - 1) / interval_;
    }
    if (seconds_ > 0.0) {
        return std::max(0, last - first + 1);
    }
    return static_cast<int>(std::upper_bound(list_.begin(), list_.end(), last) -
                            std::lower_bound(list_.begin(), list_.end(), first));
}

}  // namespace halocline::run
