// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Throughput of a rank from the account of its loops.
#include "balance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "halocline/backend/device/executor.hpp"

namespace halocline::mgcfd {

namespace {

/// Seconds of the rank's own work in the finest level's stages that reduce nothing, and their calls.
struct StageTime {
    double seconds = 0.0;
    std::int64_t calls = 0;
};

StageTime time_of_stages(const LoopTable& loops) {
    StageTime time;
    for (const LoopStatistics& row : loops.rows()) {
        if (row.level == 0 && (row.name == "flux_stage_1" || row.name == "flux_stage_2")) {
            time.seconds += row.seconds - (row.on_device ? 0.0 : row.halo.exposed_s);
            time.calls += row.calls;
        }
    }
    return time;
}

bool run_probe(Context& context, Solver& solver) {
    try {
        solver.run_cycle();  // loads kernels, touches memory
        context.restart_account();
        for (int cycle = 1; cycle < probe_cycles; ++cycle) {
            solver.run_cycle();
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
    const StageTime time = time_of_stages(context.loops());
    const double nodes = solver.levels().front().nodes.part->owned;
    const double mine =
        time.seconds > 0.0 ? nodes * static_cast<double>(time.calls) / time.seconds : 0.0;
    const std::vector<double> speeds = context.comm().all_gather(std::span(&mine, 1));
    for (std::size_t r = 0; r < speeds.size(); ++r) {
        record.ranks[r].nodes_per_s = speeds[r];
    }
    const bool usable = *std::min_element(speeds.begin(), speeds.end()) > 0.0;
    return usable ? speeds : std::vector<double>{};
}

void describe_shares(const Communicator& comm, const Level& finest,
                     const std::vector<double>& weights, RunRecord& record) {
    if (record.ranks.empty()) {
        return;
    }
    const std::int64_t mine = finest.nodes.part->owned;
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

}  // namespace halocline::mgcfd
