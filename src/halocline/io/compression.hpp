// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How values of results are packed: methods by name, and what packs one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline {

/// How chunks of values are packed.
enum class Codec { none, deflate, zstd };

/// A method and how hard it tries.
struct Compression {
    /// Rows of a field that are packed together, unless the user names another number.
    static constexpr std::int64_t usual_chunk_rows = std::int64_t{1} << 14U;

    Codec codec = Codec::none;                   ///< none: values lie in one piece
    int level = 0;                               ///< of the codec; 0: its usual one
    std::int64_t chunk_rows = usual_chunk_rows;  ///< rows of a chunk

    /// Whether values are packed.
    [[nodiscard]] bool is_on() const noexcept { return codec != Codec::none; }
};

/// "none" first.
[[nodiscard]] std::vector<std::string_view> compression_names();

/// The method of this name. Throws UsageError for another word (nearest suggested) and for a level that
/// the method does not have.
/// @param level  from 1, higher packs tighter and takes longer; 0: the usual one
[[nodiscard]] Compression make_compression(const std::string& name, int level);

/// Throws EnvironmentError where this build, or the HDF5 library that it found, lacks the method:
/// then readers on this machine would lack it, too.
void require_available(const Compression& compression);

/// Packs chunks, one after the other, as HDF5's filters do: first the bytes of all values by their place in
/// the value, for those of neighbours are alike (HDF5's "shuffle"), then the method.
class ChunkPacker {
public:
    /// @param value_bytes  of one value
    ChunkPacker(const Compression& compression, std::size_t value_bytes)
        : compression_(compression), value_bytes_(value_bytes) {}

    /// The packed bytes, valid until the next call; nothing when they would be no fewer.
    [[nodiscard]] std::optional<std::span<const std::byte>> pack(std::span<const std::byte> chunk);

private:
    Compression compression_;
    std::size_t value_bytes_;
    std::vector<std::byte> shuffled_;
    std::vector<std::byte> packed_;
};

}  // namespace halocline
