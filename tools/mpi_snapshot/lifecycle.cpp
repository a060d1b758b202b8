// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init, MPI_Finalize, MPI_Abort and MPI_Pcontrol: where a recording starts and ends.
#include "lifecycle.hpp"

#include "call.hpp"
#include "communicators.hpp"
#include "device.hpp"
#include "family.hpp"
#include "flusher.hpp"
#include "glue.hpp"
#include "io_calls.hpp"
#include "phases.hpp"
#include "preload/export.hpp"
#include "preload/mpi_library.hpp"
#include "process_numbers.hpp"
#include "real_functions.hpp"
#include "report.hpp"
#include "requests.hpp"
#include "samples.hpp"
#include "signals.hpp"
#include "spin_lock.hpp"
#include "text.hpp"
#include "tool_scope.hpp"

#include "halocline/core/launcher.hpp"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace halocline::snapshot {

namespace {

// How many times MPI was started and not ended: MPI_Init and every session.
std::atomic<int> uses{0};

void tell(const char* sentence) {
    char line[1400];
    const int length = std::snprintf(line, sizeof line, "halocline-snapshot: %s\n", sentence);
    [[maybe_unused]] const auto written =
        write(STDERR_FILENO, line, static_cast<std::size_t>(length));
}

bool make_folder() {
    if (mkdir(session.folder, 0777) == 0 || errno == EEXIST) {
        return access(session.folder, W_OK) == 0;
    }
    return false;
}

void ask_library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    real.MPI_Get_library_version(text, &length);
    copy_text(session.library, text);
    // MPICH's text is a page with tabs; its first line says which.
    session.library[std::strcspn(session.library, "\n")] = '\0';
    real.MPI_Get_version(&session.standard_major, &session.standard_minor);
}

/// In a forked child nothing is recorded: it is not a rank.
void stop_in_child() {
    session.recording.store(false, std::memory_order_relaxed);
    session.active.store(false, std::memory_order_relaxed);
}

void start_parts() {
    start_samples(session.settings.samples);
    start_io_counting();
    look_for_device_driver();
    find_glue();
    start_process_numbers();
}

/// Files of an earlier run with more ranks would be taken for this one's.
void remove_higher_ranks() {
    char path[1200];
    for (int rank = session.ranks;; ++rank) {
        std::snprintf(path, sizeof path, "%s/rank-%d.json", session.folder, rank);
        if (unlink(path) != 0) {
            return;
        }
    }
}

/// Processes of MPI_Comm_spawn have a world of their own: their ranks would take the place of ours.
bool is_spawned() {
    MPI_Comm parent = predefined.no_comm;
    real.MPI_Comm_get_parent(&parent);
    return parent != predefined.no_comm;
}

void announce() {
    const char* wanted = std::getenv("HALOCLINE_SNAPSHOT_ANNOUNCE");
    if (wanted != nullptr && session.rank == 0) {
        char text[1300];
        std::snprintf(text, sizeof text,
                      "recorded; for the report: halocline snapshot show %.1100s", session.folder);
        tell(text);
    }
}

/// Finds this rank among those of the world.
MPI_Group enter_world(const Start& start) {
    MPI_Group world = predefined.no_group;
    if (start.world != nullptr) {
        world = *start.world;
    } else {
        real.MPI_Comm_group(predefined.world, &world);
    }
    real.MPI_Group_rank(world, &session.rank);
    real.MPI_Group_size(world, &session.ranks);
    return world;
}

bool prepare(const Start& start) {
    if (!read_settings()) {
        return false;
    }
    find_predefined(preload::find_mpi_data);
    if (start.world == nullptr && is_spawned()) {
        return false;
    }
    describe_process();
    session.world = enter_world(start);
    if (!make_folder()) {
        char text[1200];
        std::snprintf(text, sizeof text,
                      "the folder %.900s cannot be written (%s), nothing is recorded. Set "
                      "HALOCLINE_SNAPSHOT_DIR to a folder on a shared file system.",
                      session.folder, std::strerror(errno));
        if (session.rank == 0) {
            tell(text);
        }
        return false;
    }
    if (session.rank == 0) {
        remove_higher_ranks();
    }
    return true;
}

void start_session(const Start& start) {
    ToolScope scope;
    if (!prepare(start)) {
        return;
    }
    ask_library();
    session.thread_requested = start.thread_requested;
    session.thread_provided = start.thread_provided;
    session.init_ns = start.init_ns;
    threads_call_at_once.store(start.thread_provided == MPI_THREAD_MULTIPLE,
                               std::memory_order_relaxed);
    if (!start_communicators(start.world == nullptr)) {
        return;
    }
    start_parts();
    pthread_atfork(nullptr, nullptr, stop_in_child);
    choose_clock();
    start_calibration();
    session.started_ns = monotonic_ns();
    session.active.store(true, std::memory_order_release);
    session.recording.store(true, std::memory_order_release);
}

void begin_files() {
    ToolScope scope;
    if (ThreadRecord* record = thread_state.record) {
        record->is_main.store(true, std::memory_order_relaxed);
    }
    watch_signals();
    write_report(End::flush);
    start_flusher();
}

int init(int* argc, char*** argv) {
    ensure_real_functions();
    ++thread_state.depth;
    const std::uint64_t begin = monotonic_ns();
    end_with_launcher();
    const int code = real.MPI_Init(argc, argv);
    const std::uint64_t end = monotonic_ns();
    int provided = MPI_THREAD_SINGLE;
    if (code == MPI_SUCCESS) {
        real.MPI_Query_thread(&provided);
    }
    if (--thread_state.depth == 0 && code == MPI_SUCCESS) {
        mpi_started({MPI_THREAD_SINGLE, provided, end - begin, nullptr});
    }
    return code;
}

/// The tool makes no MPI calls of its own threads, so the application gets exactly what it asked for.
int init_thread(int* argc, char*** argv, int required, int* provided) {
    ensure_real_functions();
    ++thread_state.depth;
    const std::uint64_t begin = monotonic_ns();
    end_with_launcher();
    const int code = real.MPI_Init_thread(argc, argv, required, provided);
    const std::uint64_t end = monotonic_ns();
    if (--thread_state.depth == 0 && code == MPI_SUCCESS) {
        mpi_started({required, *provided, end - begin, nullptr});
    }
    return code;
}

int finalize() {
    ensure_real_functions();
    Ending ending;
    ++thread_state.depth;
    const int code = real.MPI_Finalize();
    --thread_state.depth;
    ending.finish();
    return code;
}

int abort_job(MPI_Comm comm, int code) {
    ensure_real_functions();
    if (session.active.load(std::memory_order_relaxed) && is_own_process()) {
        ToolScope scope;
        set_abort_code(code);
        write_report(End::abort);
    }
    ++thread_state.depth;
    const int result = real.MPI_Abort(comm, code);
    --thread_state.depth;
    return result;
}

void pause_recording() {
    if (session.recording.exchange(false)) {
        session.paused_since_ns.set(monotonic_ns());
    }
}

int control(int level) {
    if (session.active.load(std::memory_order_relaxed) &&
        session.ended_ns.load(std::memory_order_relaxed) == 0) {
        ToolScope scope;
        if (level == 0) {
            pause_recording();
        } else {
            resume_recording();
        }
        switch_phase(level);
    }
    return MPI_SUCCESS;
}

/// Also reached from exit(): a program that never called MPI_Finalize.
__attribute__((destructor)) void at_exit() {
    if (!session.active.load(std::memory_order_relaxed) || !is_own_process()) {
        return;
    }
    ToolScope scope;
    stop_flusher();
    write_exit_report();
}

}  // namespace

void mpi_started(const Start& start) {
    uses.fetch_add(1);
    if (session.active.load(std::memory_order_relaxed)) {
        return;
    }
    start_session(start);
    if (session.active.load(std::memory_order_relaxed)) {
        first_call_of_thread();
        begin_files();
    }
}

Ending::Ending()
    : last_(thread_state.depth == 0 && uses.fetch_sub(1) == 1 &&
            session.active.load(std::memory_order_relaxed) &&
            session.ended_ns.load(std::memory_order_relaxed) == 0) {
    if (last_) {
        ToolScope scope;
        const std::uint64_t begin = monotonic_ns();
        resume_recording();
        end_phases();
        session.ended_ns.store(begin, std::memory_order_relaxed);
        session.recording.store(false, std::memory_order_relaxed);
        freeze_process_numbers();
        expect_end();
        before_ns_ = monotonic_ns();
    }
}

void Ending::finish() {
    if (last_) {
        ToolScope scope;
        session.finalize_ns.store(monotonic_ns() - before_ns_, std::memory_order_relaxed);
        stop_flusher();
        write_report(End::finalize);
        announce();
    }
}

void resume_recording() {
    const std::uint64_t since = session.paused_since_ns.get();
    if (since == 0) {
        return;
    }
    session.paused_ns.add(monotonic_ns() - since);
    session.paused_since_ns.set(0);
    forget_all_requests();
    session.recording.store(true, std::memory_order_relaxed);
}

HALOCLINE_WRAPPER int MPI_Init(int* argc, char*** argv) { return init(argc, argv); }
HALOCLINE_WRAPPER int PMPI_Init(int* argc, char*** argv) { return init(argc, argv); }
HALOCLINE_WRAPPER int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return init_thread(argc, argv, required, provided);
}
HALOCLINE_WRAPPER int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return init_thread(argc, argv, required, provided);
}
HALOCLINE_WRAPPER int MPI_Finalize() { return finalize(); }
HALOCLINE_WRAPPER int PMPI_Finalize() { return finalize(); }
HALOCLINE_WRAPPER int MPI_Abort(MPI_Comm comm, int code) { return abort_job(comm, code); }
HALOCLINE_WRAPPER int PMPI_Abort(MPI_Comm comm, int code) { return abort_job(comm, code); }
HALOCLINE_WRAPPER int MPI_Pcontrol(const int level, ...) { return control(level); }
HALOCLINE_WRAPPER int PMPI_Pcontrol(const int level, ...) { return control(level); }

HALOCLINE_HIDE_FROM_DLSYM(MPI_Init);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Init_thread);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Finalize);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Abort);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Pcontrol);

}  // namespace halocline::snapshot
