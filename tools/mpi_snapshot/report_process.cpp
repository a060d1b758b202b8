// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Processor, memory, binding, pressure, counters, and what could not be measured.
#include "device.hpp"
#include "openmp.hpp"
#include "process_numbers.hpp"
#include "report.hpp"
#include "session.hpp"

#include <cstdio>
#include <cstring>

namespace halocline::snapshot {

namespace {

/// Rows [tid, cpu_ns, queue_ns] since the start; a thread that was not there then began at 0.
void write_queues(JsonFile& json, const ProcessNumbers& now, const ProcessNumbers& start) {
    json.key("threads").begin_array();
    for (int i = 0; i < now.thread_count; ++i) {
        ProcessNumbers::Thread thread = now.threads[i];
        for (int k = 0; k < start.thread_count; ++k) {
            const ProcessNumbers::Thread& before = start.threads[k];
            // A number may be given again to a thread that began later.
            if (before.tid == thread.tid && before.cpu_ns <= thread.cpu_ns &&
                before.queue_ns <= thread.queue_ns) {
                thread.cpu_ns -= before.cpu_ns;
                thread.queue_ns -= before.queue_ns;
            }
        }
        json.begin_array();
        json.number(thread.tid);
        json.number(thread.cpu_ns);
        json.number(thread.queue_ns);
        json.end_array();
    }
    json.end_array();
}

void write_cpu(JsonFile& json, const ProcessNumbers& now, const ProcessNumbers& start) {
    json.key("cpu").begin_object();
    json.key("user_ns").number(now.user_ns - start.user_ns);
    json.key("system_ns").number(now.system_ns - start.system_ns);
    json.key("voluntary_switches").number(now.voluntary_switches - start.voluntary_switches);
    json.key("involuntary_switches").number(now.involuntary_switches - start.involuntary_switches);
    json.key("minor_faults").number(now.minor_faults - start.minor_faults);
    json.key("major_faults").number(now.major_faults - start.major_faults);
    json.key("run_queue_wait_ns");
    if (now.run_queue_ok && now.run_queue_wait_ns >= start.run_queue_wait_ns) {
        json.number(now.run_queue_wait_ns - start.run_queue_wait_ns);
    } else {
        json.null();
    }
    write_queues(json, now, start);
    json.key("peak_memory_bytes").number(now.peak_memory_bytes);
    // The flushing thread is ours, not the program's.
    const std::uint64_t own = session.settings.flush_interval_ns != 0 ? 1 : 0;
    json.key("threads_now").number(now.threads_now > own ? now.threads_now - own : 1);
    json.key("threads_peak_seen").number(threads_peak() > own ? threads_peak() - own : 1);
    json.end_object();
}

void write_pressure(JsonFile& json, const ProcessNumbers& now, const ProcessNumbers& start) {
    json.key("pressure").begin_object();
    json.key("cpu_some_ns");
    if (now.pressure_ok && start.pressure_ok) {
        json.number((now.cpu_some_us - start.cpu_some_us) * 1000u);
    } else {
        json.null();
    }
    json.key("cpu_some_avg10");
    if (now.pressure_ok) {
        json.string(now.cpu_some_avg10);
    } else {
        json.null();
    }
    json.key("busy_ns");
    if (now.busy_ok && start.busy_ok && now.busy_ns >= start.busy_ns) {
        json.number(now.busy_ns - start.busy_ns);
    } else {
        json.null();
    }
    json.end_object();
}

void write_counters(JsonFile& json, const ProcessNumbers& now, const ProcessNumbers& start) {
    json.key("counters").begin_object();
    for (int i = 0; i < 3; ++i) {
        json.key(counter_names[i]);
        if (counter_error(i) == 0) {
            json.number(now.counters[i] - start.counters[i]);
        } else {
            json.null();
        }
    }
    json.end_object();
}

void write_missing(JsonFile& json, const char* quantity, const char* reason) {
    json.begin_object();
    json.key("quantity").string(quantity);
    json.key("reason").string(reason);
    json.end_object();
}

void write_missing_counters(JsonFile& json) {
    for (int i = 0; i < 3; ++i) {
        if (counter_error(i) != 0) {
            char reason[256];
            std::snprintf(
                reason, sizeof reason,
                "perf_event_open refused the event (%s); the machine or its virtualisation "
                "offers no such counter, or kernel.perf_event_paranoid forbids it.",
                strerrordesc_np(counter_error(i)));
            write_missing(json, counter_names[i], reason);
        }
    }
    if (counter_error(static_cast<int>(HardwareCounter::stalled_backend_cycles)) != 0) {
        write_missing(json, "memory stalls", "They need stalled_backend_cycles.");
    }
    write_missing(json, "floating-point use", "The kernel has no portable event for it.");
}

}  // namespace

void write_process(JsonFile& json, const ProcessNumbers& now) {
    const ProcessNumbers& start = numbers_at_start();
    write_cpu(json, now, start);
    json.key("binding").begin_object();
    json.key("cpus").string(binding().cpus);
    json.key("cpu_count").number(binding().cpu_count);
    json.key("machine_cpus").number(binding().machine_cpus);
    json.end_object();
    write_pressure(json, now, start);
    write_counters(json, now, start);
}

void write_unavailable(JsonFile& json) {
    json.key("unavailable").begin_array();
    write_missing_counters(json);
    if (pointer_query.load(std::memory_order_relaxed) == nullptr) {
        write_missing(json, "device buffers", "The program loaded no CUDA driver (libcuda.so).");
    }
    if (!session.settings.sites) {
        write_missing(json, "call sites", "Switched off by HALOCLINE_SNAPSHOT_SITES=0.");
    }
    if (session.settings.samples == 0) {
        write_missing(json, "MPI imbalance", "Switched off by HALOCLINE_SNAPSHOT_SAMPLES=0.");
    }
    if (!session.settings.io) {
        write_missing(json, "time in file calls", "Switched off by HALOCLINE_SNAPSHOT_IO=0.");
    }
    if (const char* reason = openmp_missing()) {
        write_missing(json, "OpenMP imbalance", reason);
    }
    json.end_array();
}

}  // namespace halocline::snapshot
