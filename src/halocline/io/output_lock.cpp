// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lock files; python/halocline/files/lock.py takes and reads the same.
#include "halocline/io/output_lock.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/output_names.hpp"
#include "halocline/core/process_identity.hpp"
#include "halocline/core/utc_time.hpp"
#include "halocline/io/output_check.hpp"

namespace halocline {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_text = 65536;
constexpr int patience = 50;  // rounds; owners come and go in between

/// What a lock file holds: the process, and words about it.
struct Owner {
    ProcessIdentity process;
    std::string user;
    std::string since;
};

std::string user_name() {
    const passwd* entry = ::getpwuid(::geteuid());
    return entry != nullptr ? entry->pw_name : std::to_string(::geteuid());
}

std::string own_text(const std::vector<std::string>& command) {
    const ProcessIdentity self = this_process();
    std::string line;
    for (const std::string& word : command) {
        line += (line.empty() ? "" : " ") + word;
    }
    const Json text{{"format", "halocline-lock"}, {"version", 1},       {"host", self.host},
                    {"machine", self.machine},    {"pid", self.pid},    {"start", self.start},
                    {"user", user_name()},        {"since", utc_now()}, {"command", line}};
    return text.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Letters, digits and marks that a terminal shows as they are.
std::string plain(const Json& text, const char* key) {
    std::string value = text.contains(key) && text[key].is_string() ? text[key] : Json("?");
    for (char& c : value) {
        c = c > 0x20 && c < 0x7f ? c : '?';
    }
    return value.substr(0, 80);
}

std::int64_t number(const Json& text, const char* key) {
    return text.contains(key) && text[key].is_number_integer() ? text[key].get<std::int64_t>() : 0;
}

/// None where the file holds nothing, as while its owner writes it.
std::optional<Owner> read_owner(int file) {
    std::string bytes(longest_text, '\0');
    const ssize_t size = ::pread(file, bytes.data(), bytes.size(), 0);
    bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    const Json text = Json::parse(bytes, nullptr, false);
    if (!text.is_object() || number(text, "pid") <= 0) {
        return std::nullopt;
    }
    return Owner{
        {plain(text, "host"), plain(text, "machine"), number(text, "pid"), number(text, "start")},
        plain(text, "user"),
        plain(text, "since")};
}

/// What one lock file guards, in words for the user.
struct Guarded {
    std::string name;  ///< a prefix or a file
    std::string what;
    std::string remedy;
};

Guarded guarded_prefix(const std::string& prefix) {
    return {prefix, "files with the prefix '" + prefix + "'", "choose another prefix with -o"};
}

Guarded guarded_record(const std::string& record) {
    return {record, "the record '" + record + "'", "name another one with --record"};
}

[[noreturn]] void refuse(const Guarded& guarded, const std::string& path,
                         const std::optional<Owner>& owner, bool by_file_alone) {
    std::string who = "another run";
    if (owner) {
        who = "process " + std::to_string(owner->process.pid) + " of " + owner->user + " on " +
              owner->process.host + ", since " + owner->since;
    }
    throw EnvironmentError("another run writes " + guarded.what + " (" + who + ", says '" + path +
                           "'). Wait for its end, or " + guarded.remedy +
                           (by_file_alone ? "; if that run is dead, remove the file." : "."));
}

bool are_unknown(int reason) {
    return reason == ENOSYS || reason == EOPNOTSUPP || reason == ENOLCK || reason == EINVAL;
}

/// Whether the open file is still the one of that name: an owner removes it when he is done.
bool is_at(int file, const std::string& path) {
    struct stat open {};
    struct stat named {};
    return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

void write_owner(int file, const std::string& prefix, const std::string& path,
                 const std::string& text) {
    const bool written = ::ftruncate(file, 0) == 0 && ::pwrite(file, text.data(), text.size(), 0) ==
                                                          static_cast<ssize_t>(text.size());
    if (!written) {
        const std::string reason = std::strerror(errno);
        ::unlink(path.c_str());
        refuse_prefix(prefix, reason, "Check free space and quota of the folder.");
    }
}

/// A descriptor that is closed unless it is released.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_;
};

/// Opens the lock file, made if there is none; none where it went away meanwhile.
std::optional<int> open_lock(const std::string& prefix, const std::string& path, bool& made) {
    constexpr int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int file = ::open(path.c_str(), flags | O_CREAT | O_EXCL, 0644);
    made = file >= 0;
    if (!made && errno == EEXIST) {
        file = ::open(path.c_str(), flags);
    }
    if (file < 0 && errno == ENOENT) {
        return std::nullopt;
    }
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0) {
        const std::string reason = std::strerror(errno);
        refuse_prefix(prefix, "'" + path + "': " + reason, "Check the permissions of the folder.");
    }
    Descriptor kept(file);
    if (!S_ISREG(status.st_mode)) {
        refuse_prefix(prefix, "'" + path + "' is not a regular file", "Remove it.");
    }
    return kept.release();
}

/// The owner may just be writing what he has to say.
std::optional<Owner> wait_for_owner(int file) {
    std::optional<Owner> owner = read_owner(file);
    for (int round = 0; round < patience && !owner; ++round) {
        ::usleep(2000);
        owner = read_owner(file);
    }
    return owner;
}

/// One attempt; none where the file went away meanwhile.
std::optional<int> take(const Guarded& guarded, const std::string& path, const std::string& text) {
    const std::string& prefix = guarded.name;
    bool made = false;
    const std::optional<int> opened = open_lock(prefix, path, made);
    if (!opened) {
        return std::nullopt;
    }
    Descriptor file(*opened);
    const bool locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) {
        refuse(guarded, path, wait_for_owner(file.get()), false);
    }
    if (!locked && !are_unknown(errno)) {
        refuse_prefix(prefix, std::strerror(errno), "Check the folder.");
    }
    if (!locked && !made) {
        const std::optional<Owner> owner = wait_for_owner(file.get());
        if (!owner || life_of(owner->process) != Life::dead) {
            refuse(guarded, path, owner, true);
        }
        ::unlink(path.c_str());
        return std::nullopt;  // whoever makes it anew has it
    }
    if (!is_at(file.get(), path)) {
        return std::nullopt;
    }
    write_owner(file.get(), prefix, path, text);
    if (!locked) {
        ::usleep(100000);  // who took the same dead owner's file for this one has removed it by now
    }
    return is_at(file.get(), path) ? std::optional(file.release()) : std::nullopt;
}

/// Holds the lock, or throws who does.
int lock(const Guarded& guarded, const std::string& path, const std::string& text) {
    for (int round = 0; round < patience; ++round) {
        if (const std::optional<int> file = take(guarded, path, text)) {
            return *file;
        }
    }
    refuse(guarded, path, std::nullopt, false);
}

/// Not where the record is a stream, nor where there is no folder for it, which is reported elsewhere.
bool needs_lock(const std::string& record) {
    struct stat status {};
    const bool stream = ::stat(record.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    return !record.empty() && !stream && ::access(folder_of(record).c_str(), F_OK) == 0;
}

}  // namespace

std::string output_lock_path(const std::string& prefix) {
    const std::string base = base_of(prefix);
    return prefix.substr(0, prefix.size() - base.size()) + ".halocline.lock" +
           (base.empty() ? "" : "." + base);
}

OutputLock::OutputLock(const Communicator& comm, const std::string& prefix,
                       const std::vector<std::string>& command, const std::string& record) {
    const auto take_all = [&] {
        require_output_folder(prefix);
        const std::string text = own_text(command);
        const std::string path = output_lock_path(prefix);
        held_.push_back({path, lock(guarded_prefix(prefix), path, text)});
        remove_left_overs(folder_of(prefix));
        const std::string record_path = output_lock_path(record);
        if (record_path != path && needs_lock(record)) {
            held_.push_back({record_path, lock(guarded_record(record), record_path, text)});
        }
    };
    try {
        run_agreed(comm, [&] {
            if (comm.is_root()) {
                take_all();
            }
        });
    } catch (...) {
        release();
        throw;
    }
}

OutputLock::~OutputLock() { release(); }

void OutputLock::release() noexcept {
    for (const Held& held : held_) {
        if (is_at(held.file, held.path)) {
            ::unlink(
                held.path.c_str());  // before others may have it: they check whether it is there
        }
        ::close(held.file);
    }
    held_.clear();
}

}  // namespace halocline
