// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Host allocation by mmap for large blocks (huge pages on request) and aligned_alloc for small ones.
#include "halocline/memory/buffer.hpp"

#include <sys/mman.h>
#include <cstdlib>
#include <string>

#include "halocline/core/error.hpp"

namespace halocline::detail {

namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
/// From here on memory comes from the kernel and goes back to it at once.
constexpr std::size_t large_bytes = 2 * huge_page_bytes;

/// Vectorised loops read whole blocks of eight rows: beyond the last row there must be memory.
constexpr std::size_t slack_bytes = 16 * 8 * sizeof(double);

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

[[noreturn]] void throw_out_of_memory(std::size_t bytes) {
    throw EnvironmentError("out of memory (an array of " + std::to_string(bytes >> 20) +
                           " MiB was refused). Use more ranks or a machine with more memory.");
}

/// Whole huge pages from the first multiple of their size; the rest stays in small pages, because a
/// huge page is resident as a whole.
void ask_for_huge_pages(char* memory, std::size_t bytes) {
    const auto begin = round_up(reinterpret_cast<std::size_t>(memory), huge_page_bytes);
    const auto end =
        (reinterpret_cast<std::size_t>(memory) + bytes) / huge_page_bytes * huge_page_bytes;
    if (end > begin) {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
}

}  // namespace

void* allocate_host(std::size_t requested_bytes) {
    const std::size_t bytes = requested_bytes + slack_bytes;
    if (bytes < large_bytes) {
        void* memory = std::aligned_alloc(line_bytes, round_up(bytes, line_bytes));
        if (memory == nullptr) {
            throw_out_of_memory(bytes);
        }
        return memory;
    }
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw_out_of_memory(bytes);
    }
    ask_for_huge_pages(static_cast<char*>(memory), bytes);
    return memory;
}

void free_host(void* memory, std::size_t requested_bytes) noexcept {
    const std::size_t bytes = requested_bytes + slack_bytes;
    if (bytes < large_bytes) {
        std::free(memory);
    } else {
        munmap(memory, bytes);
    }
}

}  // namespace halocline::detail
