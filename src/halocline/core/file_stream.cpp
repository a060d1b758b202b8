// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The buffer's first byte stands for the first byte of a block of the file, wherever the run begins.
#include "halocline/core/file_stream.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace halocline {

namespace {

/// Every disk and file system takes multiples of a page, from addresses that are.
constexpr std::size_t block_bytes = 4096;
/// Bytes of a write: more gained nothing, a quarter of it cost a third of the bandwidth.
constexpr std::size_t write_bytes = std::size_t{1} << 20U;
/// A huge page: the system pins one page for a write instead of hundreds.
constexpr std::size_t buffer_bytes = std::size_t{1} << 21U;
static_assert(write_bytes + FileStream::most_room <= buffer_bytes);
/// Shorter runs stay in the page cache, which gathers them.
constexpr std::uint64_t shortest_direct = std::uint64_t{1} << 18U;

constexpr std::size_t whole_blocks(std::size_t bytes) { return bytes / block_bytes * block_bytes; }

}  // namespace

void FileStream::Free::operator()(std::byte* memory) const noexcept { std::free(memory); }

void FileStream::begin(const OutputFile& file, std::uint64_t offset, std::uint64_t size) {
    file_ = &file;
    direct_ = size >= shortest_direct && file.reserve_direct(offset, size);
    begin_ = static_cast<std::size_t>(offset % block_bytes);
    filled_ = begin_;
    place_ = offset - begin_;
    missing_ = size;
    const std::uint64_t wanted = begin_ + size + most_room;
    if (capacity_ < std::min<std::uint64_t>(wanted, buffer_bytes)) {
        allocate(wanted < buffer_bytes ? whole_blocks(wanted + block_bytes - 1) : buffer_bytes);
    }
}

/// Short runs need no huge page.
void FileStream::allocate(std::size_t bytes) {
    const bool is_huge = bytes == buffer_bytes;
    capacity_ = 0;
    buffer_.reset(
        static_cast<std::byte*>(std::aligned_alloc(is_huge ? buffer_bytes : block_bytes, bytes)));
    if (buffer_ == nullptr) {
        throw std::bad_alloc();
    }
    capacity_ = bytes;
    if (is_huge) {
        static_cast<void>(::madvise(buffer_.get(), bytes, MADV_HUGEPAGE));
    }
}

std::byte* FileStream::room(std::size_t size) {
    if (filled_ + size > write_bytes + most_room) {
        write_blocks(write_bytes);
    }
    return buffer_.get() + filled_;
}

void FileStream::commit(std::size_t size) {
    filled_ += size;
    missing_ -= size;
    if (missing_ == 0) {
        write_rest();
    }
}

void FileStream::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::size_t size = std::min(bytes.size(), most_room);
        std::memcpy(room(size), bytes.data(), size);
        commit(size);
        bytes = bytes.subspan(size);
    }
}

/// Writes the first `size` bytes of the buffer, whole blocks, and moves the rest to its begin.
void FileStream::write_blocks(std::size_t size) {
    std::size_t first = begin_;
    if (direct_) {
        const std::size_t head = whole_blocks(begin_ + block_bytes - 1);
        write_plain(begin_, std::min(head, size));
        first = size;
        if (head < size && !file_->write_direct(place_ + head, buffer_.get() + head, size - head)) {
            direct_ = false;
            first = head;
        }
    }
    write_plain(first, size);
    std::memmove(buffer_.get(), buffer_.get() + size, filled_ - size);
    place_ += size;
    filled_ -= size;
    begin_ = 0;
}

void FileStream::write_plain(std::size_t first, std::size_t last) const {
    if (first < last) {
        file_->write_at(place_ + first, buffer_.get() + first, last - first);
    }
}

void FileStream::write_rest() {
    if (const std::size_t whole = whole_blocks(filled_); whole > begin_) {
        write_blocks(whole);
    }
    write_plain(begin_, filled_);
    begin_ = filled_ = 0;
}

}  // namespace halocline
