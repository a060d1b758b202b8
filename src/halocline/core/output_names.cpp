// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A name says who writes: then nobody needs to ask whether a file is in use.
#include "halocline/core/output_names.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>

#include "halocline/core/process_identity.hpp"

namespace halocline {

namespace {

constexpr std::size_t longest_base = 180;  // file systems take 255 bytes in all
constexpr std::string_view suffix = ".partial";
constexpr std::time_t week_s = 7 * 24 * 3600;

std::string random_digits() {
    std::uint64_t number = 0;
    if (::getentropy(&number, sizeof number) != 0) {
        number = static_cast<std::uint64_t>(::getpid());  // the name is still made exclusively
    }
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(number));
    return digits.data();
}

/// At most so many bytes, no character of UTF-8 cut.
std::string beginning_of(const std::string& base) {
    std::size_t size = std::min(base.size(), longest_base);
    while (size < base.size() && size > 0 && (static_cast<unsigned char>(base[size]) >> 6U) == 2U) {
        --size;
    }
    return base.substr(0, size);
}

bool are_digits(std::string_view text, const char* allowed) {
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// The process that writes the temporary file of this name; none for other names.
std::optional<ProcessIdentity> writer_of(std::string_view name) {
    if (!name.starts_with('.') || !name.ends_with(suffix)) {
        return std::nullopt;
    }
    name.remove_suffix(suffix.size());
    const std::string_view mark = name.substr(name.rfind('.') + 1);
    const std::size_t first = mark.find('-');
    const std::size_t last = mark.rfind('-');
    if (first == last || first != 16 || mark.size() - last != 17) {
        return std::nullopt;
    }
    const std::string_view machine = mark.substr(0, first);
    const std::string_view pid = mark.substr(first + 1, last - first - 1);
    if (!are_digits(machine, "0123456789abcdef") || !are_digits(pid, "0123456789")) {
        return std::nullopt;
    }
    return ProcessIdentity{"", std::string(machine), std::atoll(std::string(pid).c_str()), 0};
}

/// A folder whose files were just changed has its file system's time: the clock of this process may jump.
bool is_older_than_a_week(const std::string& path, const std::string& folder) {
    struct stat file {};
    struct stat changed {};
    return ::lstat(path.c_str(), &file) == 0 && ::stat(folder.c_str(), &changed) == 0 &&
           changed.st_mtime - file.st_mtime > week_s;
}

}  // namespace

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string base_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string temporary_name(const std::string& path) {
    const ProcessIdentity self = this_process();
    return path.substr(0, path.size() - base_of(path).size()) + "." + beginning_of(base_of(path)) +
           "." + self.machine + "-" + std::to_string(self.pid) + "-" + random_digits() +
           std::string(suffix);
}

void remove_left_overs(const std::string& folder) {
    std::error_code failed;
    for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        const std::string path = at->path().string();
        const auto writer = writer_of(base_of(path));
        if (!writer) {
            continue;
        }
        const Life life = life_of(*writer);
        if (life == Life::dead || (life == Life::unknown && is_older_than_a_week(path, folder))) {
            ::unlink(path.c_str());  // another's file: it stays
        }
    }
}

}  // namespace halocline
