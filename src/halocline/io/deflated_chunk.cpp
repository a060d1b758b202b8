// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Counting with zlib; its output goes into one small block again and again.
#include "halocline/io/deflated_chunk.hpp"

#include <zlib.h>

#include <array>

#include "halocline/core/error.hpp"

namespace halocline {

std::uint64_t inflated_bytes(std::span<const std::byte> stream, std::uint64_t limit) {
    z_stream state{};
    if (inflateInit(&state) != Z_OK) {
        throw EnvironmentError(
            "out of memory (zlib). Use more ranks or a machine with more memory.");
    }
    // zlib's interface takes a pointer to what may change and does not change it.
    state.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(stream.data()));
    state.avail_in = static_cast<uInt>(stream.size());
    std::array<Bytef, std::size_t{1} << 16> unpacked;
    std::uint64_t bytes = 0;
    int status = Z_OK;
    while (status == Z_OK && bytes <= limit) {
        state.next_out = unpacked.data();
        state.avail_out = static_cast<uInt>(unpacked.size());
        status = inflate(&state, Z_NO_FLUSH);
        bytes += unpacked.size() - state.avail_out;
    }
    inflateEnd(&state);
    return bytes;
}

}  // namespace halocline
