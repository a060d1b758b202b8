// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Unwinding from a wrapper to the program's frames.
#include "glue.hpp"

#include "modules.hpp"

#include <unwind.h>

#include <cstdint>

namespace halocline::snapshot {

namespace {

struct Walk {
    Frame from;
    bool started;  // at or beyond the frame that called the wrapper
    std::int32_t first_offset;
    const void** frames;
    int wanted;
    int found;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
    auto& walk = *static_cast<Walk*>(argument);
    const auto* address = reinterpret_cast<const void*>(_Unwind_GetIP(context));
    walk.started = walk.started || address == walk.from.address;
    const bool glue = walk.started && walk.found == 0 && is_glue(place_of(address).module);
    if (walk.started && !glue) {
#if defined(__x86_64__)
        // In libgcc the CFA of a visited frame is that of the frame it called, and the return address
        // lies just below it.
        const auto* slot = reinterpret_cast<const void* const*>(_Unwind_GetCFA(context)) - 1;
        const auto offset =
            reinterpret_cast<const char*>(slot) - static_cast<const char*>(walk.from.frame_address);
        if (walk.found == 0 && offset > 0 && offset < (1 << 20) && *slot == address) {
            walk.first_offset = static_cast<std::int32_t>(offset);
        }
#endif
        walk.frames[walk.found++] = address;
    }
    return walk.found == walk.wanted ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

Unwound first_frame_beyond_glue(Frame frame) {
    const void* address = nullptr;
    Walk walk{frame, false, 0, &address, 1, 0};
    _Unwind_Backtrace(visit, &walk);
    return {address, walk.first_offset};
}

int frames_beyond_glue(Frame frame, const void** frames, int wanted) {
    Walk walk{frame, false, 0, frames, wanted, 0};
    _Unwind_Backtrace(visit, &walk);
    return walk.found;
}

}  // namespace halocline::snapshot
