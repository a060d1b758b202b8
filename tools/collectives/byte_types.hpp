// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Messages as bytes: what one rank calls 1000 integers, another may call one column of a matrix.
//
// Only the number of bytes of such a message is the same on all ranks, so it is cut by bytes; data
// that do not lie in one stretch are packed first, on the rank concerned alone.
#pragma once

#include "collectives/mpi_symbols.hpp"

#include <cstddef>
#include <memory>

namespace halocline::endpoints {

/// Bytes of one element; 64-bit.
[[nodiscard]] std::size_t size_of(MPI_Datatype type);

/// Distance from one element to the next.
[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);

/// Whether elements are stretches of bytes that follow one another, in the order of the message.
[[nodiscard]] bool is_contiguous(MPI_Datatype type);

/// A datatype that stands for `bytes` bytes, as `count` elements; frees what it made.
class ByteType {
public:
    explicit ByteType(std::size_t bytes);
    /// One element of `bytes` bytes, the next one `extent` bytes further on.
    ByteType(std::size_t bytes, std::size_t extent);
    ByteType(const ByteType&) = delete;
    ByteType& operator=(const ByteType&) = delete;
    ~ByteType();

    [[nodiscard]] MPI_Datatype type() const { return type_; }
    [[nodiscard]] int count() const { return count_; }

private:
    MPI_Datatype type_;
    int count_ = 1;
    bool made_ = false;
};

/// A buffer of the program as one stretch of bytes.
class Stretch {
public:
    Stretch() = default;
    /// @param load  whether the present contents are needed
    Stretch(void* buffer, std::size_t count, MPI_Datatype type, bool load);

    [[nodiscard]] std::byte* at(std::size_t offset) const { return bytes_ + offset; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Whether the bytes are a copy, and not the program's own memory.
    [[nodiscard]] bool packed() const { return copy_ != nullptr; }
    /// Brings a copy back into the program's buffer.
    void store() const;

private:
    void* buffer_ = nullptr;
    std::size_t count_ = 0;
    MPI_Datatype type_{};
    std::size_t size_ = 0;
    std::byte* bytes_ = nullptr;
    std::unique_ptr<std::byte[]> copy_;
};

/// Copies `count` elements into bytes, or back. `batch_bytes` bounds one MPI_Pack, whose own counts
/// are ints. @returns an MPI error code
int pack(const void* buffer, std::size_t count, MPI_Datatype type, std::byte* bytes,
         std::size_t batch_bytes = std::size_t{1} << 30);
int unpack(const std::byte* bytes, void* buffer, std::size_t count, MPI_Datatype type,
           std::size_t batch_bytes = std::size_t{1} << 30);

}  // namespace halocline::endpoints
