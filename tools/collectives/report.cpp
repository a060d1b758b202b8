// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Gathers rows from the ranks that lead communicators, merges them, and has them shown and stored.
#include "collectives/report.hpp"

#include "collectives/call_count.hpp"
#include "collectives/report_parts.hpp"

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace halocline::endpoints {

namespace {

constexpr std::size_t name_length = 64;
/// Numbers with points while a report is written, whatever locale the program has chosen.
class PlainNumbers {
public:
    PlainNumbers() : plain_(newlocale(LC_ALL_MASK, "C", nullptr)), before_(uselocale(plain_)) {}
    ~PlainNumbers() {
        uselocale(before_);
        freelocale(plain_);
    }
    PlainNumbers(const PlainNumbers&) = delete;
    PlainNumbers& operator=(const PlainNumbers&) = delete;

private:
    locale_t plain_;
    locale_t before_;
};

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
    std::array<double, 5> largest = {
        session.cost(), static_cast<double>(Communicators::get().made()),
        static_cast<double>(CallCount::get()), -session.watched_long(), session.watched_middle()};
    real().Allreduce(MPI_IN_PLACE, largest.data(), static_cast<int>(largest.size()), MPI_DOUBLE,
                     MPI_MAX, world);
    totals.cost = largest[0];
    totals.made = static_cast<std::int64_t>(largest[1]);
    totals.calls = static_cast<std::int64_t>(largest[2]);
    totals.watched = -largest[3];
    totals.middle = largest[4];
    totals.elapsed = session.elapsed();
    real().Comm_size(world, &totals.ranks);
    return totals;
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

}  // namespace

void write_report(Session& session) {
    Findings found{merge(gather_rows(session.private_world())), gather_totals(session), 0.0, {}};
    int rank = 0;
    real().Comm_rank(session.private_world(), &rank);
    if (rank != 0) {
        return;
    }
    const PlainNumbers plain;
    found.gained = gained_seconds(found.rows);
    found.next_plan = plan_next_run(session, found);
    if (session.settings().summary) {
        print_summary(session, found);
    }
    if (!session.settings().report.empty()) {
        write_json(session, found);
    }
}

}  // namespace halocline::endpoints
