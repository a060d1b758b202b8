// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table of regions and its part of the report.
#include "openmp.hpp"

#include "modules.hpp"
#include "report.hpp"
#include "session.hpp"

namespace halocline::snapshot {

std::atomic<bool> ompt_is_active{false};

namespace {

constexpr int region_limit = 1024;
Region regions[region_limit];
std::atomic<bool> any_region{false};

void add(std::atomic<std::uint64_t>& to, std::uint64_t amount) {
    to.fetch_add(amount, std::memory_order_relaxed);
}

void raise_to(std::atomic<std::uint64_t>& value, std::uint64_t at_least) {
    std::uint64_t now = value.load(std::memory_order_relaxed);
    while (now < at_least &&
           !value.compare_exchange_weak(now, at_least, std::memory_order_relaxed)) {
    }
}

Region* region_of(const void* site) {
    auto index =
        static_cast<unsigned>((reinterpret_cast<std::uintptr_t>(site) * 0x9e3779b97f4a7c15u) >> 50);
    for (int tries = 0; tries < region_limit; ++tries, ++index) {
        Region& region = regions[index % region_limit];
        const void* known = region.site.load(std::memory_order_acquire);
        if (known == site) {
            return &region;
        }
        if (known == nullptr && region.site.compare_exchange_strong(known, site)) {
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

const char* runtime_name() {
    static std::atomic<bool> gomp_seen{false};
    if (ompt_is_active.load(std::memory_order_relaxed)) {
        return "libomp";
    }
    if (!any_region.load(std::memory_order_relaxed)) {
        return nullptr;  // the table is not small
    }
    for (const Region& region : regions) {
        if (region.calls.load(std::memory_order_relaxed) != 0) {
            gomp_seen.store(true, std::memory_order_relaxed);
        }
    }
    return gomp_seen.load(std::memory_order_relaxed) ? "libgomp" : nullptr;
}

std::uint64_t get(const std::atomic<std::uint64_t>& value) {
    return value.load(std::memory_order_relaxed);
}

void write_region(JsonFile& json, const Region& region) {
    const Place place = place_of(region.site.load(std::memory_order_relaxed));
    json.begin_object();
    json.key("site").begin_array();
    json.number(place.module);
    json.number(place.offset);
    json.end_array();
    json.key("calls").number(get(region.calls));
    json.key("threads").number(get(region.threads));
    json.key("elapsed_ns").number(get(region.elapsed_ns));
    json.key("busy_sum_ns").number(get(region.busy_sum_ns));
    json.key("busy_max_ns").number(get(region.busy_max_ns));
    json.key("busy_mean_ns").number(get(region.busy_mean_ns));
    json.end_object();
}

}  // namespace

bool counts_regions() {
    return session.recording.load(std::memory_order_relaxed) && session.settings.openmp;
}

void note_region(const RegionCall& call) {
    Region* region = region_of(call.site);
    if (region == nullptr || call.threads == 0) {
        return;
    }
    add(region->calls, 1);
    add(region->elapsed_ns, call.elapsed_ns);
    add(region->busy_sum_ns, call.busy_sum_ns);
    add(region->busy_max_ns, call.busy_max_ns);
    add(region->busy_mean_ns, call.busy_sum_ns / call.threads);
    raise_to(region->threads, call.threads);
}

const char* openmp_missing() {
    if (!session.settings.openmp) {
        return "Switched off by HALOCLINE_SNAPSHOT_OPENMP=0.";
    }
    return runtime_name() == nullptr
               ? "The program ran no parallel region of GCC's or LLVM's OpenMP."
               : nullptr;
}

void write_openmp(JsonFile& json) {
    json.key("openmp").begin_object();
    json.key("runtime");
    if (const char* name = runtime_name()) {
        json.string(name);
    } else {
        json.null();
    }
    json.key("regions").begin_array();
    const bool any = any_region.load(std::memory_order_acquire);
    for (const Region& region : regions) {
        if (!any) {
            break;
        }
        if (region.site.load(std::memory_order_acquire) != nullptr && get(region.calls) > 0) {
            write_region(json, region);
        }
    }
    json.end_array();
    json.end_object();
}

}  // namespace halocline::snapshot
