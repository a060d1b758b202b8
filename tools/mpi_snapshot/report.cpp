// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Order of the parts, temporary name, rename.
#include "report.hpp"

#include "process_numbers.hpp"
#include "session.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace halocline::snapshot {

namespace {

std::atomic<std::uint32_t> files_started{0};
std::atomic<bool> end_written{false};
std::atomic<bool> aborted{false};
std::atomic<bool> renaming{false};

/// A signal handler may have interrupted the holder: it gives up waiting after a while.
class RenameLock {
public:
    RenameLock() {
        for (int tries = 0; tries < 2000; ++tries) {
            if (!renaming.exchange(true, std::memory_order_acquire)) {
                held_ = true;
                return;
            }
            sched_yield();
        }
    }
    ~RenameLock() {
        if (held_) {
            renaming.store(false, std::memory_order_release);
        }
    }
    RenameLock(const RenameLock&) = delete;
    RenameLock& operator=(const RenameLock&) = delete;

private:
    bool held_ = false;
};

void write_parts(JsonFile& json, End end) {
    const TickScale scale;
    json.begin_object();
    write_head(json, end);
    json.line_break();
    write_time(json, scale);
    json.line_break();
    write_functions(json, scale);
    json.line_break();
    write_points(json, scale);
    json.line_break();
    write_samples(json, scale);
    json.line_break();
    write_communicators(json);
    json.line_break();
    write_peers(json);
    json.line_break();
    write_call_sites(json, scale);
    json.line_break();
    write_phases(json, scale);
    json.line_break();
    write_openmp(json, scale);
    json.line_break();
    const ProcessNumbers now = numbers_now();
    write_process(json, now);
    json.line_break();
    write_io(json, now);
    json.line_break();
    write_unavailable(json);
    json.line_break();
    write_pending(json, scale);
    json.end_object();
    json.line_break();
}

bool write_file(const char* path, End end) {
    unlink(path);  // a link or pipe that lies in wait at a name that can be foreseen
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) {
        return false;
    }
    JsonFile json(file);
    write_parts(json, end);
    const bool whole = json.finish();
    close(file);
    return whole;
}

/// A signal the program survived must not be the last word.
bool is_final(End end) { return end == End::finalize || end == End::exit || end == End::abort; }

}  // namespace

void write_report(End end) {
    // MPI_Abort leaves through exit: what ended the job stays the last word.
    if (end == End::exit && end_written.load(std::memory_order_acquire)) {
        return;
    }
    char temporary[1200], final[1200];
    const std::uint32_t number = files_started.fetch_add(1, std::memory_order_relaxed);
    std::snprintf(temporary, sizeof temporary, "%s/.rank-%d.%d.%u.tmp", session.folder,
                  session.rank, static_cast<int>(session.pid), number);
    std::snprintf(final, sizeof final, "%s/rank-%d.json", session.folder, session.rank);
    if (end == End::abort) {
        aborted.store(true, std::memory_order_release);
    }
    if (is_final(end)) {
        end_written.store(true, std::memory_order_release);
    }
    const bool whole = write_file(temporary, end);
    RenameLock lock;
    const bool wanted = is_final(end) || !end_written.load(std::memory_order_acquire);
    if (!whole || !wanted || rename(temporary, final) != 0) {
        unlink(temporary);
    }
}

void write_exit_report() {
    if (!aborted.load(std::memory_order_acquire)) {
        const bool finalized = session.ended_ns.load(std::memory_order_relaxed) != 0;
        write_report(finalized ? End::finalize : End::exit);
    }
}

}  // namespace halocline::snapshot
