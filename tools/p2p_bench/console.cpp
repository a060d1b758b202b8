// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Terminal output by fmt; docs/p2p.md says how to read it.
#include "console.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "halocline/core/standard_output.hpp"

namespace halocline::p2p {

namespace {

/// Three or four significant digits, whatever the size.
std::string microseconds(double seconds) {
    const double us = seconds * 1e6;
    return us < 100.0 ? fmt::format("{:.2f}", us) : fmt::format("{:.0f}", us);
}

std::string gigabytes(double bytes_per_s) {
    const double rate = bytes_per_s * 1e-9;
    return rate < 0.01 ? fmt::format("{:.5f}", rate) : fmt::format("{:.3f}", rate);
}

std::string percent(double value) { return value > 0.0 ? fmt::format("{:.0f} %", value) : "-"; }

void print_evidence(const char* title, const std::vector<Evidence>& list) {
    say("{}\n", title);
    for (const Evidence& item : list) {
        say("  {:<34} {:<38} [{}]\n", item.what, item.value, item.source);
    }
}

void print_limits(const Limits& limits) {
    say("limits measured now (GB/s): triad {:.1f}", limits.triad_bytes_per_s * 1e-9);
    if (!limits.memcpy_bytes_per_s.empty()) {
        const auto& [bytes, rate] = *limits.memcpy_bytes_per_s.rbegin();
        say(", memcpy {:.1f} at {}", rate * 1e-9, size_text(bytes));
    }
    if (limits.to_host_bytes_per_s > 0.0) {
        say(", device to host {:.1f}, host to device {:.1f}, on the device {:.1f}",
            limits.to_host_bytes_per_s * 1e-9, limits.to_device_bytes_per_s * 1e-9,
            limits.on_device_bytes_per_s * 1e-9);
    }
    say("\n  network: {}\n", limits.network_evidence);
}

void print_binding(const Report& report) {
    say("placement: {}\n", report.affinity.sentence);
    for (const RankBinding& rank : report.bindings) {
        say("  rank {}: cpus {}\n", rank.rank, cpu_list_text(rank.cpus));
    }
    for (const BindingFinding& finding : report.findings) {
        say("  ! {}\n", finding.sentence);
    }
}

const Row* find_row(const Report& report, const std::string& pattern, const std::string& path,
                    std::size_t bytes) {
    for (const Row& row : report.rows) {
        if (row.pattern == pattern && row.path == path && row.bytes == bytes) {
            return &row;
        }
    }
    return nullptr;
}

/// Sizes down, paths across: one-way time for ping-pong, rate for the others.
void print_summary(const Report& report, const std::string& pattern) {
    std::vector<std::size_t> sizes;
    std::vector<std::string> paths;
    for (const Row& row : report.rows) {
        if (row.pattern == pattern) {
            sizes.push_back(row.bytes);
            if (std::find(paths.begin(), paths.end(), row.path) == paths.end()) {
                paths.push_back(row.path);
            }
        }
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    if (paths.size() < 2) {
        return;
    }
    const bool latency = pattern == "latency";
    say("\nsummary: {}, {}\n  {:>10}", pattern, latency ? "us one way" : "GB/s", "size");
    for (const std::string& path : paths) {
        say(" {:>10}", path);
    }
    say("\n");
    for (const std::size_t bytes : sizes) {
        say("  {:>10}", size_text(bytes));
        for (const std::string& path : paths) {
            const Row* row = find_row(report, pattern, path, bytes);
            const std::string text = row == nullptr ? "-"
                                     : latency      ? microseconds(row->time.median_s)
                                                    : gigabytes(row->bytes_per_s);
            say(" {:>10}", text);
        }
        say("\n");
    }
}

void print_judge(const Report& report) {
    if (report.judge.empty()) {
        return;
    }
    say("\npath host beside a plain MPI ping-pong, samples alternating (us one way)\n");
    say("  {:>10} {:>10} {:>10} {:>8}\n", "size", "plain", "host", "ratio");
    for (const JudgeRow& row : report.judge) {
        say("  {:>10} {:>10} {:>10} {:>8.3f}\n", size_text(row.bytes), microseconds(row.plain_s),
            microseconds(row.host_s), row.ratio());
    }
}

}  // namespace

void Console::heading(const Report& report) const {
    if (!speaks_) {
        return;
    }
    say("halocline-p2p: {} ranks on {}, {}\n", report.ranks,
        report.one_host ? report.host : report.host + " and other hosts",
        report.device ? report.device->name : "no device");
    if (report.device) {
        say("  device: {} ({})\n", report.device->details, report.device_note);
    }
    say("{}", machine_text(report.machine));
    print_binding(report);
    print_evidence("transport", report.transport);
    say("  {:<34} {}\n", "device pointers to MPI", report.gpu_awareness.evidence);
    print_evidence("GPUDirect RDMA", report.rdma);
    say("  verdict: {}\n", report.rdma_verdict);
    print_limits(report.limits);
}

void Console::begin_table(const std::string& pattern, const std::string& path,
                          bool distinct) const {
    if (!speaks_) {
        return;
    }
    const char* buffers = pattern == "latency"              ? ""
                          : distinct || pattern == "sparse" ? ", a buffer for each message"
                                                            : ", one buffer a side";
    say("\n{} over {}{}\n", pattern, path, buffers);
    say("  {:>10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>11} {:>7} {:>9}\n", "size", "min us",
        "median", "p99", "max", "first", "GB/s", "of limit", "samples", "window", "block");
}

void Console::row(const Row& row) const {
    if (!speaks_) {
        return;
    }
    say("  {:>10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>11} {:>7} {:>9}\n",
        size_text(row.bytes), microseconds(row.time.min_s), microseconds(row.time.median_s),
        microseconds(row.time.p99_s), microseconds(row.time.max_s), microseconds(row.first_s),
        gigabytes(row.bytes_per_s), percent(row.percent_of_limit),
        fmt::format("{} x {}", row.time.samples, row.time.batch), row.window,
        row.block == 0 ? "-" : size_text(row.block));
}

void Console::refusal(const std::string& what, const std::string& name,
                      const std::string& reason) const {
    if (speaks_) {
        say("\n{} {} is left out: {}\n", what, name, reason);
    }
}

void Console::sweep_heading() const {
    if (speaks_) {
        say("\nblocks of the pipelined path, one way (us); * best\n");
        say("  {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}   {}\n", "size", "whole", "best", "block",
            "against", "256 KiB", "all blocks");
        say("  {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", "", "", "", "whole", "");
    }
}

void Console::sweep_row(const SweepRow& row) const {
    if (!speaks_) {
        return;
    }
    std::string all;
    for (std::size_t k = 0; k < row.blocks.size(); ++k) {
        all += fmt::format("{}{}:{} ", row.blocks[k] == row.best_block ? "*" : "",
                           size_text(row.blocks[k]), microseconds(row.block_s[k]));
    }
    say("  {:>10} {:>9} {:>9} {:>9} {:>8.2f}x {:>9}   {}\n", size_text(row.bytes),
        microseconds(row.confirmed_staged_s), microseconds(row.confirmed_best_s),
        row.best_block == 0 ? "whole" : size_text(row.best_block),
        row.confirmed_best_s > 0.0 ? row.confirmed_staged_s / row.confirmed_best_s : 0.0,
        row.default_s ? microseconds(*row.default_s) : "-", all);
}

void Console::closing(const Report& report) const {
    if (!speaks_) {
        return;
    }
    for (const char* pattern : {"latency", "bandwidth", "bidirectional", "pairs", "sparse"}) {
        print_summary(report, pattern);
    }
    print_judge(report);
    for (const PathState& path : report.paths) {
        if (!path.traffic.empty()) {
            say("{}path {}: {}; limit of the largest message: {}\n",
                &path == &report.paths.front() ? "\n" : "", path.name, path.traffic,
                path.limit.empty() ? "unknown" : path.limit);
        }
    }
    std::int64_t checked = 0;
    for (const Row& row : report.rows) {
        checked += row.checked_bytes;
    }
    if (checked > 0) {
        say("data: {:.1f} MB compared byte by byte, all as sent (an iteration before and one "
            "after each row's timing; timed iterations are not compared)\n",
            static_cast<double>(checked) * 1e-6);
    }
    if (!report.blocks_file.empty()) {
        say("best blocks written to {}\n", report.blocks_file);
    }
}

}  // namespace halocline::p2p
