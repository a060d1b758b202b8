// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Large blocks of containers ask for huge pages, as buffers do. Set-up reads, partitions and migrates
// in vectors; in pages of 4 KiB most of its system time went into page faults. Programs that measure
// memory or messages do not link this.
#include <algorithm>
#include <cstdlib>
#include <new>

#include "halocline/memory/huge_pages.hpp"

void* operator new(std::size_t bytes) {
    using halocline::huge_page_bytes;
    const std::size_t whole = (bytes / huge_page_bytes + 1) * huge_page_bytes;
    void* memory = bytes < halocline::large_block_bytes
                       ? std::malloc(bytes == 0 ? 1 : bytes)
                       : std::aligned_alloc(huge_page_bytes, std::max(bytes, whole));
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    halocline::advise_huge_pages(memory, bytes);
    return memory;
}

// What goes with the allocation above; the C++ library's own might be another (sanitizers).
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
