// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one recording of this process: settings, identity, state. Written while MPI starts and ends.
#pragma once

#include "counter.hpp"

#include <mpi.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

struct Settings {
    bool sites;
    int depth;
    std::uint64_t flush_interval_ns;  // 0: at the ends only
    std::uint32_t samples;
    bool io;
    bool openmp;
};

struct alignas(64) Session {
    /// Calls are counted. False before MPI_Init, in forked children, under MPI_Pcontrol(0), at the end.
    std::atomic<bool> recording;
    /// MPI_Init was seen and files are wanted; stays true to the end of the process.
    std::atomic<bool> active;
    Settings settings;  // every call reads these: in one cache line
    int rank, ranks;
    MPI_Group world;  // ranks are numbered by it
    pid_t pid;

    char folder[1024];
    char host[256];
    char program[1024];
    char working_directory[1024];
    char command[4096];  // arguments, each followed by a zero byte
    int command_bytes;
    char library[256];
    int standard_major, standard_minor;
    int thread_requested, thread_provided;

    std::uint64_t process_started_unix_ns;
    std::uint64_t process_started_boot_ns;  ///< by CLOCK_BOOTTIME, which nobody sets
    std::uint64_t init_ns;
    std::uint64_t started_ns;  // CLOCK_MONOTONIC at the return of MPI_Init
    std::atomic<std::uint64_t> ended_ns;
    std::atomic<std::uint64_t> finalize_ns;
    Counter paused_ns, paused_since_ns;
};
extern Session session;

/// Reads the environment. False: nothing is to be recorded.
bool read_settings();

/// Host, program, arguments: what is known without MPI.
void describe_process();

/// True in the process that called MPI_Init, false in its children.
bool is_own_process();

/// Ends a pause of MPI_Pcontrol, if there is one.
void resume_recording();

}  // namespace halocline::snapshot
