// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of a field on their way into the packed chunks of a dataset.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "halocline/core/byte_sink.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/io/compression.hpp"
#include "halocline/io/hdf5_layout.hpp"

namespace halocline {

/// Packs one chunk after the other and writes it into its place. What a chunk lacks at the end of a run
/// is zeros.
class ChunkStream final : public ByteSink {
public:
    /// @param chunk_bytes  unpacked
    /// @param value_bytes  of one value
    ChunkStream(const Compression& compression, std::size_t chunk_bytes, std::size_t value_bytes)
        : packer_(compression, value_bytes), chunk_bytes_(chunk_bytes) {}

    /// Begins a run of `size` bytes that fills these chunks. `file` and `chunks` outlive it.
    void begin(const OutputFile& file, std::span<const ChunkPlace> chunks, std::uint64_t size);

    [[nodiscard]] std::byte* room(std::size_t size) override;
    void commit(std::size_t size) override;

private:
    void write_chunk();

    ChunkPacker packer_;
    std::size_t chunk_bytes_;
    const OutputFile* file_ = nullptr;
    std::span<const ChunkPlace> chunks_;  ///< still to be written
    std::uint64_t missing_ = 0;           ///< bytes of the run still to be committed
    std::vector<std::byte> buffer_;
    std::size_t filled_ = 0;
};

}  // namespace halocline
