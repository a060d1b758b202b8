// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pages by mmap and small pieces cut from them, without locks.
#include "memory.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

namespace {

constexpr std::size_t chunk_bytes = 1 << 20;
constexpr std::size_t alignment = 64;

/// A chunk starts with its own fill level.
struct Chunk {
    std::atomic<std::size_t> used;
};

std::atomic<Chunk*> current_chunk{nullptr};

Chunk* new_chunk(Chunk* expected) {
    auto* chunk = static_cast<Chunk*>(map_pages(chunk_bytes));
    if (chunk == nullptr) {
        return nullptr;
    }
    chunk->used.store(alignment, std::memory_order_relaxed);
    if (!current_chunk.compare_exchange_strong(expected, chunk, std::memory_order_acq_rel)) {
        unmap_pages(chunk, chunk_bytes);
        return expected;
    }
    return chunk;
}

}  // namespace

void* map_pages(std::size_t bytes) {
    void* address =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? nullptr : address;
}

void unmap_pages(void* address, std::size_t bytes) {
    if (address != nullptr) {
        munmap(address, bytes);
    }
}

void* allocate(std::size_t bytes) {
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    if (rounded > chunk_bytes / 8) {
        return map_pages(rounded);
    }
    Chunk* chunk = current_chunk.load(std::memory_order_acquire);
    for (;;) {
        if (chunk != nullptr) {
            const std::size_t at = chunk->used.fetch_add(rounded, std::memory_order_relaxed);
            if (at + rounded <= chunk_bytes) {
                return reinterpret_cast<char*>(chunk) + at;
            }
        }
        chunk = new_chunk(chunk);
        if (chunk == nullptr) {
            return nullptr;
        }
    }
}

}  // namespace halocline::snapshot
