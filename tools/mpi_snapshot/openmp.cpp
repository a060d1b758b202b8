// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table of regions and its part of the report.
#include "openmp.hpp"

#include "handle_table.hpp"
#include "modules.hpp"
#include "relaxed.hpp"
#include "report.hpp"
#include "session.hpp"
#include "ticks.hpp"

namespace halocline::snapshot {

std::atomic<bool> ompt_is_active{false};

namespace {

constexpr int region_limit = 1024;
Region regions[2][region_limit];  // from outside, from inside others
std::atomic<bool> any_region{false};

void raise_to(std::atomic<std::uint64_t>& value, std::uint64_t at_least) {
    std::uint64_t now = value.load(std::memory_order_relaxed);
    while (now < at_least &&
           !value.compare_exchange_weak(now, at_least, std::memory_order_relaxed)) {
    }
}

/// The first calls are all measured: a program that makes few of them gets their true times.
constexpr std::uint64_t measured_at_first = 32;
constexpr std::uint64_t longest_gap = 4096;
/// Of the time in a region, so little is spent on measuring it beyond them, by each of its threads.
constexpr std::uint64_t part_for_measuring = 2000;
constexpr std::uint64_t least_interval_ns = 1'000'000;
std::atomic<std::uint64_t> interval_ticks{~std::uint64_t{0}};

/// Of 0 to `limit - 1`. Calls that alternate must not meet a sample that alternates with them.
std::uint64_t random_below(std::atomic<std::uint64_t>& state, std::uint64_t limit) {
    std::uint64_t value = state.load(std::memory_order_relaxed) + 0x9e3779b97f4a7c15u;
    state.store(value, std::memory_order_relaxed);
    value = mix(value);
    return limit == 0 ? 0 : (value >> 32) * limit >> 32;
}

/// Reading the processor clock is a system call, whose cost is not the same everywhere (150 ns to
/// more than 1 us). A thread reads it when it begins and ends, and before and after a barrier.
std::uint64_t measuring_ticks() {
    constexpr int tries = 8, readings = 4;
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < tries; ++i) {
        const std::uint64_t begin = ticks();
        thread_cpu_ns();
        const std::uint64_t elapsed = ticks() - begin;
        least = elapsed < least ? elapsed : least;
    }
    return readings * least;
}

/// Time of a region between two calls of it that are measured.
std::uint64_t sampling_interval() {
    static const std::uint64_t highest = part_for_measuring * measuring_ticks();
    const std::uint64_t least = TickScale().to_ticks(least_interval_ns);
    return highest > least ? highest : least;
}

/// On average as many calls are skipped as last for the interval.
std::uint64_t next_gap(Region& region, std::uint64_t calls) {
    if (region.measured_calls.load(std::memory_order_relaxed) < measured_at_first) {
        return 0;
    }
    const std::uint64_t interval = sampling_interval();
    interval_ticks.store(interval, std::memory_order_relaxed);
    const std::uint64_t mean = region.ticks.load(std::memory_order_relaxed) / calls + 1;
    const std::uint64_t gap = interval / mean;
    return random_below(region.random, 2 * (gap < longest_gap ? gap : longest_gap));
}

const char* runtime_name() {
    if (ompt_is_active.load(std::memory_order_relaxed)) {
        return "libomp";
    }
    return any_region.load(std::memory_order_relaxed) ? "libgomp" : nullptr;
}

/// Of all calls: what the measured ones say, scaled to the elapsed time of all.
class Estimate {
public:
    explicit Estimate(const Region& region)
        : whole_(get(region.ticks)), part_(get(region.seen_ticks)) {}
    std::uint64_t of(const std::atomic<std::uint64_t>& sum) const {
        __extension__ using Wide = unsigned __int128;
        const std::uint64_t value = get(sum);
        return part_ == 0 ? value : static_cast<std::uint64_t>(Wide{value} * whole_ / part_);
    }

private:
    std::uint64_t whole_, part_;
};

void write_busy(JsonFile& json, const Region& region) {
    const Estimate estimate(region);
    json.key("busy_sum_ns").number(estimate.of(region.busy_sum_ns));
    json.key("busy_max_ns").number(estimate.of(region.busy_max_ns));
    json.key("busy_mean_ns").number(estimate.of(region.busy_mean_ns));
    json.key("lost_ns").number(estimate.of(region.lost_ns));
}

void write_region(JsonFile& json, const Region& region, const TickScale& scale) {
    const Place place = place_of(region.site.load(std::memory_order_relaxed));
    json.begin_object();
    json.key("site").begin_array();
    json.number(place.module);
    json.number(place.offset);
    json.end_array();
    json.key("nested").boolean(region.nested);
    json.key("calls").number(get(region.calls));
    json.key("measured_calls").number(get(region.measured_calls));
    json.key("threads").number(get(region.threads));
    json.key("elapsed_ns").number(scale.to_ns(get(region.ticks)));
    write_busy(json, region);
    json.end_object();
}

}  // namespace

bool counts_regions() {
    return session.recording.load(std::memory_order_relaxed) && session.settings.openmp;
}

Region* region_of(const void* site, bool nested) {
    const std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(site) + (nested ? 1 : 0);
    auto index = static_cast<unsigned>((bits * 0x9e3779b97f4a7c15u) >> 50);
    for (int tries = 0; tries < region_limit; ++tries, ++index) {
        Region& region = regions[nested ? 1 : 0][index % region_limit];
        const void* known = region.site.load(std::memory_order_acquire);
        if (known == nullptr && region.site.compare_exchange_strong(known, site)) {
            region.nested = nested;
            any_region.store(true, std::memory_order_relaxed);
            // Learns the module now: files are written where the loader may not be asked.
            place_of(site);
            return &region;
        }
        if (known == site) {
            return &region;
        }
    }
    return nullptr;
}

bool Region::is_measured() {
    const std::uint32_t left = to_skip.load(std::memory_order_relaxed);
    if (left == 0) {
        return true;
    }
    to_skip.store(left - 1, std::memory_order_relaxed);
    return false;
}

void Region::count(std::uint64_t elapsed_ticks) {
    add(calls, 1);
    add(ticks, elapsed_ticks);
    // The region has become slow: its next calls are worth a look.
    constexpr std::uint32_t soon = 8;
    if (elapsed_ticks > interval_ticks.load(std::memory_order_relaxed) &&
        to_skip.load(std::memory_order_relaxed) > soon) {
        to_skip.store(static_cast<std::uint32_t>(random_below(random, soon)),
                      std::memory_order_relaxed);
    }
}

void Region::count_measured(const RegionCall& call) {
    add(calls, 1);
    add(ticks, call.ticks);
    const std::uint64_t now = calls.load(std::memory_order_relaxed);
    const std::uint64_t before = calls_before.exchange(now, std::memory_order_relaxed);
    const std::uint64_t weight = now > before ? now - before : 1;
    const std::uint64_t mean = call.busy_sum_ns / call.threads;
    add(measured_calls, 1);
    add(seen_ticks, weight * call.ticks);
    add(busy_sum_ns, weight * call.busy_sum_ns);
    add(busy_max_ns, weight * call.busy_max_ns);
    add(busy_mean_ns, weight * mean);
    add(lost_ns, weight * (call.busy_max_ns - mean) / call.beside);
    raise_to(threads, call.threads);
    to_skip.store(static_cast<std::uint32_t>(next_gap(*this, now)), std::memory_order_relaxed);
}

const char* openmp_missing() {
    if (!session.settings.openmp) {
        return "Switched off by HALOCLINE_SNAPSHOT_OPENMP=0.";
    }
    return runtime_name() == nullptr
               ? "The program ran no parallel region of GCC's or LLVM's OpenMP."
               : nullptr;
}

void write_openmp(JsonFile& json, const TickScale& scale) {
    json.key("openmp").begin_object();
    json.key("runtime");
    if (const char* name = runtime_name()) {
        json.string(name);
    } else {
        json.null();
    }
    json.key("regions").begin_array();
    // The tables are not small.
    if (any_region.load(std::memory_order_acquire)) {
        for (const auto& table : regions) {
            for (const Region& region : table) {
                if (get(region.calls) > 0) {
                    write_region(json, region, scale);
                }
            }
        }
    }
    json.end_array();
    json.end_object();
}

}  // namespace halocline::snapshot
