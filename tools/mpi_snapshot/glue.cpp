// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Unwinding from a wrapper to the program's frames.
#include "glue.hpp"

#include "modules.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <atomic>
#include <cctype>
#include <cstdint>
#include <cstring>

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

/// Return addresses in glue whose nature is known. Racing threads write the same values.
struct Judged {
    std::atomic<const void*> address;
    std::atomic<bool> helper;
};
constexpr unsigned judged_limit = 4096;
Judged judged[judged_limit];

constexpr int range_limit = 8;
struct Range {
    std::uintptr_t begin, end;
};
Range ranges[range_limit];
int range_count = 0;

bool in_glue(const void* address) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    for (int i = 0; i < range_count; ++i) {
        if (value >= ranges[i].begin && value < ranges[i].end) {
            return true;
        }
    }
    return false;
}

/// True when the symbol around `address` is not named after the function, in whatever spelling.
bool has_other_name(Function function, const void* address) {
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_sname == nullptr) {
        return false;
    }
    char symbol[128] = "", wanted[128] = "";
    for (unsigned i = 0; i + 1 < sizeof symbol && info.dli_sname[i] != '\0'; ++i) {
        symbol[i] = static_cast<char>(std::tolower(info.dli_sname[i]));
    }
    const char* name = function_names[static_cast<int>(function)] + 4;  // behind "MPI_"
    for (unsigned i = 0; i + 1 < sizeof wanted && name[i] != '\0'; ++i) {
        wanted[i] = static_cast<char>(std::tolower(name[i]));
    }
    return std::strstr(symbol, wanted) == nullptr;
}

}  // namespace

void find_glue() {
    range_count = 0;
    for (const char* name : {"libmpi_mpifh", "libmpi_usempi", "libmpichfort", "libmpifort"}) {
        const char* path = loaded_file(name);
        void* library = path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
        // Any symbol of it leads to the module: the handle alone does not tell where it lies.
        for (const char* symbol : {"mpi_init_", "mpi_send_", "mpi_init_f08_"}) {
            const void* address = library == nullptr ? nullptr : dlsym(library, symbol);
            const Place place = address == nullptr ? Place{-1, 0} : place_of(address);
            if (place.module >= 0 && is_glue(place.module) && range_count < range_limit) {
                const Module& module = module_at(place.module);
                ranges[range_count++] = {module.begin, module.end};
                break;
            }
        }
    }
}

bool is_helper_call(Function function, const void* address) {
    if (range_count == 0 || !in_glue(address)) {
        return false;
    }
    const auto hash = (reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15u) >> 52;
    Judged& place = judged[hash % judged_limit];
    if (place.address.load(std::memory_order_acquire) == address) {
        return place.helper.load(std::memory_order_relaxed);
    }
    const bool helper = has_other_name(function, address);
    place.address.store(nullptr, std::memory_order_relaxed);
    place.helper.store(helper, std::memory_order_relaxed);
    place.address.store(address, std::memory_order_release);
    return helper;
}

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
