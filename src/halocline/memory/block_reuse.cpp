// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Best fit by a linear search: blocks are few.
#include "halocline/memory/block_reuse.hpp"

#include <sys/mman.h>

#include <iterator>

namespace halocline {

BlockReuse::BlockReuse() { detail::free_blocks().open(); }
void BlockReuse::end() {
    if (!has_ended_) {
        has_ended_ = true;
        detail::free_blocks().close();
    }
}

namespace detail {

FreeBlocks& free_blocks() {
    static FreeBlocks blocks;
    return blocks;
}

void FreeBlocks::open() {
    const std::lock_guard lock(mutex_);
    ++scopes_;
}

void FreeBlocks::close() {
    const std::lock_guard lock(mutex_);
    if (--scopes_ > 0) {
        return;
    }
    for (const auto& [memory, length] : blocks_) {
        munmap(memory, length);
    }
    blocks_.clear();
}

void* FreeBlocks::take(std::size_t length) {
    const std::lock_guard lock(mutex_);
    auto best = blocks_.end();
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
        if (block->second >= length && (best == blocks_.end() || block->second < best->second)) {
            best = block;
        }
    }
    if (best == blocks_.end()) {
        return nullptr;
    }
    const auto [memory, whole] = *best;
    blocks_.erase(best);
    if (whole > length) {
        blocks_.emplace(memory + length, whole - length);
    }
    return memory;
}

bool FreeBlocks::keep(void* memory, std::size_t length) {
    const std::lock_guard lock(mutex_);
    if (scopes_ == 0) {
        return false;
    }
    const auto block = blocks_.emplace(static_cast<std::byte*>(memory), length).first;
    const auto next = std::next(block);
    if (next != blocks_.end() && block->first + block->second == next->first) {
        block->second += next->second;
        blocks_.erase(next);
    }
    if (block != blocks_.begin()) {
        const auto before = std::prev(block);
        if (before->first + before->second == block->first) {
            before->second += block->second;
            blocks_.erase(block);
        }
    }
    return true;
}

}  // namespace detail

}  // namespace halocline
