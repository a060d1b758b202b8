// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A trial file is the only test that also knows quotas, read-only mounts and full disks.
#include "halocline/io/output_check.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

[[noreturn]] void fail(const std::string& prefix, const std::string& reason,
                       const std::string& remedy) {
    throw EnvironmentError("results cannot be written with the prefix '" + prefix + "' (" + reason +
                           "). " + remedy);
}

/// More than one block of any file system, so that a full disk shows.
void try_to_write(const std::string& prefix) {
    const std::string path = prefix + "writable-test." + std::to_string(::getpid());
    const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) {
        fail(prefix, std::strerror(errno), "Check the permissions of the folder.");
    }
    const std::array<char, 8192> zeros{};
    const bool written =
        ::write(file, zeros.data(), zeros.size()) == static_cast<ssize_t>(zeros.size());
    const int reason = errno;
    const bool closed = ::close(file) == 0;
    ::unlink(path.c_str());
    if (!written || !closed) {
        fail(prefix, std::strerror(reason), "Check free space and quota of the folder.");
    }
}

void check_prefix(const std::string& prefix, std::int64_t needed_bytes) {
    std::filesystem::path folder = std::filesystem::path(prefix).parent_path();
    folder = folder.empty() ? "." : folder;
    std::error_code failure;
    if (!std::filesystem::is_directory(folder, failure)) {
        fail(prefix, "there is no folder '" + folder.string() + "'",
             "Create the folder or choose another prefix with -o.");
    }
    try_to_write(prefix);
    const std::filesystem::space_info space = std::filesystem::space(folder, failure);
    if (!failure && static_cast<std::uintmax_t>(needed_bytes) > space.available) {
        fail(prefix,
             "the results need " + std::to_string(needed_bytes >> 20U) + " MiB, the disk has " +
                 std::to_string(space.available >> 20U) + " MiB free",
             "Free space or choose another folder with -o.");
    }
}

}  // namespace

void check_output_writable(const Communicator& comm, const std::string& prefix,
                           std::int64_t needed_bytes) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            check_prefix(prefix, needed_bytes);
        }
    });
}

}  // namespace halocline
