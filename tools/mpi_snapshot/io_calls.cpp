// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table of descriptors and files, and its part of the report.
#include "io_calls.hpp"

#include "process_numbers.hpp"
#include "relaxed.hpp"
#include "report.hpp"
#include "text.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace halocline::snapshot {

namespace {

constexpr const char* io_names[] = {
#define HALOCLINE_IO_NAME(name, kind) #name,
    HALOCLINE_IO_FUNCTIONS(HALOCLINE_IO_NAME)
#undef HALOCLINE_IO_NAME
};
constexpr IoKind io_kinds[] = {
#define HALOCLINE_IO_KIND(name, kind) IoKind::kind,
    HALOCLINE_IO_FUNCTIONS(HALOCLINE_IO_KIND)
#undef HALOCLINE_IO_KIND
};
constexpr int io_function_count = sizeof io_kinds / sizeof io_kinds[0];

constexpr int descriptor_limit = 65536;
constexpr int file_limit = 512;
constexpr int files_listed = 64;
// What a descriptor is: not looked at yet, not a regular file, or 2 + index of its file.
constexpr std::uint16_t unknown_descriptor = 0;
constexpr std::uint16_t not_a_file = 1;
constexpr std::uint16_t first_file = 2;

std::atomic<std::uint16_t> descriptors[descriptor_limit];
IoStats function_stats[io_function_count];
IoFile files[file_limit + 1];  // the last one: all that found no room
std::atomic<bool> counting{false};

int file_index(const char* path) {
    for (int i = 0; i < file_limit; ++i) {
        if (files[i].used.load(std::memory_order_acquire)) {
            if (std::strncmp(files[i].path, path, sizeof files[i].path - 1) == 0) {
                return i;
            }
            continue;
        }
        bool expected = false;
        if (files[i].path[0] == '\0' && files[i].used.compare_exchange_strong(expected, true)) {
            copy_text(files[i].path, path);
            return i;
        }
    }
    return file_limit;
}

std::uint16_t classify(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        return not_a_file;
    }
    char link[32], path[256];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const auto length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return static_cast<std::uint16_t>(first_file + file_index(path));
}

/// The file behind a descriptor; null when it is none.
IoFile* file_of(int descriptor) {
    if (descriptor < 0 || descriptor >= descriptor_limit) {
        return nullptr;
    }
    std::uint16_t what = descriptors[descriptor].load(std::memory_order_relaxed);
    if (what == unknown_descriptor) {
        const int before = errno;
        what = classify(descriptor);
        errno = before;
        descriptors[descriptor].store(what, std::memory_order_relaxed);
    }
    return what == not_a_file ? nullptr : &files[what - first_file];
}

void write_totals(JsonFile& json) {
    std::uint64_t ns = 0, calls[3] = {}, bytes[3] = {};
    for (int i = 0; i < io_function_count; ++i) {
        const int kind = static_cast<int>(io_kinds[i]);
        ns += get(function_stats[i].ns);
        calls[kind] += get(function_stats[i].calls);
        bytes[kind] += get(function_stats[i].bytes);
    }
    json.key("time_ns").number(ns);
    json.key("read_calls").number(calls[0]);
    json.key("read_bytes").number(bytes[0]);
    json.key("write_calls").number(calls[1]);
    json.key("write_bytes").number(bytes[1]);
    json.key("other_calls").number(calls[2]);
}

void write_io_functions(JsonFile& json) {
    json.key("functions").begin_array();
    for (int i = 0; i < io_function_count; ++i) {
        if (get(function_stats[i].calls) == 0) {
            continue;
        }
        json.begin_object();
        json.key("name").string(io_names[i]);
        json.key("calls").number(get(function_stats[i].calls));
        json.key("time_ns").number(get(function_stats[i].ns));
        json.key("bytes").number(get(function_stats[i].bytes));
        json.end_object();
    }
    json.end_array();
}

/// The file with most time among those not listed yet; -1 when there is none.
int next_file(const bool* done) {
    int best = -1;
    for (int i = 0; i <= file_limit; ++i) {
        if (!files[i].used.load(std::memory_order_relaxed)) {
            i = file_limit;  // the table fills from its start; the last place is that of the others
        }
        if (!done[i] && get(files[i].calls) > 0 &&
            (best < 0 || get(files[i].ns) > get(files[best].ns))) {
            best = i;
        }
    }
    return best;
}

void write_files(JsonFile& json) {
    bool done[file_limit + 1] = {};
    json.key("files").begin_array();
    for (int row = 0; row < files_listed; ++row) {
        const int index = next_file(done);
        if (index < 0) {
            break;
        }
        done[index] = true;
        const IoFile& file = files[index];
        json.begin_object();
        json.key("path").string(index == file_limit ? "(others)" : file.path);
        json.key("read_bytes").number(get(file.read_bytes));
        json.key("write_bytes").number(get(file.write_bytes));
        json.key("time_ns").number(get(file.ns));
        json.key("calls").number(get(file.calls));
        json.end_object();
    }
    json.end_array();
}

void write_process_io(JsonFile& json, const ProcessNumbers& now) {
    json.key("process");
    if (!now.io_ok) {
        json.null();
        return;
    }
    json.begin_object();
    json.key("rchar").number(now.io.rchar);
    json.key("wchar").number(now.io.wchar);
    json.key("syscr").number(now.io.syscr);
    json.key("syscw").number(now.io.syscw);
    json.key("read_bytes").number(now.io.read_bytes);
    json.key("write_bytes").number(now.io.write_bytes);
    json.end_object();
}

}  // namespace

void start_io_counting() { counting.store(session.settings.io, std::memory_order_relaxed); }

void forget_descriptor(int descriptor) {
    if (descriptor >= 0 && descriptor < descriptor_limit) {
        descriptors[descriptor].store(unknown_descriptor, std::memory_order_relaxed);
    }
}

IoCall::IoCall(IoFunction function, int descriptor) : descriptor_(descriptor), function_(function) {
    counts_ = thread_state.depth == 0 && counting.load(std::memory_order_relaxed) &&
              session.recording.load(std::memory_order_relaxed);
    ++thread_state.depth;
    // What is closed is gone when the call returns: look now.
    if (counts_ && descriptor >= 0 && file_of(descriptor) == nullptr) {
        counts_ = false;
    }
    if (counts_) {
        begin_ns_ = monotonic_ns();
    }
}

IoCall::~IoCall() {
    const int before = errno;
    if (counts_) {
        const std::uint64_t ns = monotonic_ns() - begin_ns_;
        if (IoFile* file = file_of(descriptor_)) {
            IoStats& stats = function_stats[static_cast<int>(function_)];
            add(stats.calls, 1);
            add(stats.ns, ns);
            add(stats.bytes, bytes_);
            add(file->calls, 1);
            add(file->ns, ns);
            const IoKind kind = io_kinds[static_cast<int>(function_)];
            if (kind != IoKind::other) {
                add(kind == IoKind::reads ? file->read_bytes : file->write_bytes, bytes_);
            }
        }
    }
    --thread_state.depth;
    errno = before;
}

void write_io(JsonFile& json, const ProcessNumbers& now) {
    json.key("io").begin_object();
    write_totals(json);
    write_io_functions(json);
    write_files(json);
    write_process_io(json, now);
    json.end_object();
}

}  // namespace halocline::snapshot
