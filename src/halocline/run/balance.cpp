// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Throughput of a rank from the account of its loops.
#include "halocline/run/balance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/run/divergence.hpp"

namespace halocline::run {

namespace {

/// Seconds of the rank's own work in the solver's timed loops, and their calls.
struct WorkTime {
    double seconds = 0.0;
    std::int64_t calls = 0;
};

WorkTime time_of_work(const LoopTable& loops, std::span<const std::string_view> timed) {
    WorkTime time;
    for (const LoopStatistics& row : loops.rows()) {
        if (row.level == 0 && std::find(timed.begin(), timed.end(), row.name) != timed.end()) {
            time.seconds += row.seconds - (row.on_device ? 0.0 : row.halo.exposed_s);
            time.calls += row.calls;
        }
    }
    return time;
}

bool run_probe(Context& context, Solver& solver) {
    try {
        static_cast<void>(solver.step({}));  // loads kernels, touches memory
        context.restart_account();
        for (int step = 1; step < probe_steps; ++step) {
            static_cast<void>(solver.step({}));
        }
    } catch (const DivergenceError&) {
        return false;  // the run that follows reports it
    }
    if (context.device() != nullptr) {
        context.collect_kernel_times();
    }
    return true;
}

}  // namespace

std::vector<double> measure_weights(Context& context, Solver& solver, RunRecord& record) {
    if (!run_probe(context, solver)) {
        return {};
    }
    const WorkTime time = time_of_work(context.loops(), solver.timed_loops());
    const double elements = solver.owned_elements();
    const double mine =
        time.seconds > 0.0 ? elements * static_cast<double>(time.calls) / time.seconds : 0.0;
    const std::vector<double> speeds = context.comm().all_gather(std::span(&mine, 1));
    for (std::size_t r = 0; r < speeds.size(); ++r) {
        record.ranks[r].nodes_per_s = speeds[r];
    }
    const bool usable = *std::min_element(speeds.begin(), speeds.end()) > 0.0;
    return usable ? speeds : std::vector<double>{};
}

void describe_shares(const Communicator& comm, LocalIndex owned, const std::vector<double>& weights,
                     RunRecord& record) {
    if (record.ranks.empty()) {
        return;
    }
    const std::int64_t mine = owned;
    const std::vector<std::int64_t> nodes = comm.all_gather(std::span(&mine, 1));
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t r = 0; r < nodes.size(); ++r) {
        record.ranks[r].nodes = nodes[r];
        record.ranks[r].weight =
            weights.empty() ? 1.0 : weights[r] * static_cast<double>(weights.size()) / total;
    }
}

void print_ranks(const RunRecord& record, const Console& console) {
    std::int64_t total = 0;
    for (const record::Rank& rank : record.ranks) {
        total += rank.nodes.value_or(0);
    }
    console.line(fmt::format("  {:>4}  {:<9} {:>12} {:>7} {:>12}  {}", "rank", "back end", "nodes",
                             "share", "Mnodes/s", "device"));
    for (const record::Rank& rank : record.ranks) {
        const std::int64_t nodes = rank.nodes.value_or(0);
        const std::string speed =
            rank.nodes_per_s ? fmt::format("{:.1f}", *rank.nodes_per_s * 1e-6) : "-";
        console.line(fmt::format(
            "  {:>4}  {:<9} {:>12} {:>6.1f}% {:>12}  {}", rank.rank, rank.backend, nodes,
            total > 0 ? 100.0 * static_cast<double>(nodes) / static_cast<double>(total) : 0.0,
            speed, rank.device.value_or("cores")));
    }
}

}  // namespace halocline::run
