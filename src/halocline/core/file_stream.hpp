// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Large runs of bytes on their way into a file, past the system's page cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "halocline/core/byte_sink.hpp"
#include "halocline/core/output_file.hpp"

namespace halocline {

/// Writes one run of bytes of a file, from its begin to its end, through a buffer of whole blocks.
///
/// Whole blocks of a long run go to the disk without a copy in the page cache, where the file system can do
/// that: such a write costs a twentieth of the processor's time, and a thread that waits for it leaves
/// its core to the loops (docs/decisions/0057-past-the-page-cache.md). The blocks at the ends, which others
/// may share, and short runs are written as usual. The bytes of the file are the same.
///
/// A run is with the system when its last byte is committed, and on the disk after `flush` or `complete` of
/// the file. A stream can be used for one run after the other; it keeps its buffer. Functions throw
/// RunError as those of OutputFile do.
class FileStream final : public ByteSink {
public:
    /// Begins a run of `size` bytes at `offset` of `file`, which outlives it.
    void begin(const OutputFile& file, std::uint64_t offset, std::uint64_t size);
    [[nodiscard]] std::byte* room(std::size_t size) override;
    void commit(std::size_t size) override;
    /// The same for bytes that lie elsewhere, any number of them.
    void write(std::span<const std::byte> bytes);

private:
    struct Free {
        void operator()(std::byte* memory) const noexcept;
    };
    void allocate(std::size_t bytes);
    void write_blocks(std::size_t size);
    void write_rest();
    void write_plain(std::size_t first, std::size_t last) const;

    const OutputFile* file_ = nullptr;
    bool direct_ = false;
    std::unique_ptr<std::byte, Free> buffer_;
    std::size_t capacity_ = 0;   ///< of the buffer
    std::uint64_t place_ = 0;    ///< in the file, of the first byte of the buffer: begin of a block
    std::size_t begin_ = 0;      ///< first byte of the buffer that is of this run
    std::size_t filled_ = 0;     ///< end of the bytes committed
    std::uint64_t missing_ = 0;  ///< bytes of the run that are still to be committed
};

}  // namespace halocline
