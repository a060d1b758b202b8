// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Linux: /proc/self.
#include "halocline/core/process_memory.hpp"

#include <unistd.h>

#include <cstdio>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace halocline {

std::int64_t resident_memory_bytes() noexcept {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    long total = 0;
    long resident = 0;
    if (file == nullptr) {
        return 0;
    }
    const int read = std::fscanf(file, "%ld %ld", &total, &resident);
    std::fclose(file);
    return read == 2 ? std::int64_t{resident} * sysconf(_SC_PAGESIZE) : 0;
}

void return_freed_memory() noexcept {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

void return_large_blocks_at_once() noexcept {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 3 << 19);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);  // else the end of the heap would go at every 128 KiB
#endif
}

bool reset_peak_memory() noexcept {
    return_freed_memory();
    std::FILE* file = std::fopen("/proc/self/clear_refs", "w");
    if (file == nullptr) {
        return false;
    }
    const bool written = std::fputs("5", file) >= 0;  // 5: reset the peak, see proc(5)
    return std::fclose(file) == 0 && written;
}

}  // namespace halocline
