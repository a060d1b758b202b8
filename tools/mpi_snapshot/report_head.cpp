// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Head, times and threads of the raw file.
#include "family.hpp"
#include "mpi_time.hpp"
#include "report.hpp"
#include "session.hpp"
#include "thread_record.hpp"

#include <signal.h>

#include <cstdio>
#include <cstring>

namespace halocline::snapshot {

namespace {

std::atomic<int> abort_code{0};
std::atomic<int> last_signal{0};

const char* thread_level(int level) {
    switch (level) {
        case MPI_THREAD_SINGLE:
            return "single";
        case MPI_THREAD_FUNNELED:
            return "funneled";
        case MPI_THREAD_SERIALIZED:
            return "serialized";
        default:
            return "multiple";
    }
}

void write_end(JsonFile& json, End end) {
    static constexpr const char* names[] = {"flush", "finalize", "exit", "abort", "sigterm"};
    json.key("complete").boolean(end == End::finalize);
    if (end == End::signal) {
        char text[32];
        std::snprintf(text, sizeof text, "signal %d", last_signal.load(std::memory_order_relaxed));
        json.key("end").string(text);
    } else {
        json.key("end").string(names[static_cast<int>(end)]);
    }
    json.key("abort_code");
    if (end == End::abort) {
        json.number(abort_code.load(std::memory_order_relaxed));
    } else {
        json.null();
    }
}

const char* timer_name() {
    if (program_clock != nullptr) {
        return "program";
    }
    return use_cycle_counter ? "tsc" : "monotonic";
}

void write_tool(JsonFile& json) {
    json.key("tool").begin_object();
    json.key("version").string(HALOCLINE_VERSION);
#if defined(OPEN_MPI)
    json.key("family").string("openmpi");
#else
    json.key("family").string("mpich");
#endif
    json.key("call_sites").boolean(session.settings.sites);
    json.key("depth").number(session.settings.depth);
    json.key("flush_interval_ns").number(session.settings.flush_interval_ns);
    json.key("timer").string(timer_name());
    json.end_object();
}

void write_mpi(JsonFile& json) {
    char standard[32];
    std::snprintf(standard, sizeof standard, "%d.%d", session.standard_major,
                  session.standard_minor);
    json.key("mpi").begin_object();
    json.key("library").string(session.library);
    json.key("standard").string(standard);
    json.key("thread_requested").string(thread_level(session.thread_requested));
    json.key("thread_provided").string(thread_level(session.thread_provided));
    json.end_object();
}

void write_command(JsonFile& json) {
    json.key("program").string(session.program);
    json.key("command").begin_array();
    for (const char* at = session.command; at < session.command + session.command_bytes;
         at += std::strlen(at) + 1) {
        json.string(at);
    }
    json.end_array();
    json.key("working_directory").string(session.working_directory);
}

void write_threads(JsonFile& json, const TickScale& scale) {
    json.key("threads").begin_array();
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        const CallTotal total = record->total();
        json.begin_object();
        json.key("tid").number(static_cast<int>(record->tid.load(std::memory_order_relaxed)));
        json.key("main").boolean(record->is_main.load(std::memory_order_relaxed));
        json.key("calls").number(total.calls);
        json.key("in_mpi_ns").number(scale.to_ns(total.ticks));
        json.end_object();
    }
    json.end_array();
}

/// Written last: a call that returns meanwhile may be missed, but is never counted twice.
void write_pending_call(JsonFile& json, const ThreadRecord& record, const TickScale& scale) {
    const PendingCall call = pending_call(record, scale.now_ticks());
    if (call.function < 0) {
        return;
    }
    json.begin_object();
    json.key("tid").number(static_cast<int>(record.tid.load(std::memory_order_relaxed)));
    json.key("function").string(function_names[call.function]);
    json.key("class").string(kind_names[static_cast<int>(function_kinds[call.function])]);
    json.key("since_ns").number(scale.to_ns(call.ticks));
    write_frames(json, call.site);
    json.end_object();
}

}  // namespace

void set_abort_code(int code) { abort_code.store(code, std::memory_order_relaxed); }
void set_signal(int number) { last_signal.store(number, std::memory_order_relaxed); }

void write_head(JsonFile& json, End end) {
    static std::atomic<std::uint32_t> files_written{0};
    json.key("schema").string("halocline.snapshot-raw");
    json.key("schema_version").number(1);
    write_tool(json);
    write_end(json, end);
    json.key("written_unix_ns").number(clock_ns(CLOCK_REALTIME));
    json.key("files_written").number(files_written.fetch_add(1, std::memory_order_relaxed));
    json.key("rank").number(session.rank);
    json.key("ranks").number(session.ranks);
    json.key("host").string(session.host);
    json.key("pid").number(static_cast<int>(session.pid));
    write_command(json);
    write_mpi(json);
}

void write_time(JsonFile& json, const TickScale& scale) {
    const std::uint64_t ended = session.ended_ns.load(std::memory_order_relaxed);
    const std::uint64_t finalize = session.finalize_ns.load(std::memory_order_relaxed);
    const std::uint64_t now = monotonic_ns();
    const std::uint64_t paused_since = session.paused_since_ns.get();
    json.key("time").begin_object();
    json.key("process_started_unix_ns").number(session.process_started_unix_ns);
    json.key("process_ns").number(clock_ns(CLOCK_BOOTTIME) - session.process_started_boot_ns);
    json.key("mpi_ns").number((ended != 0 ? ended : now) - session.started_ns);
    json.key("init_ns").number(session.init_ns);
    json.key("finalize_ns");
    if (finalize != 0) {
        json.number(finalize);
    } else {
        json.null();
    }
    const MpiTicks in_mpi = mpi_ticks_until(scale.now_ticks());
    json.key("in_mpi_ns").number(scale.to_ns(in_mpi.returned));
    json.key("any_thread_in_mpi_ns").number(scale.to_ns(in_mpi.any_thread));
    json.key("paused_ns")
        .number(session.paused_ns.get() + (paused_since != 0 ? now - paused_since : 0));
    json.end_object();
    write_threads(json, scale);
}

void write_pending(JsonFile& json, const TickScale& scale) {
    json.key("pending").begin_array();
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        write_pending_call(json, *record, scale);
    }
    json.end_array();
}

}  // namespace halocline::snapshot
