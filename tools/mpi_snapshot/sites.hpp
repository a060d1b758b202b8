// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Call sites: from where in the program each function was called.
#pragma once

#include "counter.hpp"
#include "functions.hpp"

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

struct ThreadRecord;

inline constexpr int deepest_site = 8;

/// Return address of a wrapper and where its caller's frame begins.
struct Frame {
    void* address;
    void* frame_address;
};

/// A place in a file, whatever address it was loaded at; module -1: in no file.
struct Place {
    std::int32_t module;
    std::uint64_t offset;
};

/// What every call of the site touches lies in one cache line: the program has used the caches for
/// itself since the last call.
struct alignas(64) Site {
    std::atomic<const void*> address;  // innermost frame in the program, null: free
    std::uint16_t function;
    std::uint16_t depth;
    /// Where the caller of an MPI library's Fortran glue stands on the stack, relative to the frame
    /// of the wrapper; 0: the address is the program's own.
    std::int32_t glue_offset;
    Counter calls, ticks, longest, bytes;
    const void* frames[deepest_site];
    Place places[deepest_site];
};

/// Sites of one thread: fixed room, so that a file can be written while it fills.
class SiteTable {
public:
    static constexpr std::uint32_t capacity = 4096;
    Site sites[capacity];
    Counter used;
    Counter dropped;
};

/// The site of the newest call of a function, which the next call mostly shares. Read and written by
/// the calling thread alone.
struct NewestSite {
    const void* caller;  ///< return address of the wrapper; null: nothing kept
    Site* site;
    std::int32_t glue_offset;  ///< as in Site
};

/// Adds one call to the site of `frame`. `newest` is that of the function.
void note_site(ThreadRecord& record, NewestSite& newest, Function function, Frame frame,
               std::uint64_t ticks, std::uint64_t bytes);

}  // namespace halocline::snapshot
