// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Terminal output by fmt.
#include "halocline/run/console.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"

namespace halocline::run {

namespace {

std::string loop_label(const record::Loop& loop) {
    return loop.level ? fmt::format("{} L{}", loop.name, *loop.level) : loop.name;
}

/// What each node costs; the program itself apart, which does not grow with the mesh.
void print_memory(const record::MemoryParts& parts, std::int64_t nodes) {
    const auto a_node = [&](std::int64_t bytes) {
        return static_cast<double>(bytes) / static_cast<double>(nodes);
    };
    say("  bytes a node: dats {:.0f}, copies of dats {:.0f}, plans {:.0f}, maps {:.0f}, ids "
        "{:.0f}, "
        "rest {:.0f}; and {:.0f} MB of program and MPI\n",
        a_node(parts.dat_bytes), a_node(parts.copy_bytes), a_node(parts.plan_bytes),
        a_node(parts.map_bytes), a_node(parts.id_bytes), a_node(parts.rest_bytes),
        static_cast<double>(parts.program_bytes) * 1e-6);
}

/// What output cost, and how much of it lay behind the loops.
void print_output(const record::Io& io) {
    say("  output: {} in {} writes at {:.0f} MB/s, slowest rank {}, {} waiting at most\n",
        io.bytes >= 1'000'000'000 ? fmt::format("{:.2f} GB", 1e-9 * static_cast<double>(io.bytes))
                                  : fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(io.bytes)),
        io.writes, 1e-6 * static_cast<double>(io.bytes) / io.written_s, io.slowest_rank,
        io.deepest_queue);
    say("    written in {:.2f} s, of which {:.2f} s ({:.0f} %) behind the loops, which waited "
        "{:.2f} s "
        "for "
        "copies, {:.2f} s for buffers or writes, {:.2f} s at the end\n",
        io.written_s, io.hidden_s, 100.0 * io.hidden_s / io.written_s, io.copied_s, io.blocked_s,
        io.drained_s);
}

void print_loop(const record::Loop& loop, double compute_s, const std::optional<double>& triad) {
    const double gb_per_s =
        loop.seconds > 0.0 ? 1e-9 * static_cast<double>(loop.bytes) / loop.seconds : 0.0;
    const std::string of_triad =
        triad ? fmt::format("{:7.0f} %", 100.0 * gb_per_s / *triad) : fmt::format("{:>9}", "-");
    const std::string strategy = loop.strategy.value_or("");
    say("  {:<22} {:>7} {:>9.3f} {:>7.1f} % {:>9.2f} {:>8.1f} {}{}{}\n", loop_label(loop),
        loop.calls, loop.seconds, 100.0 * loop.seconds / compute_s,
        loop.elements > 0 ? 1e9 * loop.seconds / static_cast<double>(loop.elements) : 0.0, gb_per_s,
        of_triad, strategy.empty() ? "" : "  ", strategy);
}

}  // namespace

Console::Console(const Communicator& comm, std::string name, Progress progress)
    : prints_(comm.is_root()), name_(std::move(name)), progress_(progress) {
    if (progress_ == Progress::automatic) {
        progress_ = isatty(STDOUT_FILENO) == 1 ? Progress::line : Progress::log;
    }
}

void Console::line(const std::string& text) const {
    if (prints_) {
        say("{}\n", text);
    }
}

void Console::warning(const std::string& text) const {
    if (prints_) {
        print(stderr, "{}: warning: {}\n", name_, text);
    }
}

void Console::progress(std::string_view name, int step, int steps, double rms) {
    if (!prints_ || progress_ == Progress::off) {
        return;
    }
    const bool moving = progress_ == Progress::line;
    const double now_s = wall_seconds();
    if (step == 1) {
        start_s_ = now_s;
        last_s_ = 0.0;
    }
    const double interval_s = moving ? 0.1 : 2.0;
    if (step != 1 && step != steps && now_s - last_s_ < interval_s) {
        return;
    }
    last_s_ = now_s;
    const double left_s = step > 1 ? (now_s - start_s_) / (step - 1) * (steps - step) : 0.0;
    say("{}Performing {} {} / {}   rms {:.6e}   {:.0f} s left{}", moving ? "\r" : "", name, step,
        steps, rms, left_s, moving ? "   " : "\n");
    line_open_ = moving;
}

void Console::end_progress() {
    if (line_open_) {
        say("\n");
        line_open_ = false;
    }
}

void Console::summary(const RunRecord& record) const {
    if (!prints_) {
        return;
    }
    std::vector<record::Loop> loops = record.loops;
    std::sort(loops.begin(), loops.end(),
              [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    const double compute_s = std::max(record.results.compute_s, 1e-12);
    const bool has_strategies =
        std::any_of(loops.begin(), loops.end(),
                    [](const record::Loop& loop) { return loop.strategy.has_value(); });
    say("\n  {:<22} {:>7} {:>9} {:>9} {:>9} {:>8} {:>9}{}\n", "loop", "calls", "seconds", "of run",
        "ns/elem", "GB/s", "of triad", has_strategies ? "  strategy" : "");
    std::size_t shown = 0;
    for (const record::Loop& loop : loops) {
        if (loop.seconds >= 0.005 * compute_s && shown < 16) {
            print_loop(loop, compute_s, record.triad_gb_per_s);
            ++shown;
        }
    }
    say("  set-up {:.2f} s (read {:.2f}, partition {:.2f}, renumber {:.2f}, halo {:.2f}, plans "
        "{:.2f}); peak memory {:.0f} MB a rank\n",
        record.setup.total_s, record.setup.read_s, record.setup.partition_s,
        record.setup.renumber_s, record.setup.halo_s, record.setup.plan_s,
        record.memory.peak_rss_bytes.max * 1e-6);
    if (record.memory.parts && !record.mesh.levels.empty()) {
        print_memory(*record.memory.parts, record.mesh.levels.front().nodes);
    }
    if (record.io.bytes > 0 && record.io.written_s > 0.0) {
        print_output(record.io);
    }
    if (const auto& error = record.results.exact_error) {
        say("  distance from the exact solution: {:.6e} (l2), {:.6e} (largest)\n", error->l2,
            error->largest);
    }
}

}  // namespace halocline::run
