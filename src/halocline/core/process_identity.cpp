// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Host name, boot number and process namespace as one number; python/halocline/files/identity.py
// computes the same.
#include "halocline/core/process_identity.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace halocline {

namespace {

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

/// The beginning of a file of /proc; empty where there is none.
std::string proc_text(const std::string& path) {
    std::array<char, 4096> bytes{};
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : ::read(file, bytes.data(), bytes.size());
    if (file >= 0) {
        ::close(file);
    }
    return {bytes.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
}

std::string process_namespace() {
    std::array<char, 256> text{};
    const ssize_t size = ::readlink("/proc/self/ns/pid", text.data(), text.size());
    return {text.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
}

/// FNV-1a over the three: a restart or a container makes another machine.
std::string machine_name(const std::string& host) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c :
         host + "\n" + proc_text("/proc/sys/kernel/random/boot_id") + process_namespace()) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    return digits.data();
}

/// Field 22 of /proc/<pid>/stat; the command in front of it may hold blanks and parentheses.
std::int64_t start_of(std::int64_t pid) {
    const std::string text = proc_text("/proc/" + std::to_string(pid) + "/stat");
    std::size_t at = text.rfind(')');
    for (int field = 2; at != std::string::npos && field < 22; ++field) {
        at = text.find(' ', at + 1);
    }
    return at == std::string::npos ? 0 : std::strtoll(text.c_str() + at, nullptr, 10);
}

}  // namespace

ProcessIdentity this_process() {
    const std::string host = host_name();
    const std::int64_t pid = ::getpid();
    return {host, machine_name(host), pid, start_of(pid)};
}

Life life_of(const ProcessIdentity& process) {
    if (process.machine != machine_name(host_name()) || process.pid <= 0) {
        return Life::unknown;
    }
    if (::kill(static_cast<pid_t>(process.pid), 0) != 0 && errno == ESRCH) {
        return Life::dead;
    }
    const std::int64_t start = start_of(process.pid);
    return process.start != 0 && start != 0 && start != process.start ? Life::dead : Life::alive;
}

}  // namespace halocline
