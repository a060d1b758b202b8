// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From a run record to JSON text, by the keys that its parts tell.
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>

#include "halocline/io/run_record.hpp"
#include "halocline/io/run_record_keys.generated.hpp"

namespace halocline {

namespace {

using Json = nlohmann::ordered_json;

template <class P>
concept Part = requires(const P& part) {
    for_each_key(part, [](const char*, const auto&) {});
};

template <std::convertible_to<std::string_view> Text>
Json json_of(const Text& text) {
    return text;
}

template <std::integral Whole>
Json json_of(Whole value) {
    return value;
}

Json json_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <Part P>
Json json_of(const P& part);

template <class T>
Json json_of(const std::vector<T>& values);

template <class T>
Json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : Json(nullptr);
}

template <class T>
Json json_of(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) {
        list.push_back(json_of(value));
    }
    return list;
}

template <class T>
Json json_of(const std::map<std::string, T>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) {
        object[name] = json_of(value);
    }
    return object;
}

template <Part P>
Json json_of(const P& part) {
    Json object;
    for_each_key(part, [&](const char* key, const auto& value) { object[key] = json_of(value); });
    return object;
}

void add_rates(record::Loop& loop, const std::optional<double>& triad_gb_per_s) {
    if (loop.elements > 0 && loop.timed_calls != 0) {
        loop.ns_per_element = 1e9 * loop.seconds / static_cast<double>(loop.elements);
    }
    if (loop.seconds > 0.0) {
        loop.gb_per_s = static_cast<double>(loop.bytes) / loop.seconds / 1e9;
    }
    if (loop.gb_per_s && triad_gb_per_s && *triad_gb_per_s > 0.0) {
        loop.percent_of_triad = 100.0 * *loop.gb_per_s / *triad_gb_per_s;
    }
}

void add_mean(record::LinearSolver& solver) {
    if (solver.solves > 0) {
        solver.mean_iterations =
            static_cast<double>(solver.iterations) / static_cast<double>(solver.solves);
    }
}

}  // namespace

std::string to_json_text(RunRecord record) {
    for (record::Loop& loop : record.loops) {
        add_rates(loop, record.triad_gb_per_s);
    }
    for (record::LinearSolver& solver : record.linear_solvers) {
        add_mean(solver);
    }
    // File names and arguments may hold any bytes; JSON text may not.
    return json_of(record).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace halocline
