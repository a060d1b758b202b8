// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Call sites and the modules they lie in.
#include "modules.hpp"
#include "report.hpp"
#include "sites.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

namespace {

void write_modules(JsonFile& json) {
    json.key("modules").begin_array();
    for (int i = 0; i < module_count(); ++i) {
        const Module& module = module_at(i);
        json.begin_object();
        json.key("index").number(i);
        json.key("path").string(module.path);
        json.key("build_id");
        if (module.build_id[0] == '\0') {
            json.null();
        } else {
            json.string(module.build_id);
        }
        json.end_object();
    }
    json.end_array();
}

}  // namespace

void write_frames(JsonFile& json, const Site* site) {
    json.key("frames").begin_array();
    for (int i = 0; site != nullptr && i < site->depth; ++i) {
        json.begin_array();
        json.number(site->places[i].module);
        json.number(site->places[i].offset);
        json.end_array();
    }
    json.end_array();
}

namespace {

/// `stats` are those of the site's function and thread.
void write_site(JsonFile& json, const Site& site, const FunctionStats& stats,
                const TickScale& scale) {
    const std::uint64_t untimed = site.untimed.get();
    json.begin_object();
    json.key("function").string(function_names[site.function]);
    write_frames(json, &site);
    json.key("calls").number(site.calls.get() + untimed);
    json.key("time_ns").number(scale.to_ns(site.ticks.get() + stats.untimed_ticks(untimed)));
    json.key("max_ns").number(scale.to_ns(site.longest.get()));
    json.key("bytes").number(site.bytes.get());
    json.end_object();
}

/// Returns the calls that found no room.
std::uint64_t write_table(JsonFile& json, const ThreadRecord& record, const SiteTable& table,
                          const TickScale& scale) {
    const std::uint64_t used = table.used.get();
    for (const Site* site = table.sites; site != table.sites + used; ++site) {
        // A glue frame whose calls were all attributed further up has none of its own.
        if (site->address.load(std::memory_order_acquire) != nullptr && site->calls.get() > 0) {
            write_site(json, *site, *record.known_stats(site->function), scale);
        }
    }
    return table.dropped.get();
}

}  // namespace

void write_call_sites(JsonFile& json, const TickScale& scale) {
    std::uint64_t dropped = 0;
    json.key("call_sites").begin_object();
    json.key("rows").begin_array();
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        if (const SiteTable* table = record->sites.load(std::memory_order_acquire)) {
            dropped += write_table(json, *record, *table, scale);
        }
    }
    json.end_array();
    json.key("dropped").number(dropped);
    write_modules(json);
    json.end_object();
}

}  // namespace halocline::snapshot
