// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernel says of the process: processor time, memory, faults, files, binding, pressure.
#pragma once

#include <cstdint>

namespace halocline::snapshot {

/// One reading; `ok` flags tell what the kernel gave.
struct ProcessNumbers {
    std::uint64_t user_ns, system_ns;
    std::uint64_t voluntary_switches, involuntary_switches;
    std::uint64_t minor_faults, major_faults;
    std::uint64_t peak_memory_bytes;
    std::uint64_t threads_now;
    std::uint64_t run_queue_wait_ns;
    bool run_queue_ok;

    /// Living threads of the program, the busiest where there are more.
    struct Thread {
        int tid;
        std::uint64_t cpu_ns, queue_ns;
    };
    static constexpr int thread_limit = 64;
    Thread threads[thread_limit];
    int thread_count;

    std::uint64_t busy_ns;  // of the processors of the binding, whoever used them
    bool busy_ok;

    struct Io {
        std::uint64_t rchar, wchar, syscr, syscw, read_bytes, write_bytes;
    } io;
    bool io_ok;

    std::uint64_t cpu_some_us;
    char cpu_some_avg10[16];
    bool pressure_ok;

    std::uint64_t counters[3];
};

enum class HardwareCounter { cycles, instructions, stalled_backend_cycles };
inline constexpr const char* counter_names[] = {"cycles", "instructions", "stalled_backend_cycles"};

/// First reading, at the return of MPI_Init; opens the hardware counters.
void start_process_numbers();

/// Keeps the reading of now for all later files: MPI_Finalize was entered.
void freeze_process_numbers();

const ProcessNumbers& numbers_at_start();
ProcessNumbers numbers_now();

/// errno of the attempt to open a counter, 0 when it counts.
int counter_error(int counter);

std::uint64_t threads_peak();

/// List of processors like "0-3,8" that the calling thread of MPI_Init may use.
struct Binding {
    char cpus[1024];
    int cpu_count;
    int machine_cpus;
};
const Binding& binding();

}  // namespace halocline::snapshot
