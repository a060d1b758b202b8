// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collectives by function, members and size, summed over threads.
#include "report.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

namespace {

void write_point(JsonFile& json, const CollectivePoint& point, const TickScale& scale) {
    json.begin_array();
    json.string(function_names[point.function()]);
    json.number(point.members());
    json.number(point.bin());
    json.number(point.calls.get());
    json.number(point.bytes.get());
    json.number(scale.to_ns(point.ticks.get()));
    json.end_array();
}

/// Rows of one thread; the reader adds up rows of several threads, which are rare.
std::uint64_t write_table(JsonFile& json, const PointTable& table, const TickScale& scale) {
    for (const CollectivePoint& point : table.points) {
        if (point.key.load(std::memory_order_acquire) != 0) {
            write_point(json, point, scale);
        }
    }
    return table.left_out.get();
}

}  // namespace

void write_points(JsonFile& json, const TickScale& scale) {
    std::uint64_t left_out = 0;
    json.key("collective_points").begin_object();
    json.key("columns").begin_array();
    for (const char* name : {"function", "members", "bin", "calls", "bytes", "time_ns"}) {
        json.string(name);
    }
    json.end_array();
    json.key("rows").begin_array();
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        const PointTable* table = record->points.load(std::memory_order_acquire);
        left_out += table == nullptr ? 0 : write_table(json, *table, scale);
    }
    json.end_array();
    json.key("left_out").number(left_out);
    json.end_object();
}

}  // namespace halocline::snapshot
