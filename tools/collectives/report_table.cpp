// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table on stderr.
#include "collectives/report_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace halocline::endpoints {

namespace {

/// Rows of the table on stderr; the JSON file has all.
constexpr std::size_t rows_shown = 24;

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

void print_head(const Session& session, const Totals& totals) {
    std::fprintf(stderr,
                 "halocline endpoints: %d ranks x %d endpoints%s, %.2f s from MPI_Init to "
                 "MPI_Finalize\n",
                 totals.ranks, session.endpoints(),
                 session.oversubscribed() ? " (more than cores)" : "", totals.elapsed);
    if (session.mode() == Mode::watching) {
        std::fprintf(stderr, "  nothing was split: this run was only watched\n");
    }
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

void print_tail(const Session& session, const Findings& found) {
    if (session.mode() == Mode::watching) {
        return;
    }
    if (!session.settings().calibrate) {
        std::fprintf(stderr, "  MEP_CALIBRATE=0: split whatever it cost, nothing was measured\n");
        return;
    }
    const Totals& totals = found.totals;
    std::fprintf(stderr,
                 "  gained %.3f s by the medians, trials cost %.3f s (%.2f %% of the run)\n",
                 found.gained, totals.cost, 100.0 * totals.cost / totals.elapsed);
    if (session.raised() && !found.next_plan.is_saved && found.gained <= totals.cost) {
        std::fprintf(stderr,
                     "  endpoints gained nothing here: without them the program keeps its own "
                     "thread level, whose calls are shorter\n");
    }
}

void print_next_plan(const NextPlan& next_plan) {
    if (!next_plan.reason.empty()) {
        std::fprintf(stderr, "  %s\n", next_plan.reason.c_str());
    }
}

}  // namespace

void print_summary(const Session& session, const Findings& found) {
    if (session.mode() == Mode::off) {
        std::fprintf(stderr, "halocline endpoints: nothing was split (%s)\n",
                     session.why_inactive().c_str());
        return;
    }
    print_head(session, found.totals);
    if (!found.rows.empty()) {
        print_rows(found.rows);
        print_tail(session, found);
    } else if (session.mode() == Mode::active) {
        std::fprintf(stderr,
                     "  no collective was long enough to be split (thresholds: %lld, %lld "
                     "elements)\n",
                     static_cast<long long>(session.settings().allreduce_threshold),
                     static_cast<long long>(session.settings().bcast_threshold));
    } else {
        std::fprintf(stderr, "  no collective had 64 KB or more\n");
    }
    print_next_plan(found.next_plan);
}

}  // namespace halocline::endpoints
