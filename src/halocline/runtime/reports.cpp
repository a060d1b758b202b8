// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums over ranks, and tables of them.
#include "halocline/runtime/reports.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// The same loops in the same order have the same names on every rank.
void require_same_loops(const Communicator& comm, const LoopTable& table) {
    std::string names;
    for (const LoopStatistics& row : table.rows()) {
        names += row.name + '.' + std::to_string(row.level) + '\n';
    }
    const bool same = comm.broadcast(names) == names;
    comm.agree(same ? 0 : static_cast<int>(ExitCode::run_failed),
               "the loop table cannot be made (rank " + std::to_string(comm.rank()) +
                   " ran other loops than rank 0). Run every loop on all ranks.");
}

LoopReport describe_loop(const Communicator& comm, const LoopStatistics& row) {
    LoopReport report;
    report.name = row.level < 0 ? row.name : row.name + ".L" + std::to_string(row.level);
    report.set = row.set;
    report.strategy = comm.broadcast(row.strategy);
    report.reason = comm.broadcast(row.reason);
    report.calls = row.calls;
    report.seconds = comm.max(row.seconds);
    report.elements = comm.sum(row.elements);
    report.bytes = comm.sum(row.bytes);
    report.halo_bytes = comm.sum(row.halo.bytes);
    return report;
}

}  // namespace

MeshReport describe_mesh(const Communicator& comm, const MeshPart& part,
                         const DistributeReport& division) {
    MeshReport report{division, {}};
    for (const SetPart& set : part.sets) {
        report.sets.push_back({set.name, set.global_size,
                               comm.sum(std::int64_t{set.total - set.owned}),
                               comm.max(std::int64_t{set.owned})});
    }
    return report;
}

std::vector<LoopReport> describe_loops(const Communicator& comm, const LoopTable& table) {
    require_same_loops(comm, table);
    std::vector<LoopReport> loops;
    for (const LoopStatistics& row : table.rows()) {
        loops.push_back(describe_loop(comm, row));
    }
    std::stable_sort(loops.begin(), loops.end(), [](const LoopReport& a, const LoopReport& b) {
        return a.seconds > b.seconds;
    });
    return loops;
}

std::string to_text(const MeshReport& report) {
    const DistributeReport& division = report.division;
    std::string text = fmt::format(
        "divided by {} {} ({}), {} edges cut, largest part {:.3f} of the mean; renumbering {}\n"
        "seconds: partition {:.3f}, migrate {:.3f}, renumber {:.3f}, halos {:.3f}\n",
        division.partitioner, division.method, division.library, division.edge_cut,
        division.imbalance, division.renumbering, division.partition_s, division.migrate_s,
        division.renumber_s, division.halo_s);
    text += fmt::format("{:<20} {:>12} {:>14} {:>14}\n", "set", "elements", "largest part",
                        "halo elements");
    for (const SetReport& set : report.sets) {
        text += fmt::format("{:<20} {:>12} {:>14} {:>14}\n", set.name, set.size, set.largest_part,
                            set.halo_elements);
    }
    return text;
}

std::string to_text(const std::vector<LoopReport>& loops) {
    double total_s = 0.0;
    for (const LoopReport& loop : loops) {
        total_s += loop.seconds;
    }
    std::string text = fmt::format("{:<24} {:<12} {:<14} {:>8} {:>10} {:>6} {:>8}\n", "loop", "set",
                                   "strategy", "calls", "seconds", "share", "GB/s");
    for (const LoopReport& loop : loops) {
        const bool timed = loop.seconds > 0.0;
        text += fmt::format("{:<24} {:<12} {:<14} {:>8} {:>10.4f} {:>5.1f}% {:>8.2f}\n", loop.name,
                            loop.set, loop.strategy.empty() ? "-" : loop.strategy, loop.calls,
                            loop.seconds, timed ? 100.0 * loop.seconds / total_s : 0.0,
                            timed ? static_cast<double>(loop.bytes) / loop.seconds / 1e9 : 0.0);
    }
    return text;
}

}  // namespace halocline
