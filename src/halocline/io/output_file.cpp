// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// POSIX files behind OutputFile.
#include "halocline/io/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

constexpr mode_t readable_by_all = 0666;  // less the user's mask

[[noreturn]] void fail(const std::string& path, const std::string& verb, int reason) {
    const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    throw RunError("'" + path + "' cannot be " + verb + " (" + std::strerror(reason) + "). " +
                   (full ? "Make free space, or choose another folder with -o."
                         : "Check that the folder exists and is writable."));
}

int open_file(const std::string& path, int flags, const std::string& verb) {
    const int file = ::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, readable_by_all);
    if (file < 0) {
        fail(path, verb, errno);
    }
    return file;
}

}  // namespace

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

OutputFile::~OutputFile() {
    if (file_ >= 0) {
        ::close(file_);
    }
}

OutputFile OutputFile::create(const std::string& path, std::uint64_t size) {
    OutputFile file(path, open_file(path, O_CREAT | O_TRUNC, "created"));
    if (::ftruncate(file.file_, static_cast<off_t>(size)) != 0) {
        fail(path, "written", errno);
    }
    return file;
}

OutputFile OutputFile::open(const std::string& path) {
    return {path, open_file(path, 0, "opened for writing")};
}

void OutputFile::write_at(std::uint64_t offset, const void* bytes, std::size_t size) const {
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = ::pwrite(file_, next, size, static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(path_, "written", written < 0 ? errno : ENOSPC);
        }
        next += written;
        offset += static_cast<std::uint64_t>(written);
        size -= static_cast<std::size_t>(written);
    }
}

void OutputFile::close() {
    if (file_ >= 0 && ::close(std::exchange(file_, -1)) != 0) {
        fail(path_, "completed", errno);
    }
}

void rename_file(const std::string& from, const std::string& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        fail(to, "replaced", errno);
    }
}

void replace_file(const std::string& path, const std::string& text) {
    const std::string partial = path + ".partial";
    try {
        OutputFile file = OutputFile::create(partial, 0);
        file.write_at(0, text.data(), text.size());
        file.close();
        rename_file(partial, path);
    } catch (const Error&) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        throw;
    }
}

}  // namespace halocline
