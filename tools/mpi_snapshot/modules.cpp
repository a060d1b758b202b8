// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table of modules, filled as addresses turn up.
#include "modules.hpp"

#include "memory.hpp"
#include "session.hpp"
#include "spin_lock.hpp"
#include "text.hpp"

#include <link.h>

#include <atomic>
#include <cstring>

namespace halocline::snapshot {

namespace {

Module* modules = nullptr;
std::atomic<int> known_modules{0};
SpinLock modules_lock;

struct Search {
    std::uintptr_t address;
    Module found;
};

void copy_build_id(const dl_phdr_info& info, const ElfW(Phdr) & segment, char* text) {
    const char* at = reinterpret_cast<const char*>(info.dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
        const char* name = at + sizeof *note;
        const char* value = name + (note->n_namesz + 3u) / 4 * 4;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= 20) {
            for (unsigned i = 0; i < note->n_descsz; ++i) {
                const auto byte = static_cast<unsigned char>(value[i]);
                *text++ = "0123456789abcdef"[byte >> 4];
                *text++ = "0123456789abcdef"[byte & 15];
            }
            *text = '\0';
            return;
        }
        at = value + (note->n_descsz + 3u) / 4 * 4;
    }
}

bool is_glue_name(const char* path) {
    static constexpr const char* parts[] = {"libmpi_mpifh", "libmpi_usempi", "libmpichfort",
                                            "libmpichf",    "libmpifort",    "libmpi_cxx",
                                            "libmpichcxx",  "libmpicxx"};
    const char* slash = std::strrchr(path, '/');
    const char* name = slash == nullptr ? path : slash + 1;
    for (const char* part : parts) {
        if (std::strncmp(name, part, std::strlen(part)) == 0) {
            return true;
        }
    }
    return false;
}

int look(dl_phdr_info* info, std::size_t, void* argument) {
    auto& search = *static_cast<Search*>(argument);
    std::uintptr_t low = UINTPTR_MAX, high = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
            low = begin < low ? begin : low;
            high = begin + segment.p_memsz > high ? begin + segment.p_memsz : high;
        }
    }
    if (search.address < low || search.address >= high) {
        return 0;
    }
    Module& module = search.found;
    module.begin = low;
    module.end = high;
    module.base = info->dlpi_addr;
    const bool is_program = info->dlpi_name == nullptr || info->dlpi_name[0] == '\0';
    copy_text(module.path, is_program ? session.program : info->dlpi_name);
    module.glue = is_glue_name(module.path);
    for (int i = 0; i < info->dlpi_phnum && module.build_id[0] == '\0'; ++i) {
        if (info->dlpi_phdr[i].p_type == PT_NOTE) {
            copy_build_id(*info, info->dlpi_phdr[i], module.build_id);
        }
    }
    return 1;
}

int known(std::uintptr_t address, int count) {
    for (int i = 0; i < count; ++i) {
        if (address >= modules[i].begin && address < modules[i].end) {
            return i;
        }
    }
    return -1;
}

int add_module(std::uintptr_t address) {
    Search search{};
    search.address = address;
    if (dl_iterate_phdr(look, &search) == 0) {
        return -1;
    }
    modules_lock.lock();
    const int count = known_modules.load(std::memory_order_relaxed);
    int index = known(address, count);
    if (modules == nullptr) {
        modules = allocate_array<Module>(module_limit);
    }
    if (index < 0 && modules != nullptr && count < module_limit) {
        index = count;
        modules[index] = search.found;
        known_modules.store(count + 1, std::memory_order_release);
    }
    modules_lock.unlock();
    return index;
}

}  // namespace

Place place_of(const void* address) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    int index = known(value, module_count());
    if (index < 0) {
        index = add_module(value);
    }
    return index < 0 ? Place{-1, value} : Place{index, value - modules[index].base};
}

bool is_glue(std::int32_t module) { return module >= 0 && modules[module].glue; }

int module_count() { return known_modules.load(std::memory_order_acquire); }
const Module& module_at(int index) { return modules[index]; }

const char* loaded_file(const char* part) {
    struct Wanted {
        const char* part;
        const char* path;
    } wanted{part, nullptr};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* argument) {
            auto& asked = *static_cast<Wanted*>(argument);
            const char* slash =
                info->dlpi_name == nullptr ? nullptr : std::strrchr(info->dlpi_name, '/');
            if (slash != nullptr &&
                std::strncmp(slash + 1, asked.part, std::strlen(asked.part)) == 0) {
                asked.path = info->dlpi_name;
                return 1;
            }
            return 0;
        },
        &wanted);
    return wanted.path;
}

}  // namespace halocline::snapshot
