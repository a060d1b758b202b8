// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// POSIX files behind OutputFile. python/halocline/files/ does the same, with the same names.
#include "halocline/core/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/output_names.hpp"

namespace halocline {

namespace {

constexpr mode_t readable_by_all = 0666;  // less the user's mask

[[noreturn]] void fail(const std::string& path, const std::string& verb, int reason) {
    const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    throw RunError("'" + path + "' cannot be " + verb + " (" + std::strerror(reason) + "). " +
                   (full            ? "Make free space, or choose another folder."
                    : reason == EIO ? "Check the disk, or choose another folder."
                                    : "Check that the folder exists and is writable."));
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw RunError("'" + path + "' cannot be written (" + what +
                   " has this name). Remove it, or choose another name.");
}

/// What lies at the final name, links followed.
struct Target {
    std::string path;
    bool stream = false;  ///< a terminal or the like, an open file of a process
};

/// Whether the path names an open file of a process, as /dev/stdout and >(command) do.
bool is_of_process(const std::string& path) {
    std::array<char, PATH_MAX> real{};
    return ::realpath(folder_of(path).c_str(), real.data()) != nullptr &&
           std::string_view(real.data()).starts_with("/proc/");
}

/// Follows links by hand: the temporary file must lie beside what is replaced, and a link may lead to
/// a file that does not exist yet.
std::string follow_links(const std::string& path) {
    std::string found = path;
    for (int links = 0; links < 40; ++links) {
        std::array<char, PATH_MAX> text{};
        const ssize_t size =
            is_of_process(found) ? -1 : ::readlink(found.c_str(), text.data(), text.size() - 1);
        if (size < 0) {
            return found;
        }
        std::string next(text.data(), static_cast<std::size_t>(size));
        if (next.front() != '/') {
            next.insert(0, folder_of(found) + "/");
        }
        found = std::move(next);
    }
    fail(path, "created", ELOOP);
}

Target find_target(const std::string& path) {
    validate<RunError>(
        !path.empty() && path.back() != '/' && path.find('\0') == std::string::npos,
        std::string("'")
            .append(path.c_str())
            .append("' cannot be written (it is not a file name). Choose another name."));
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    const std::string real = follow_links(path);
    if (exists && (S_ISCHR(status.st_mode) || is_of_process(real))) {
        return {path, true};
    }
    if (exists && !S_ISREG(status.st_mode)) {
        refuse(path, S_ISDIR(status.st_mode) ? "a folder" : "a pipe, device or socket");
    }
    return {real, false};
}

/// Opens what takes text as it comes.
int open_stream(const std::string& path, int more_flags = 0) {
    const int file =
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | more_flags,
               readable_by_all);
    if (file < 0) {
        fail(path, "opened for writing", errno);
    }
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}

/// Some file systems refuse to flush; only a failure to write counts.
bool reached_disk(int file) {
    return ::fsync(file) == 0 || (errno != EIO && errno != ENOSPC && errno != EDQUOT);
}

void write_all(const std::string& path, std::string_view text, auto&& write_some) {
    while (!text.empty()) {
        const ssize_t written = write_some(text);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(path, "written", written < 0 ? errno : ENOSPC);
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

OutputFile::OutputFile(std::string path, std::string temporary, int descriptor, bool owned)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(descriptor), owned_(owned) {}

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(target_, other.target_);
    std::swap(temporary_, other.temporary_);
    std::swap(file_, other.file_);
    std::swap(direct_, other.direct_);
    std::swap(owned_, other.owned_);
    return *this;
}

OutputFile::~OutputFile() {
    if (direct_ >= 0) {
        ::close(direct_);
    }
    if (file_ >= 0) {
        ::close(file_);
    }
    if (owned_) {
        ::unlink(temporary_.c_str());
    }
}

OutputFile OutputFile::create(const std::string& path) {
    const Target target = find_target(path);
    if (target.stream) {
        refuse(path, "a device");
    }
    const std::string temporary = temporary_name(target.path);
    const int descriptor = ::open(
        temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, readable_by_all);
    if (descriptor < 0) {
        fail(path, "created", errno);
    }
    OutputFile file(path, temporary, descriptor, true);
    file.target_ = target.path;
    return file;
}

OutputFile OutputFile::create_text(const std::string& path) {
    return find_target(path).stream ? OutputFile(path, "", open_stream(path), false) : create(path);
}

OutputFile OutputFile::join(const std::string& path, const std::string& temporary) {
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        fail(path, "opened for writing", errno);
    }
    return {path, temporary, descriptor, false};
}

void OutputFile::resize(std::uint64_t size) const {
    if (::ftruncate(file_, static_cast<off_t>(size)) != 0) {
        fail(path_, "written", errno);
    }
}

namespace {

/// The disk begins with what is written while more is put together; `flush` waits for less then.
void begin_writeback(int file, std::uint64_t offset, std::size_t size) {
    constexpr std::size_t worth_it = std::size_t{1} << 16U;
    if (size >= worth_it) {
        static_cast<void>(::sync_file_range(file, static_cast<off_t>(offset),
                                            static_cast<off_t>(size), SYNC_FILE_RANGE_WRITE));
    }
}

}  // namespace

void OutputFile::write_at(std::uint64_t offset, const void* bytes, std::size_t size) const {
    write_all(path_, {static_cast<const char*>(bytes), size}, [&](std::string_view rest) {
        const auto done = static_cast<std::uint64_t>(size - rest.size());
        return ::pwrite(file_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
    });
    begin_writeback(file_, offset, size);
}

bool OutputFile::reserve_direct(std::uint64_t offset, std::uint64_t size) const {
    if (direct_ == not_opened) {
        // By number: the name may be another one by now, or gone.
        const std::string open_file = "/proc/self/fd/" + std::to_string(file_);
        direct_ = ::open(open_file.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC);
        direct_ = direct_ < 0 ? refused : direct_;
    }
    if (direct_ < 0) {
        return false;
    }
    // Several ranks write side by side only where the blocks are there already.
    const bool reserved =
        ::fallocate(file_, 0, static_cast<off_t>(offset), static_cast<off_t>(size)) == 0;
    if (!reserved && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
        fail(path_, "written", errno);
    }
    return true;
}

bool OutputFile::write_direct(std::uint64_t offset, const void* bytes, std::size_t size) const {
    constexpr std::size_t page = 4096;
    const auto* const from = static_cast<const char*>(bytes);
    std::size_t done = 0;
    while (done < size) {
        const ssize_t written =
            ::pwrite(direct_, from + done, size - done, static_cast<off_t>(offset + done));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0 && errno == EINVAL && done == 0) {
            return false;
        }
        if (written <= 0) {
            fail(path_, "written", written < 0 ? errno : ENOSPC);
        }
        done += static_cast<std::size_t>(written) / page * page;
        if (static_cast<std::size_t>(written) % page != 0) {  // cut short: the rest as usual
            write_at(offset + done, from + done, size - done);
            return true;
        }
    }
    return true;
}

void OutputFile::write(std::string_view text) const {
    write_all(path_, text,
              [&](std::string_view rest) { return ::write(file_, rest.data(), rest.size()); });
}

/// Of the file that is replaced: the user's choice stays.
void OutputFile::take_permissions() const {
    struct stat older {};
    if (owned_ && ::stat(target_.c_str(), &older) == 0) {
        static_cast<void>(::fchmod(file_, older.st_mode & 0777));
    }
}

void OutputFile::complete() {
    if (file_ < 0) {
        return;
    }
    take_permissions();
    const bool stored = reached_disk(file_);
    const int reason = errno;
    if (direct_ >= 0) {
        ::close(std::exchange(direct_, refused));
    }
    if (::close(std::exchange(file_, -1)) != 0 || !stored) {
        fail(path_, "completed", stored ? errno : reason);
    }
}

void OutputFile::flush() const {
    if (!reached_disk(file_)) {
        fail(path_, "written", errno);
    }
}

void OutputFile::publish() {
    complete();
    if (owned_) {
        rename_to_target();
    }
}

void OutputFile::publish_open() {
    if (owned_) {
        take_permissions();
        flush();
        rename_to_target();
    }
}

void OutputFile::rename_to_target() {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
        fail(path_, "replaced", errno);
    }
    owned_ = false;
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {  // else only its names may be used: the rename is done all the same
        const bool stored = reached_disk(folder);
        const int reason = errno;
        ::close(folder);
        if (!stored) {
            fail(path_, "completed", reason);
        }
    }
}

void OutputFile::require_named() const {
    struct stat open_file {};
    struct stat named {};
    const bool same = ::fstat(file_, &open_file) == 0 && ::stat(target_.c_str(), &named) == 0 &&
                      open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
    validate<RunError>(same, "'" + path_ +
                                 "' was removed or replaced while it was written (its name leads "
                                 "elsewhere). Leave the files of a run alone until it ends, or "
                                 "give each run a folder of its own.");
}

void replace_file(const std::string& path, std::string_view text) {
    OutputFile file = OutputFile::create_text(path);
    file.write(text);
    file.publish();
    if (!file.temporary_path().empty()) {
        remove_left_overs(folder_of(file.temporary_path()));
    }
}

void append_line(const std::string& path, std::string_view head, std::string_view line) {
    static_cast<void>(find_target(path));  // refuses what takes no table
    const int file = open_stream(path, O_CREAT);
    struct stat status {};
    ::fstat(file, &status);
    std::string text(status.st_size == 0 ? head : "");
    text += line;
    const ssize_t written = ::write(file, text.data(), text.size());
    int reason = written < 0 ? errno : ENOSPC;
    bool whole = written == static_cast<ssize_t>(text.size());
    if (written > 0 && !whole) {  // take back the piece, unless another run's line follows
        const off_t end = ::lseek(file, 0, SEEK_CUR);
        if (::fstat(file, &status) == 0 && status.st_size == end) {
            static_cast<void>(::ftruncate(file, end - written));
        }
    }
    if (whole && !reached_disk(file)) {
        whole = false;
        reason = errno;
    }
    ::close(file);
    if (!whole) {
        fail(path, "written", reason);
    }
}

}  // namespace halocline
