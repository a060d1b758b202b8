// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "bench_parts/report_heading.hpp"

namespace halocline::cores {

namespace {

using json = nlohmann::ordered_json;

json row_json(const Row& row) {
    return {{"cores", row.cores}, {"work", name_of(row.kind)},        {"set_bytes", row.set_bytes},
            {"rate", row.rate},   {"slowest_rate", row.slowest_rate}, {"repeats", row.repeats}};
}

/// 1.5 MiB, 12 KiB.
std::string size_text(std::int64_t bytes) {
    const double kilo = static_cast<double>(bytes) / 1024.0;
    return kilo < 1024.0 ? fmt::format("{:.0f} KiB", kilo) : fmt::format("{:.0f} MiB", kilo / 1024);
}

}  // namespace

std::string to_json_text(const Report& report) {
    json made = bench_parts::report_heading("halocline-cores-result", 1);
    made["started"] = report.started;
    made["command"] = report.options.command;
    made["host"] = report.host;
    made["cpu"] = report.cpu;
    made["cores"] = report.cores;
    made["cache_bytes"] = report.cache_bytes;
    made["places"] = report.places;
    made["time_s"] = report.options.time_s;
    made["rows"] = json::array();
    for (const Row& row : report.rows) {
        made["rows"].push_back(row_json(row));
    }
    return made.dump(1) + "\n";
}

std::string table_text(const Report& report) {
    std::string text = fmt::format("{:>6} {:<13} {:>10} {:>12} {:>12}\n", "cores", "work",
                                   "a core's", "1e9/s a core", "slowest");
    for (const Row& row : report.rows) {
        text +=
            fmt::format("{:>6} {:<13} {:>10} {:>12.3f} {:>12.3f}\n", row.cores, name_of(row.kind),
                        uses_memory(row.kind) ? size_text(row.set_bytes) : "", 1e-9 * row.rate,
                        1e-9 * row.slowest_rate);
    }
    return text;
}

}  // namespace halocline::cores
