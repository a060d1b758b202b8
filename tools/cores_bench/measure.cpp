// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A thread a core, bound to it, with memory that it touched first.
#include "measure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/utc_time.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/machine/hosts.hpp"
#include "halocline/machine/last_level_cache.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::cores {

namespace {

/// As of the triad of run records: hardly a line is still in cache when the next pass comes to it.
constexpr std::int64_t over_cache = 4;
constexpr std::int64_t least_main_bytes = std::int64_t{12} << 20;
/// The least fits into a core's own caches.
constexpr std::int64_t least_set_bytes = std::int64_t{256} << 10;
constexpr std::int64_t set_factor = 4;

/// Threads that wait for each other on their cores: a sleeping one would start late.
class Meeting {
public:
    explicit Meeting(int members) : members_(members) {}
    void wait() {
        const int round = round_.load();
        if (++here_ == members_) {
            here_ = 0;
            ++round_;
            return;
        }
        while (round_.load() == round) {
            std::this_thread::yield();
        }
    }

private:
    int members_;
    std::atomic<int> here_{0};
    std::atomic<int> round_{0};
};

std::vector<Row> rows_of(const std::vector<CpuList>& places, int cores) {
    const std::int64_t share =
        cache_share_bytes(read_last_level_caches(), places.front(), 1, cores);
    std::vector<Row> rows;
    for (const Kind kind : {Kind::multiply_add, Kind::divide}) {
        rows.push_back({cores, kind, 0, 0.0, 0.0, {}});
    }
    for (const std::int64_t bytes : set_sizes(share)) {
        for (const Kind kind : {Kind::triad, Kind::gather}) {
            rows.push_back({cores, kind, bytes, 0.0, 0.0, {}});
        }
    }
    return rows;
}

/// What a second brings.
double timed(Work& work, double time_s) {
    double done = 0.0;
    const double start_s = wall_seconds();
    double now_s = start_s;
    while (now_s - start_s < time_s) {
        done += work.piece();
        now_s = wall_seconds();
    }
    return done / (now_s - start_s);
}

/// One core's part in all rows: `rates[row]`.
void work_on(const CpuList& cpus, std::span<double> memory, const std::vector<Row>& rows,
             double time_s, Meeting& meeting, std::span<double> rates) {
    bind_to(cpus);
    std::fill(memory.begin(), memory.end(), 1.0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto size = static_cast<std::size_t>(rows[row].set_bytes) / sizeof(double);
        Work work(rows[row].kind, memory.first(size));
        // What main memory brings does not depend on what was read before.
        const bool warm = size < memory.size();
        for (std::size_t k = 0; warm && k < work.pieces_of_pass(); ++k) {
            work.piece();
        }
        meeting.wait();
        rates[row] = timed(work, time_s);
        meeting.wait();
    }
}

/// Rates, shape (cores, rows).
std::vector<std::vector<double>> rates_of(const std::vector<CpuList>& places,
                                          const std::vector<Row>& rows, double time_s) {
    const int cores = rows.front().cores;
    const auto count = static_cast<std::size_t>(cores);
    const auto most = static_cast<std::size_t>(rows.back().set_bytes) / sizeof(double);
    std::vector<Buffer<double>> memory;
    for (std::size_t core = 0; core < count; ++core) {
        memory.emplace_back(most);
    }
    std::vector<std::vector<double>> rates(count, std::vector<double>(rows.size()));
    Meeting meeting(cores);
    std::vector<std::jthread> threads;
    for (std::size_t core = 0; core < count; ++core) {
        threads.emplace_back([&, core] {
            work_on(places[core], {memory[core].data(), most}, rows, time_s, meeting, rates[core]);
        });
    }
    threads.clear();  // waits for them
    return rates;
}

void add(std::vector<Row>& rows, const std::vector<std::vector<double>>& rates) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        double seconds = 0.0;
        double slowest = rates.front()[row];
        for (const std::vector<double>& core : rates) {
            seconds += 1.0 / core[row];
            slowest = std::min(slowest, core[row]);
        }
        const double rate = static_cast<double>(rates.size()) / seconds;
        if (rate > rows[row].rate) {
            rows[row].rate = rate;
            rows[row].slowest_rate = slowest;
        }
        rows[row].repeats.push_back(rate);
    }
}

std::int64_t cache_bytes_of(const std::vector<CpuList>& places) {
    std::int64_t bytes = 0;
    for (const LastLevelCache& cache : read_last_level_caches()) {
        const auto near = [&](const CpuList& core) {
            return std::find(cache.cpus.begin(), cache.cpus.end(), core.front()) !=
                   cache.cpus.end();
        };
        bytes += std::any_of(places.begin(), places.end(), near) ? cache.bytes : 0;
    }
    return bytes;
}

std::vector<int> counts_up_to(int all) {
    std::vector<int> counts;
    for (int count = 1; count < all; count *= 2) {
        counts.push_back(count);
    }
    counts.push_back(all);
    return counts;
}

}  // namespace

std::vector<std::int64_t> set_sizes(std::int64_t cache_share_bytes) {
    const std::int64_t main = std::max(over_cache * cache_share_bytes, least_main_bytes);
    std::vector<std::int64_t> sizes;
    for (std::int64_t bytes = least_set_bytes; set_factor * bytes <= 2 * main;
         bytes *= set_factor) {
        sizes.push_back(bytes);
    }
    sizes.push_back(main);
    return sizes;
}

std::vector<CpuList> cores_in_order(const MachineMap& machine, const CpuList& allowed) {
    std::vector<Core> cores;
    for (const Core& core : machine.cores) {
        Core own{{}, core.numa};
        for (const int cpu : core.cpus) {
            if (std::find(allowed.begin(), allowed.end(), cpu) != allowed.end()) {
                own.cpus.push_back(cpu);
            }
        }
        if (!own.cpus.empty()) {
            cores.push_back(own);
        }
    }
    std::stable_sort(cores.begin(), cores.end(),
                     [](const Core& a, const Core& b) { return a.numa < b.numa; });
    std::vector<CpuList> places;
    places.reserve(cores.size());
    for (const Core& core : cores) {
        places.push_back(core.cpus);
    }
    return places;
}

Report measure(const Options& options) {
    const std::vector<CpuList> places = cores_in_order(read_machine(), current_cpus());
    const auto all = static_cast<int>(places.size());
    const std::vector<int> counts = options.cores.empty() ? counts_up_to(all) : options.cores;
    validate<UsageError>(counts.back() <= all,
                         fmt::format("--cores {}: this process may use {} cores. Ask for fewer.",
                                     counts.back(), all));
    Report report{utc_now(), host_name(), cpu_model(), all, cache_bytes_of(places),
                  {},        {},          options};
    for (const CpuList& cpus : places) {
        report.places.push_back(cpu_list_text(cpus));
    }
    std::vector<std::vector<Row>> rows;
    rows.reserve(counts.size());
    for (const int count : counts) {
        rows.push_back(rows_of(places, count));
    }
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
        for (std::vector<Row>& own : rows) {
            add(own, rates_of(places, own, options.time_s));
        }
    }
    for (const std::vector<Row>& own : rows) {
        report.rows.insert(report.rows.end(), own.begin(), own.end());
    }
    return report;
}

}  // namespace halocline::cores
