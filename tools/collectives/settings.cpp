// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads MEP_* variables; a job must not die of a misspelt one, so mistakes are reported and ignored.
#include "collectives/settings.hpp"

#include "halocline/core/nearest.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace halocline::endpoints {

namespace {

constexpr std::array<std::string_view, 12> known_names = {
    "MEP_ENABLE",          "MEP_NUM_THREADS", "MEP_ALLREDUCE_THRESHOLD",
    "MEP_BCAST_THRESHOLD", "MEP_CALIBRATE",   "MEP_VERIFY",
    "MEP_BUDGET",          "MEP_SUMMARY",     "MEP_REPORT",
    "MEP_THREAD_LEVEL",    "MEP_MEMORY",      "MEP_CASE"};

/// The words of MEP_THREAD_LEVEL, in the order of the enum.
constexpr std::array<std::string_view, 3> level_words = {"auto", "own", "multiple"};

class Reader {
public:
    Reader(const Lookup& lookup, std::vector<std::string>& complaints)
        : lookup_(lookup), complaints_(complaints) {}

    template <class Number>
    void number(const char* name, Number lowest, Number highest, Number& value) {
        const std::string_view text = get(name);
        if (text.empty()) {
            return;
        }
        Number read{};
        const auto end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, read);
        if (error == std::errc{} && stop == end && read >= lowest && read <= highest) {
            value = read;
        } else {
            complain(name, text, "a number from " + text_of(lowest) + upper_limit(highest));
        }
    }

    void flag(const char* name, bool& value) {
        const std::string_view text = get(name);
        if (text == "1" || text == "0") {
            value = text == "1";
        } else if (!text.empty()) {
            complain(name, text, "0 or 1");
        }
    }

    void level(const char* name, ThreadLevel& value) {
        const std::string_view text = get(name);
        const auto found = std::find(level_words.begin(), level_words.end(), text);
        if (found != level_words.end()) {
            value = static_cast<ThreadLevel>(found - level_words.begin());
        } else if (!text.empty()) {
            complain(name, text, "auto, own or multiple");
        }
    }

    [[nodiscard]] std::string_view get(const char* name) const {
        const char* text = lookup_(name);
        return text != nullptr ? std::string_view(text) : std::string_view();
    }

private:
    template <class Number>
    static std::string text_of(Number value) {
        return std::to_string(static_cast<long long>(value));
    }

    template <class Number>
    static std::string upper_limit(Number highest) {
        const bool open = highest == std::numeric_limits<Number>::max();
        return open ? std::string() : " to " + text_of(highest);
    }

    void complain(const char* name, std::string_view text, const std::string& wanted) {
        complaints_.push_back(std::string(name) + "=" + std::string(text) +
                              " is ignored (it must be " + wanted + "). The default is used.");
    }

    const Lookup& lookup_;
    std::vector<std::string>& complaints_;
};

}  // namespace

SettingsReading read_settings(const Lookup& lookup, const std::vector<std::string>& names) {
    SettingsReading result;
    Settings& settings = result.settings;
    Reader reader(lookup, result.complaints);
    constexpr auto unlimited = std::numeric_limits<std::int64_t>::max();
    reader.flag("MEP_ENABLE", settings.enabled);
    reader.number("MEP_NUM_THREADS", 1, threads_limit, settings.threads);
    reader.number("MEP_ALLREDUCE_THRESHOLD", std::int64_t{0}, unlimited,
                  settings.allreduce_threshold);
    reader.number("MEP_BCAST_THRESHOLD", std::int64_t{0}, unlimited, settings.bcast_threshold);
    reader.flag("MEP_CALIBRATE", settings.calibrate);
    reader.flag("MEP_VERIFY", settings.verify);
    reader.number("MEP_BUDGET", 0.0, 100.0, settings.budget);
    reader.flag("MEP_SUMMARY", settings.summary);
    settings.report = reader.get("MEP_REPORT");
    reader.level("MEP_THREAD_LEVEL", settings.thread_level);
    settings.memory = reader.get("MEP_MEMORY");
    settings.run_case = reader.get("MEP_CASE");
    std::replace(settings.run_case.begin(), settings.run_case.end(), '\n', ' ');
    for (const std::string& name : names) {
        if (std::find(known_names.begin(), known_names.end(), name) == known_names.end()) {
            result.complaints.push_back(name + " is not known (no setting has this name). " +
                                        suggest_name(name, known_names));
        }
    }
    return result;
}

std::vector<std::string> mep_variables() {
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (text.starts_with("MEP_")) {
            names.emplace_back(text.substr(0, text.find('=')));
        }
    }
    return names;
}

}  // namespace halocline::endpoints
