// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Host allocation by mmap for large blocks (huge pages on request) and aligned_alloc for small ones.
#include "halocline/memory/buffer.hpp"

#include <sys/mman.h>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/memory/block_reuse.hpp"
#include "halocline/memory/huge_pages.hpp"
#include "halocline/memory/memory_account.hpp"

namespace halocline {

namespace {

std::array<std::atomic<std::int64_t>, memory_uses> accounts{};
thread_local MemoryUse current_use = MemoryUse::values;

std::atomic<std::int64_t>& account_of(MemoryUse use) {
    return accounts[static_cast<std::size_t>(use)];
}

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

}  // namespace

MemoryScope::MemoryScope(MemoryUse use) noexcept : outer_(std::exchange(current_use, use)) {}
MemoryScope::~MemoryScope() { current_use = outer_; }

std::int64_t buffer_bytes(MemoryUse use) noexcept {
    return account_of(use).load(std::memory_order_relaxed);
}

void advise_huge_pages(void* memory, std::size_t bytes) noexcept {
    if (bytes < large_block_bytes) {
        return;
    }
    const auto address = reinterpret_cast<std::size_t>(memory);
    const std::size_t begin = round_up(address, huge_page_bytes);
    const std::size_t end =
        (address + bytes + huge_page_bytes - large_block_bytes) / huge_page_bytes * huge_page_bytes;
    if (end > begin) {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
}

namespace detail {

namespace {

constexpr std::size_t line_bytes = 64;
/// Vectorised loops read whole blocks of eight rows: beyond the last row there must be memory.
constexpr std::size_t slack_bytes = 16 * 8 * sizeof(double);

/// The last bytes beyond the end, which no loop needs, say what the block counts as, and how many cache
/// lines behind the begin of its memory it begins.
struct BlockMark {
    MemoryUse use;
    unsigned char offset_lines;
};
BlockMark& mark_of(void* memory, std::size_t requested_bytes) {
    static_assert(alignof(BlockMark) == 1);
    return *reinterpret_cast<BlockMark*>(static_cast<std::byte*>(memory) + requested_bytes +
                                         slack_bytes - sizeof(BlockMark));
}

/// Processors take a load for one of what was just stored where the last twelve bits of both addresses
/// agree, and wait. Were all arrays to begin alike, a loop that adds to one array and reads another at the
/// same node would wait at each element. So they begin at different lines of a page.
constexpr std::size_t lines_a_page = 64;
constexpr std::size_t spread_from_bytes = std::size_t{64} << 10;
std::atomic<unsigned> arrays_made{0};

std::size_t next_offset_lines(std::size_t bytes) {
    if (bytes < spread_from_bytes) {
        return 0;
    }
    return arrays_made.fetch_add(1, std::memory_order_relaxed) * std::size_t{17} % lines_a_page;
}

[[noreturn]] void throw_out_of_memory(std::size_t bytes) {
    throw EnvironmentError("out of memory (an array of " + std::to_string(bytes >> 20) +
                           " MiB was refused). Use more ranks or a machine with more memory.");
}

}  // namespace

namespace {

std::size_t room_for(std::size_t requested_bytes) {
    const std::size_t offset =
        requested_bytes < spread_from_bytes ? 0 : (lines_a_page - 1) * line_bytes;
    return requested_bytes + slack_bytes + offset;
}

std::size_t mapped_bytes(std::size_t bytes) { return round_up(bytes, huge_page_bytes); }

/// Whole huge pages of address space, from the begin of one: kernels since 6.7 give lengths like that
/// such an address; of others it is cut out.
void* map_large_block(std::size_t bytes) {
    const std::size_t length = mapped_bytes(bytes);
    if (void* kept = free_blocks().take(length); kept != nullptr) {
        return kept;
    }
    const auto map = [](std::size_t size) {
        void* memory =
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
    };
    std::byte* memory = map(length);
    if (memory == nullptr || reinterpret_cast<std::size_t>(memory) % huge_page_bytes == 0) {
        return memory;
    }
    munmap(memory, length);
    memory = map(length + huge_page_bytes);
    if (memory == nullptr) {
        return nullptr;
    }
    const auto address = reinterpret_cast<std::size_t>(memory);
    const std::size_t before = round_up(address, huge_page_bytes) - address;
    if (before > 0) {
        munmap(memory, before);
    }
    munmap(memory + before + length, huge_page_bytes - before);
    return memory + before;
}

}  // namespace

void* allocate_host(std::size_t requested_bytes) {
    const std::size_t bytes = room_for(requested_bytes);
    void* const begin = bytes < large_block_bytes
                            ? std::aligned_alloc(line_bytes, round_up(bytes, line_bytes))
                            : map_large_block(bytes);
    if (begin == nullptr) {
        throw_out_of_memory(bytes);
    }
    advise_huge_pages(begin, bytes);
    const std::size_t offset_lines = next_offset_lines(requested_bytes);
    void* const memory = static_cast<std::byte*>(begin) + offset_lines * line_bytes;
    mark_of(memory, requested_bytes) = {current_use, static_cast<unsigned char>(offset_lines)};
    account_of(current_use) += static_cast<std::int64_t>(requested_bytes);
    return memory;
}

void free_host(void* memory, std::size_t requested_bytes) noexcept {
    const BlockMark mark = mark_of(memory, requested_bytes);
    account_of(mark.use) -= static_cast<std::int64_t>(requested_bytes);
    void* const begin = static_cast<std::byte*>(memory) - mark.offset_lines * line_bytes;
    const std::size_t bytes = room_for(requested_bytes);
    if (bytes < large_block_bytes) {
        std::free(begin);
    } else if (!free_blocks().keep(begin, mapped_bytes(bytes))) {
        munmap(begin, mapped_bytes(bytes));
    }
}

}  // namespace detail

}  // namespace halocline
