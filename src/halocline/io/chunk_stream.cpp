// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/chunk_stream.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace halocline {

void ChunkStream::begin(const OutputFile& file, std::span<const ChunkPlace> chunks,
                        std::uint64_t size) {
    file_ = &file;
    chunks_ = chunks;
    missing_ = size;
    filled_ = 0;
    buffer_.resize(chunk_bytes_ + most_room);
}

std::byte* ChunkStream::room(std::size_t) { return buffer_.data() + filled_; }

void ChunkStream::commit(std::size_t size) {
    filled_ += size;
    missing_ -= size;
    while (filled_ >= chunk_bytes_) {
        write_chunk();
    }
    if (missing_ == 0 && filled_ > 0) {
        std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(filled_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(chunk_bytes_), std::byte{0});
        filled_ = chunk_bytes_;
        write_chunk();
    }
}

void ChunkStream::write_chunk() {
    const ChunkPlace chunk = chunks_.front();
    chunks_ = chunks_.subspan(1);
    const std::span<const std::byte> values = std::span(buffer_).first(chunk_bytes_);
    const auto packed = packer_.pack(values);
    const std::span<const std::byte> stored = packed.value_or(values);
    const std::array<std::uint32_t, 2> head{static_cast<std::uint32_t>(stored.size()),
                                            packed ? 0U : unpacked_chunk};
    file_->write_at(chunk.values, stored.data(), stored.size());
    file_->write_at(chunk.head, head.data(), sizeof head);
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(chunk_bytes_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(std::max(filled_, chunk_bytes_)),
              buffer_.begin());
    filled_ -= chunk_bytes_;
}

}  // namespace halocline
