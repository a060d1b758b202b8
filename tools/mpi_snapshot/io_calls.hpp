// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Time and bytes of file calls made by the program, outside MPI.
#pragma once

#include "call.hpp"

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

enum class IoKind : std::uint8_t { reads, writes, other };

// clang-format off
#define HALOCLINE_IO_FUNCTIONS(X) \
    X(open, other) X(close, other) X(fsync, other) X(fdatasync, other) X(ftruncate, other) \
    X(fopen, other) X(fclose, other) X(fflush, other) X(read, reads) X(pread, reads) \
    X(readv, reads) X(preadv, reads) X(fread, reads) X(fgets, reads) X(write, writes) \
    X(pwrite, writes) X(writev, writes) X(pwritev, writes) X(fwrite, writes) X(fputs, writes) \
    X(fprintf, writes)
// clang-format on

enum class IoFunction : std::uint8_t {
#define HALOCLINE_IO_NAME(name, kind) name##_call,
    HALOCLINE_IO_FUNCTIONS(HALOCLINE_IO_NAME)
#undef HALOCLINE_IO_NAME
};

/// Any thread may add to these, so the additions are atomic; a file call is slow anyway.
struct IoStats {
    std::atomic<std::uint64_t> calls, ns, bytes;
};

struct IoFile {
    std::atomic<bool> used;
    char path[256];
    std::atomic<std::uint64_t> calls, ns, read_bytes, write_bytes;
};

void start_io_counting();

/// Forgets what a descriptor was: it is closed or duplicated over.
void forget_descriptor(int descriptor);

/// Times one call on an open descriptor, if it is a regular file and the program's own call.
class IoCall {
public:
    IoCall(IoFunction function, int descriptor);
    ~IoCall();
    IoCall(const IoCall&) = delete;
    IoCall& operator=(const IoCall&) = delete;

    /// What the call returned: bytes, or a negative number.
    void moved(long bytes) { bytes_ = bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0; }
    /// For calls that make the descriptor.
    void opened(int descriptor) { descriptor_ = descriptor; }

private:
    std::uint64_t begin_ns_ = 0;
    std::uint64_t bytes_ = 0;
    int descriptor_;
    IoFunction function_;
    bool counts_;
};

}  // namespace halocline::snapshot
