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
    Counter untimed;  // calls not in `calls`: their time is that of the timed ones of the function
    const void* frames[deepest_site];
    Place places[deepest_site];
};

/// Sites of one thread: fixed room, so that a file can be written while it fills; one after the
/// other, so that writing it reads no more than there is.
class SiteTable {
public:
    static constexpr std::uint32_t capacity = 3072;
    static constexpr std::uint32_t slot_count = 4096;
    Site sites[capacity];
    Counter used;
    Counter dropped;
    std::uint16_t slots[slot_count];  // hash table: 1 + index of the site, 0: free
};

/// The return address in the program, at a known distance above glue code's frame.
inline const void* address_behind_glue(Frame frame, std::int32_t offset) {
    return *reinterpret_cast<const void* const*>(static_cast<const char*>(frame.frame_address) +
                                                 offset);
}

/// The sites of the newest calls of a function: programs call it from a few places again and again.
/// Read and written by the calling thread alone. One cache line with `untimed_left`.
struct alignas(64) RecentSites {
    struct Known {
        const void* address;  // in the program; null: none
        Site* site;
    };
    const void* glue_caller;   // return address of the wrapper in glue code, null: none met
    std::int32_t glue_offset;  // as in Site, of `glue_caller`
    /// As many calls of an inquiry as may be counted without being timed.
    std::atomic<std::uint32_t> untimed_left;
    Known known[3];

    /// The site of a call, null when it is not one of these.
    Site* find(Frame frame) const {
        const void* address =
            frame.address == glue_caller ? address_behind_glue(frame, glue_offset) : frame.address;
        for (const Known& each : known) {
            if (each.address == address) {
                return each.site;
            }
        }
        return nullptr;
    }
    void keep(const void* address, Site* site) {
        known[2] = known[1];
        known[1] = known[0];
        known[0] = {address, site};
    }
};

/// The site of `frame`, found by other means than `recent`, which will know it from then on; null when
/// there is no room for more.
Site* find_site(ThreadRecord& record, RecentSites& recent, Function function, Frame frame);

}  // namespace halocline::snapshot
