// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Functions with their histograms, and the sample of collective calls.
#include "device.hpp"
#include "report.hpp"
#include "samples.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

namespace {

struct BinSum {
    std::uint64_t calls, bytes, ticks, least;
    bool timed;
};

struct FunctionSum {
    BinSum bins[bin_count];
    std::uint64_t calls, ticks, bytes, longest, initiation, received, completed, polling, untimed;
    std::uint64_t device_calls, device_bytes;
};

void add_bins(FunctionSum& sum, const FunctionStats& stats) {
    for (int i = 0; i < bin_count; ++i) {
        const Bin& bin = stats.bins[i];
        BinSum& total = sum.bins[i];
        total.calls += bin.calls.get();
        total.bytes += bin.bytes.get();
        total.ticks += bin.ticks.get();
        if (!bin.least.empty() && (!total.timed || bin.least.get() < total.least)) {
            total.least = bin.least.get();
            total.timed = true;
        }
        sum.calls += bin.calls.get();
        sum.bytes += bin.bytes.get();
        sum.ticks += bin.ticks.get();
    }
}

/// Calls that were not timed have no size: they belong to the first bin.
void add_untimed(FunctionSum& sum, const FunctionStats& stats, std::uint64_t calls) {
    const std::uint64_t ticks = stats.untimed_ticks(calls);
    sum.untimed += calls;
    sum.calls += calls;
    sum.ticks += ticks;
    sum.bins[0].calls += calls;
    sum.bins[0].ticks += ticks;
}

void add(FunctionSum& sum, const FunctionStats& stats) {
    add_bins(sum, stats);
    sum.calls += stats.deferred_calls.get() - stats.late_calls.get();
    sum.initiation += stats.initiation_ticks.get();
    sum.ticks += stats.initiation_ticks.get();
    sum.longest = stats.longest.get() > sum.longest ? stats.longest.get() : sum.longest;
    sum.received += stats.received_bytes.get();
    sum.completed += stats.completed_bytes.get();
    sum.polling += stats.polling_ticks.get();
    sum.device_calls += stats.device_calls.get();
    sum.device_bytes += stats.device_bytes.get();
}

bool was_called(int function) {
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        if (record->functions[function].load(std::memory_order_relaxed) != nullptr) {
            return true;
        }
    }
    return false;
}

void sum_over_threads(FunctionSum& sum, int function) {
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        const FunctionStats* stats = record->functions[function].load(std::memory_order_acquire);
        if (stats != nullptr) {
            add(sum, *stats);
            add_untimed(sum, *stats, record->untimed(function));
        }
    }
}

void write_histogram(JsonFile& json, const FunctionSum& sum, const TickScale& scale) {
    json.key("histogram").begin_array();
    for (int i = 0; i < bin_count; ++i) {
        const BinSum& bin = sum.bins[i];
        if (bin.calls == 0) {
            continue;
        }
        json.begin_array();
        json.number(i);
        json.number(bin.calls);
        json.number(bin.bytes);
        json.number(scale.to_ns(bin.ticks));
        if (bin.timed) {
            json.number(scale.to_ns(bin.least));
        } else {
            json.null();
        }
        json.end_array();
    }
    json.end_array();
}

/// Rows [bin, ns]: within this time a quarter of the calls of that size ended.
void write_quick_times(JsonFile& json, int function, const TickScale& scale) {
    constexpr int quarter = 25;
    json.key("quick_ns").begin_array();
    for (int i = 0; i < bin_count; ++i) {
        TimeDistribution times;
        for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
            const FunctionStats* stats = record->known_stats(function);
            const TimeClasses* classes =
                stats == nullptr ? nullptr : stats->times[i].load(std::memory_order_acquire);
            if (classes != nullptr) {
                times.add(*classes);
            }
        }
        if (!times.empty()) {
            json.begin_array();
            json.number(i);
            json.number(scale.to_ns(times.quantile(quarter)));
            json.end_array();
        }
    }
    json.end_array();
}

void write_device(JsonFile& json, const FunctionSum& sum) {
    const bool known = pointer_query.load(std::memory_order_relaxed) != nullptr;
    json.key("device_calls");
    known ? json.number(sum.device_calls) : json.null();
    json.key("device_bytes");
    known ? json.number(sum.device_bytes) : json.null();
}

void write_function(JsonFile& json, int function, const FunctionSum& sum, const TickScale& scale) {
    json.line_break();
    json.begin_object();
    json.key("name").string(function_names[function]);
    json.key("class").string(kind_names[static_cast<int>(function_kinds[function])]);
    json.key("calls").number(sum.calls);
    json.key("untimed_calls").number(sum.untimed);
    json.key("time_ns").number(scale.to_ns(sum.ticks));
    json.key("max_ns").number(scale.to_ns(sum.longest));
    json.key("bytes").number(sum.bytes);
    json.key("received_bytes").number(sum.received);
    json.key("completed_bytes").number(sum.completed);
    json.key("polling_ns").number(scale.to_ns(sum.polling));
    json.key("initiation_ns").number(scale.to_ns(sum.initiation));
    write_device(json, sum);
    write_histogram(json, sum, scale);
    write_quick_times(json, function, scale);
    json.end_object();
}

}  // namespace

void write_functions(JsonFile& json, const TickScale& scale) {
    json.key("functions").begin_array();
    for (int function = 0; function < function_count; ++function) {
        if (!was_called(function)) {
            continue;
        }
        FunctionSum sum{};
        sum_over_threads(sum, function);
        if (sum.calls > 0) {
            write_function(json, function, sum, scale);
        }
    }
    json.end_array();
}

void write_samples(JsonFile& json, const TickScale& scale) {
    const SampleView view = view_samples();
    // Names by index: a function's place among those that occur.
    std::uint16_t places[function_count] = {};
    std::uint16_t used = 0;
    json.key("collective_samples").begin_object();
    json.key("seen").number(view.seen);
    json.key("kept_one_in").number(view.one_in);
    json.key("function_names").begin_array();
    for (std::uint32_t i = 0; i < view.count; ++i) {
        const auto function = view.rows[i].function.load(std::memory_order_relaxed);
        if (places[function] == 0) {
            places[function] = ++used;
            json.string(function_names[function]);
        }
    }
    json.end_array();
    json.key("rows").begin_array();
    for (std::uint32_t i = 0; i < view.count; ++i) {
        const Sample& row = view.rows[i];
        const auto function = row.function.load(std::memory_order_relaxed);
        if (places[function] == 0) {
            continue;  // the table was thinned twice while we read
        }
        json.begin_array();
        json.number(row.communicator.load(std::memory_order_relaxed));
        json.number(row.sequence.load(std::memory_order_relaxed));
        json.number(places[function] - 1);
        json.number(scale.to_ns(row.ticks.load(std::memory_order_relaxed)));
        json.end_array();
    }
    json.end_array();
    json.end_object();
}

}  // namespace halocline::snapshot
