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

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void* allocate_host(std::size_t bytes) {
    const bool large = bytes >= 2 * huge_page_bytes;
    const std::size_t unit = large ? huge_page_bytes : line_bytes;
    void* memory = std::aligned_alloc(unit, round_up(bytes, large ? 4096 : line_bytes));
    validate<EnvironmentError>(memory != nullptr,
                               "out of memory (an array of " + std::to_string(bytes >> 20) +
                                   " MiB was refused). Use more ranks or a machine with more memory.");
    if (large) {
        madvise(memory, bytes, MADV_HUGEPAGE);
    }
    return memory;
}

void free_host(void* memory, std::size_t) noexcept { std::free(memory); }

}  // namespace halocline::detail
