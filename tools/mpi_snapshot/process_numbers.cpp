// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Readings of getrusage, /proc, the affinity mask and perf_event_open.
#include "process_numbers.hpp"

#include "counter.hpp"
#include "flusher.hpp"
#include "proc_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace halocline::snapshot {

namespace {

ProcessNumbers start_numbers;
ProcessNumbers end_numbers;
std::atomic<bool> frozen{false};
Counter most_threads;
Binding start_binding;
int counter_files[3];
int counter_errors[3];
// The kernel refuses masks that are too small.
constexpr int cpu_limit = 8192;
cpu_set_t mask[cpu_limit / CPU_SETSIZE];
std::uint64_t ticks_per_second = 100;

int open_counter(std::uint64_t event) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = event;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.inherit = 1;
    return static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

void open_counters() {
    constexpr std::uint64_t events[] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                        PERF_COUNT_HW_STALLED_CYCLES_BACKEND};
    for (int i = 0; i < 3; ++i) {
        counter_files[i] = open_counter(events[i]);
        counter_errors[i] = counter_files[i] < 0 ? errno : 0;
    }
}

std::uint64_t to_ns(const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(time.tv_usec) * 1000u;
}

void read_usage(ProcessNumbers& numbers) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    numbers.user_ns = to_ns(usage.ru_utime);
    numbers.system_ns = to_ns(usage.ru_stime);
    numbers.voluntary_switches = static_cast<std::uint64_t>(usage.ru_nvcsw);
    numbers.involuntary_switches = static_cast<std::uint64_t>(usage.ru_nivcsw);
    numbers.minor_faults = static_cast<std::uint64_t>(usage.ru_minflt);
    numbers.major_faults = static_cast<std::uint64_t>(usage.ru_majflt);
    numbers.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024u;
}

/// Directory entries by system call: opendir would use the program's heap.
struct DirectoryEntry {
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
};

/// Reads /proc/self/task/<tid>/schedstat: time on a processor, time spent ready without one.
bool read_schedstat(const char* task, ProcessNumbers::Thread& found) {
    char path[64];
    char text[128];
    std::snprintf(path, sizeof path, "/proc/self/task/%.20s/schedstat", task);
    if (read_proc_file(path, text, sizeof text) <= 0) {
        return false;
    }
    const char* second = std::strchr(text, ' ');
    found.tid = std::atoi(task);
    return number_after(text, "", found.cpu_ns) && second != nullptr &&
           number_after(second, " ", found.queue_ns);
}

/// Where many threads live, those with least processor time are left out.
void keep_thread(ProcessNumbers& numbers, const ProcessNumbers::Thread& found) {
    if (numbers.thread_count < ProcessNumbers::thread_limit) {
        numbers.threads[numbers.thread_count++] = found;
        return;
    }
    ProcessNumbers::Thread* idlest = numbers.threads;
    for (ProcessNumbers::Thread& each : numbers.threads) {
        idlest = each.cpu_ns < idlest->cpu_ns ? &each : idlest;
    }
    if (found.cpu_ns > idlest->cpu_ns) {
        *idlest = found;
    }
}

void read_thread(ProcessNumbers& numbers, const char* task) {
    ++numbers.threads_now;
    ProcessNumbers::Thread found{};
    if (!read_schedstat(task, found)) {
        return;
    }
    numbers.run_queue_ok = true;
    numbers.run_queue_wait_ns += found.queue_ns;
    if (found.tid != flusher_tid()) {
        keep_thread(numbers, found);
    }
}

void read_threads(ProcessNumbers& numbers) {
    const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return;
    }
    alignas(DirectoryEntry) char buffer[2048];
    for (;;) {
        const long bytes = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
        if (bytes <= 0) {
            break;
        }
        for (long at = 0; at < bytes;) {
            const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
            at += entry->length;
            if (entry->name[0] != '.') {
                read_thread(numbers, entry->name);
            }
        }
    }
    close(folder);
    most_threads.raise(numbers.threads_now);
}

void read_io(ProcessNumbers& numbers) {
    char text[512];
    auto& io = numbers.io;
    numbers.io_ok =
        read_proc_file("/proc/self/io", text, sizeof text) > 0 &&
        number_after(text, "rchar", io.rchar) && number_after(text, "wchar", io.wchar) &&
        number_after(text, "syscr", io.syscr) && number_after(text, "syscw", io.syscw) &&
        number_after(text, "\nread_bytes", io.read_bytes) &&
        number_after(text, "\nwrite_bytes", io.write_bytes);
}

void read_pressure(ProcessNumbers& numbers) {
    char text[256];
    if (read_proc_file("/proc/pressure/cpu", text, sizeof text) <= 0) {
        return;
    }
    numbers.pressure_ok = number_after(text, "total", numbers.cpu_some_us);
    if (const char* average = std::strstr(text, "avg10=")) {
        const std::size_t length = std::strspn(average + 6, "0123456789.");
        if (length < sizeof numbers.cpu_some_avg10) {
            std::memcpy(numbers.cpu_some_avg10, average + 6, length);
        }
    }
}

/// Adds up a line like "cpu3 user nice system idle iowait irq softirq steal …", idle time left out.
std::uint64_t busy_ticks(const char* line) {
    std::uint64_t sum = 0;
    const char* at = std::strchr(line, ' ');
    for (int field = 0; field < 8 && at != nullptr; ++field) {
        std::uint64_t value = 0;
        if (!number_after(at, " ", value)) {
            break;
        }
        constexpr int idle = 3, io_wait = 4;
        sum += field == idle || field == io_wait ? 0 : value;
        at = std::strchr(at + 1, ' ');
    }
    return sum;
}

bool may_use(int cpu) {
    return cpu >= 0 && cpu < cpu_limit &&
           CPU_ISSET_S(static_cast<unsigned>(cpu), sizeof mask, mask);
}

/// The lines of the processors come first; the rest of the file is long and not looked at.
void read_busy(ProcessNumbers& numbers) {
    char line[256];
    LineReader lines("/proc/stat");
    std::uint64_t ticks = 0;
    while (lines.next(line, sizeof line) && std::strncmp(line, "cpu", 3) == 0) {
        const bool one_processor = line[3] >= '0' && line[3] <= '9';
        if (one_processor && may_use(std::atoi(line + 3))) {
            ticks += busy_ticks(line);
            numbers.busy_ok = true;
        }
    }
    numbers.busy_ns = ticks * (1'000'000'000u / ticks_per_second);
}

void read_counters(ProcessNumbers& numbers) {
    for (int i = 0; i < 3; ++i) {
        if (counter_errors[i] == 0 &&
            read(counter_files[i], &numbers.counters[i], sizeof(std::uint64_t)) < 0) {
            numbers.counters[i] = 0;
        }
    }
}

ProcessNumbers read_all() {
    ProcessNumbers numbers{};
    read_usage(numbers);
    read_threads(numbers);
    read_busy(numbers);
    read_io(numbers);
    read_pressure(numbers);
    read_counters(numbers);
    return numbers;
}

void append_range(char* text, std::size_t size, int first, int last) {
    const std::size_t used = std::strlen(text);
    const char* comma = used == 0 ? "" : ",";
    if (first == last) {
        std::snprintf(text + used, size - used, "%s%d", comma, first);
    } else {
        std::snprintf(text + used, size - used, "%s%d-%d", comma, first, last);
    }
}

void read_binding() {
    start_binding.machine_cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    if (sched_getaffinity(0, sizeof mask, mask) != 0) {
        return;
    }
    start_binding.cpu_count = CPU_COUNT_S(sizeof mask, mask);
    for (int cpu = 0; cpu < cpu_limit; ++cpu) {
        if (!may_use(cpu)) {
            continue;
        }
        const int first = cpu;
        while (may_use(cpu + 1)) {
            ++cpu;
        }
        append_range(start_binding.cpus, sizeof start_binding.cpus, first, cpu);
    }
}

}  // namespace

void start_process_numbers() {
    open_counters();
    read_binding();
    ticks_per_second = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    start_numbers = read_all();
}

void freeze_process_numbers() {
    end_numbers = read_all();
    frozen.store(true, std::memory_order_release);
}

const ProcessNumbers& numbers_at_start() { return start_numbers; }

ProcessNumbers numbers_now() {
    return frozen.load(std::memory_order_acquire) ? end_numbers : read_all();
}

int counter_error(int counter) { return counter_errors[counter]; }
std::uint64_t threads_peak() { return most_threads.get(); }
const Binding& binding() { return start_binding; }

}  // namespace halocline::snapshot
