// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Settings from the environment and what is known of the process without MPI.
#include "session.hpp"

#include "proc_files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

namespace halocline::snapshot {

Session session;

namespace {

std::uint64_t number_from(const char* variable, std::uint64_t fallback) {
    const char* text = std::getenv(variable);
    if (text == nullptr || *text < '0' || *text > '9') {
        return fallback;
    }
    return std::strtoull(text, nullptr, 10);
}

bool switch_from(const char* variable) {
    const char* text = std::getenv(variable);
    return text == nullptr || std::strcmp(text, "0") != 0;
}

/// Field 22 of /proc/self/stat, the start in clock ticks after boot.
std::uint64_t start_after_boot_ns() {
    char text[1024];
    if (read_proc_file("/proc/self/stat", text, sizeof text) <= 0) {
        return 0;
    }
    const char* at = std::strrchr(text, ')');  // the name before may hold spaces
    for (int field = 2; at != nullptr && field < 22; ++field) {
        at = std::strchr(at + 1, ' ');
    }
    const auto per_second = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    return at == nullptr || per_second == 0
               ? 0
               : std::strtoull(at, nullptr, 10) * (1'000'000'000u / per_second);
}

std::uint64_t process_start_unix_ns() {
    timespec boot, wall;
    clock_gettime(CLOCK_BOOTTIME, &boot);
    clock_gettime(CLOCK_REALTIME, &wall);
    const auto ns = [](const timespec& t) {
        return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u +
               static_cast<std::uint64_t>(t.tv_nsec);
    };
    return ns(wall) - (ns(boot) - start_after_boot_ns());
}

}  // namespace

bool read_settings() {
    const char* folder = std::getenv("HALOCLINE_SNAPSHOT_DIR");
    if (folder == nullptr || *folder == '\0' || std::strlen(folder) >= sizeof session.folder) {
        return false;
    }
    std::strcpy(session.folder, folder);
    Settings& settings = session.settings;
    settings.sites = switch_from("HALOCLINE_SNAPSHOT_SITES");
    const std::uint64_t depth = number_from("HALOCLINE_SNAPSHOT_DEPTH", 1);
    settings.depth = depth < 1 ? 1 : depth > 8 ? 8 : static_cast<int>(depth);
    settings.flush_interval_ns = number_from("HALOCLINE_SNAPSHOT_FLUSH_S", 5) * 1'000'000'000u;
    const std::uint64_t samples = number_from("HALOCLINE_SNAPSHOT_SAMPLES", 8192);
    settings.samples = static_cast<std::uint32_t>(samples > 1'000'000 ? 1'000'000 : samples);
    settings.io = switch_from("HALOCLINE_SNAPSHOT_IO");
    settings.openmp = switch_from("HALOCLINE_SNAPSHOT_OPENMP");
    return true;
}

void describe_process() {
    session.pid = getpid();
    gethostname(session.host, sizeof session.host - 1);
    const auto length = readlink("/proc/self/exe", session.program, sizeof session.program - 1);
    session.program[length > 0 ? length : 0] = '\0';
    if (getcwd(session.working_directory, sizeof session.working_directory) == nullptr) {
        session.working_directory[0] = '\0';
    }
    const long bytes =
        read_proc_file("/proc/self/cmdline", session.command, sizeof session.command);
    session.command_bytes = bytes > 0 ? static_cast<int>(bytes) : 0;
    session.process_started_unix_ns = process_start_unix_ns();
    session.process_started_boot_ns = start_after_boot_ns();
}

bool is_own_process() { return session.pid == getpid(); }

}  // namespace halocline::snapshot
