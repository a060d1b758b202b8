// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Gathers rows from the ranks that lead communicators, merges them, prints and stores them.
#include "collectives/report.hpp"

#include "collectives/communicators.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace halocline::endpoints {

namespace {

constexpr std::size_t name_length = 64;
/// Rows of the table on stderr; the JSON file has all.
constexpr std::size_t rows_shown = 24;

/// A row as it travels.
struct SentRow {
    std::array<char, name_length> name{};
    int size = 0;
    int function = 0;
    int size_class = 0;
    int state = 0;
    std::array<std::int64_t, 4> counts{};
    std::array<double, 2> seconds{};
};

/// What all ranks together did besides the rows: calls that were never considered, cost, gain.
struct Totals {
    std::array<std::int64_t, function_count* static_cast<std::size_t>(Passed::count)> passed{};
    double cost = 0.0;      ///< largest of the ranks [s]
    double elapsed = 0.0;   ///< of rank 0 [s]
    std::int64_t made = 0;  ///< duplicated communicators of the rank that made most
    int ranks = 1;
};

std::vector<SentRow> own_rows() {
    std::vector<SentRow> sent;
    for (const auto& [key, row] : Communicators::get().rows()) {
        SentRow out;
        std::snprintf(out.name.data(), out.name.size(), "%s", key.name.c_str());
        out.size = key.size;
        out.function = static_cast<int>(key.kind.function);
        out.size_class = key.kind.size_class;
        out.state = static_cast<int>(row.state);
        out.counts = {row.communicators, row.calls, row.split_calls, row.trials};
        out.seconds = {row.plain_seconds, row.split_seconds};
        sent.push_back(out);
    }
    return sent;
}

std::vector<SentRow> gather_rows(MPI_Comm world) {
    const std::vector<SentRow> mine = own_rows();
    int rank = 0;
    int ranks = 1;
    real().Comm_rank(world, &rank);
    real().Comm_size(world, &ranks);
    const int bytes = static_cast<int>(mine.size() * sizeof(SentRow));
    std::vector<int> counts(static_cast<std::size_t>(ranks));
    std::vector<int> places(static_cast<std::size_t>(ranks));
    real().Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, world);
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    const std::size_t total =
        rank == 0 ? static_cast<std::size_t>(places.back() + counts.back()) : 0;
    std::vector<SentRow> all(total / sizeof(SentRow));
    real().Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE,
                   0, world);
    return all;
}

Rows merge(const std::vector<SentRow>& sent) {
    Rows rows;
    for (const SentRow& in : sent) {
        const RowKey key{
            in.name.data(), in.size, {static_cast<Function>(in.function), in.size_class}};
        Row& row = rows[key];
        const auto state = static_cast<State>(in.state);
        if (row.communicators == 0 || state > row.state) {
            row.state = state;
            row.plain_seconds = in.seconds[0];
            row.split_seconds = in.seconds[1];
        }
        row.communicators += in.counts[0];
        row.calls += in.counts[1];
        row.split_calls += in.counts[2];
        row.trials += in.counts[3];
    }
    return rows;
}

Totals gather_totals(const Session& session) {
    Totals totals;
    for (std::size_t f = 0; f < function_count; ++f) {
        for (std::size_t why = 0; why < static_cast<std::size_t>(Passed::count); ++why) {
            totals.passed[f * static_cast<std::size_t>(Passed::count) + why] =
                session.passed(static_cast<Function>(f), static_cast<Passed>(why));
        }
    }
    const MPI_Comm world = session.private_world();
    const int n = static_cast<int>(totals.passed.size());
    real().Allreduce(MPI_IN_PLACE, totals.passed.data(), n, MPI_INT64_T, MPI_MAX, world);
    std::array<double, 2> largest = {session.cost(),
                                     static_cast<double>(Communicators::get().made())};
    real().Allreduce(MPI_IN_PLACE, largest.data(), 2, MPI_DOUBLE, MPI_MAX, world);
    totals.cost = largest[0];
    totals.made = static_cast<std::int64_t>(largest[1]);
    totals.elapsed = session.elapsed();
    real().Comm_size(world, &totals.ranks);
    return totals;
}

std::string readable_bytes(int size_class) {
    if (size_class < 0) {
        return "0";
    }
    static constexpr std::array<const char*, 5> units = {"B", "KB", "MB", "GB", "TB"};
    const auto unit = std::min<std::size_t>(static_cast<std::size_t>(size_class) / 10, 4);
    const unsigned shift = static_cast<unsigned>(size_class) - 10U * static_cast<unsigned>(unit);
    return std::to_string(1U << shift) + " " + units[unit];
}

std::string size_text(const KindOfCall& kind) {
    return kind.function == Function::alltoallv ? "all" : readable_bytes(kind.size_class) + "+";
}

std::string time_text(double seconds) {
    std::array<char, 32> text{};
    if (seconds <= 0.0) {
        return "-";
    }
    std::snprintf(text.data(), text.size(), "%.1f", 1e6 * seconds);
    return text.data();
}

std::string communicator_text(const RowKey& key, const Row& row) {
    std::string text = key.name.empty() ? "unnamed" : key.name;
    if (row.communicators > 1) {
        text = std::to_string(row.communicators) + " x " + text;
    }
    return text + " (" + std::to_string(key.size) + ")";
}

double gained_seconds(const Rows& rows) {
    double gained = 0.0;
    for (const auto& [key, row] : rows) {
        if (row.split_seconds > 0.0) {
            gained +=
                static_cast<double>(row.split_calls) * (row.plain_seconds - row.split_seconds);
        }
    }
    return gained;
}

void print_head(const Session& session, const Totals& totals) {
    std::fprintf(stderr,
                 "halocline endpoints: %d ranks x %d endpoints%s, %.2f s from MPI_Init to "
                 "MPI_Finalize\n",
                 totals.ranks, session.endpoints(),
                 session.oversubscribed() ? " (more than cores)" : "", totals.elapsed);
}

void print_rows(const Rows& rows) {
    using Entry = std::pair<const RowKey*, const Row*>;
    std::vector<Entry> shown;
    for (const auto& [key, row] : rows) {
        shown.emplace_back(&key, &row);
    }
    if (shown.size() > rows_shown) {  // the busiest ones, in their usual order
        std::nth_element(
            shown.begin(), shown.begin() + rows_shown, shown.end(),
            [](const Entry& a, const Entry& b) { return a.second->calls > b.second->calls; });
        shown.resize(rows_shown);
        std::sort(shown.begin(), shown.end(),
                  [](const Entry& a, const Entry& b) { return *a.first < *b.first; });
    }
    std::fprintf(stderr, "  %-26s %-10s %8s %10s %10s %10s %10s  %s\n", "communicator (ranks)",
                 "function", "bytes", "calls", "split", "plain us", "split us", "now");
    for (const auto& [key, row] : shown) {
        std::fprintf(stderr, "  %-26.40s %-10s %8s %10lld %10lld %10s %10s  %s\n",
                     communicator_text(*key, *row).c_str(), name_of(key->kind.function),
                     size_text(key->kind).c_str(), static_cast<long long>(row->calls),
                     static_cast<long long>(row->split_calls),
                     time_text(row->plain_seconds).c_str(), time_text(row->split_seconds).c_str(),
                     name_of(row->state));
    }
    if (rows.size() > shown.size()) {
        std::fprintf(stderr, "  ... and %zu more kinds of calls (MEP_REPORT=FILE lists all)\n",
                     rows.size() - shown.size());
    }
}

void print_tail(const Session& session, const Rows& rows, const Totals& totals) {
    if (session.settings().calibrate) {
        std::fprintf(stderr,
                     "  gained %.3f s by the medians, trials cost %.3f s (%.2f %% of the run)\n",
                     gained_seconds(rows), totals.cost, 100.0 * totals.cost / totals.elapsed);
        if (gained_seconds(rows) <= totals.cost) {
            std::fprintf(stderr,
                         "  endpoints gained nothing here: without them the program keeps its own "
                         "thread level, whose calls are shorter\n");
        }
    } else {
        std::fprintf(stderr, "  MEP_CALIBRATE=0: split whatever it cost, nothing was measured\n");
    }
}

void print_summary(const Session& session, const Rows& rows, const Totals& totals) {
    if (!session.why_inactive().empty()) {
        std::fprintf(stderr, "halocline endpoints: nothing was split (%s)\n",
                     session.why_inactive().c_str());
        return;
    }
    print_head(session, totals);
    if (rows.empty()) {
        std::fprintf(stderr,
                     "  no collective was long enough to be split (thresholds: %lld, %lld "
                     "elements)\n",
                     static_cast<long long>(session.settings().allreduce_threshold),
                     static_cast<long long>(session.settings().bcast_threshold));
        return;
    }
    print_rows(rows);
    print_tail(session, rows, totals);
}

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

void write_json(const Session& session, const Rows& rows, const Totals& totals) {
    const Settings& settings = session.settings();
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(
        std::fopen(settings.report.c_str(), "w"), &std::fclose);
    std::FILE* const file = opened.get();
    if (file == nullptr) {
        std::fprintf(stderr,
                     "halocline endpoints: cannot write MEP_REPORT=%s (%s). "
                     "Name a file in a folder that exists.\n",
                     settings.report.c_str(), std::strerror(errno));
        return;
    }
    std::fprintf(file,
                 "{\n  \"schema\": \"halocline.endpoints\",\n  \"schema_version\": 1,\n"
                 "  \"active\": %s,\n  \"why_inactive\": %s,\n",
                 session.why_inactive().empty() ? "true" : "false",
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
                 "  \"elapsed_s\": %.9g,\n  \"trial_cost_s\": %.9g,\n  \"gained_s\": %.9g,\n"
                 "  \"duplicated_communicators\": %lld,\n  \"rows\": [",
                 totals.elapsed, totals.cost, gained_seconds(rows),
                 static_cast<long long>(totals.made));
    write_json_rows(file, rows);
    std::fprintf(file, "\n  ],\n  \"passed_on\": {");
    write_json_passed(file, totals);
    std::fprintf(file, "\n  }\n}\n");
}

}  // namespace

void write_report(Session& session) {
    const Rows rows = merge(gather_rows(session.private_world()));
    const Totals totals = gather_totals(session);
    int rank = 0;
    real().Comm_rank(session.private_world(), &rank);
    if (rank != 0) {
        return;
    }
    if (session.settings().summary) {
        print_summary(session, rows, totals);
    }
    if (!session.settings().report.empty()) {
        write_json(session, rows, totals);
    }
}

}  // namespace halocline::endpoints
