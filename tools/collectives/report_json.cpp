// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The JSON file of MEP_REPORT.
#include "collectives/report_parts.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/core/output_file.hpp"

namespace halocline::endpoints {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += ' ';
        } else {
            out += c;
        }
    }
    return out + "\"";
}

void write_json_rows(std::FILE* file, const Rows& rows) {
    const char* separator = "";
    for (const auto& [key, row] : rows) {
        std::fprintf(file,
                     "%s\n    {\"communicator\": %s, \"ranks\": %d, \"communicators\": %lld, "
                     "\"function\": \"%s\", \"bytes_from\": %lld, \"calls\": %lld, "
                     "\"split_calls\": %lld, \"trials\": %lld, \"plain_s\": %.9g, "
                     "\"split_s\": %.9g, \"decision\": \"%s\"}",
                     separator, quoted(key.name).c_str(), key.size,
                     static_cast<long long>(row.communicators), name_of(key.kind.function),
                     key.kind.size_class < 0 || key.kind.function == Function::alltoallv
                         ? 0LL
                         : 1LL << key.kind.size_class,
                     static_cast<long long>(row.calls), static_cast<long long>(row.split_calls),
                     static_cast<long long>(row.trials), row.plain_seconds, row.split_seconds,
                     name_of(row.state));
        separator = ",";
    }
}

void write_json_passed(std::FILE* file, const Totals& totals) {
    static constexpr std::array<const char*, static_cast<std::size_t>(Passed::count)> reasons = {
        "small", "user_operation", "inside_mpi", "communicator"};
    const char* separator = "";
    for (std::size_t f = 0; f < function_count; ++f) {
        std::fprintf(file, "%s\n    \"%s\": {", separator, name_of(static_cast<Function>(f)));
        for (std::size_t why = 0; why < reasons.size(); ++why) {
            std::fprintf(file, "%s\"%s\": %lld", why > 0 ? ", " : "", reasons[why],
                         static_cast<long long>(totals.passed[f * reasons.size() + why]));
        }
        std::fprintf(file, "}");
        separator = ",";
    }
}

void store(const std::string& path, std::string_view text) {
    try {
        replace_file(path, text);
    } catch (const Error& error) {
        std::fprintf(stderr, "halocline endpoints: MEP_REPORT: %s\n", error.what());
    }
}

}  // namespace

void write_json(const Session& session, const Findings& found) {
    const Totals& totals = found.totals;
    const Settings& settings = session.settings();
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const file = open_memstream(&text, &size);
    if (file == nullptr) {
        return;
    }
    std::fprintf(file,
                 "{\n  \"schema\": \"halocline.endpoints\",\n  \"schema_version\": 1,\n"
                 "  \"active\": %s,\n  \"why_inactive\": %s,\n",
                 session.mode() == Mode::active ? "true" : "false",
                 quoted(session.why_inactive()).c_str());
    std::fprintf(file,
                 "  \"ranks\": %d,\n  \"endpoints\": %d,\n  \"oversubscribed\": %s,\n"
                 "  \"allreduce_threshold\": %lld,\n  \"bcast_threshold\": %lld,\n"
                 "  \"calibrate\": %s,\n",
                 totals.ranks, settings.threads, session.oversubscribed() ? "true" : "false",
                 static_cast<long long>(settings.allreduce_threshold),
                 static_cast<long long>(settings.bcast_threshold),
                 settings.calibrate ? "true" : "false");
    std::fprintf(file,
                 "  \"watched\": %s,\n  \"raised\": %s,\n  \"mpi_calls\": %lld,\n"
                 "  \"watched_s\": %.9g,\n  \"next_run\": \"%s\",\n  \"why_next\": %s,\n",
                 session.mode() == Mode::watching ? "true" : "false",
                 session.raised() ? "true" : "false", static_cast<long long>(totals.calls),
                 totals.watched, found.next_plan.is_saved ? name_of(found.next_plan.plan) : "",
                 quoted(found.next_plan.reason).c_str());
    std::fprintf(file,
                 "  \"elapsed_s\": %.9g,\n  \"trial_cost_s\": %.9g,\n  \"gained_s\": %.9g,\n"
                 "  \"duplicated_communicators\": %lld,\n  \"rows\": [",
                 totals.elapsed, totals.cost, found.gained, static_cast<long long>(totals.made));
    write_json_rows(file, found.rows);
    std::fprintf(file, "\n  ],\n  \"passed_on\": {");
    write_json_passed(file, totals);
    std::fprintf(file, "\n  }\n}\n");
    std::fclose(file);
    store(settings.report, {text, size});
    std::free(text);
}

}  // namespace halocline::endpoints
